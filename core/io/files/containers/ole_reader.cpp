#include "core/io/files/containers/ole_reader.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"

#include <gsf/gsf-infile-msole.h>
#include <gsf/gsf-infile.h>
#include <gsf/gsf-input-stdio.h>
#include <mutex>

namespace gantry {

namespace {

/// The library writes what it thinks of a damaged file to standard error, partly under no name of
/// its own. What is wrong reaches the user as an exception instead.
void silence_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    constexpr auto levels = static_cast<GLogLevelFlags>(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING |
                                                        G_LOG_LEVEL_MESSAGE);
    for (const char* name : {"libgsf:msole", "libgsf", static_cast<const char*>(nullptr)})
      g_log_set_handler(
          name, levels, [](const gchar*, GLogLevelFlags, const gchar*, gpointer) {}, nullptr);
  });
}

/// Ends the use of an object of the library.
struct Release {
  void operator()(gpointer object) const { g_object_unref(object); }
};
template <class T>
using Held = std::unique_ptr<T, Release>;

/// Returns the child of a folder; null where there is none.
Held<GsfInput> child_of(GsfInfile* folder, const std::string& name) {
  const std::string wanted = lower_case(name);
  const int count = gsf_infile_num_children(folder);
  for (int i = 0; i < count; ++i) {
    const char* found = gsf_infile_name_by_index(folder, i);
    if (found != nullptr && lower_case(found) == wanted)
      return Held<GsfInput>(gsf_infile_child_by_index(folder, i));
  }
  return nullptr;
}

}  // namespace

struct OleReader::Impl {
  Held<GsfInfile> root;
  mutable std::mutex mutex;  // a file has one position for reading

  /// Returns the stream; null where there is none.
  Held<GsfInput> stream(const std::string& path) const {
    Held<GsfInput> found;
    for (std::size_t at = 0; at <= path.size();) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      if (found != nullptr && !GSF_IS_INFILE(found.get())) return nullptr;
      GsfInfile* folder = found != nullptr ? GSF_INFILE(found.get()) : root.get();
      found = child_of(folder, path.substr(at, end - at));
      if (found == nullptr) return nullptr;
      at = end + 1;
    }
    return found;
  }
};

OleReader::OleReader(const std::string& path) : path_(path), impl_(std::make_unique<Impl>()) {
  silence_library();
  GError* error = nullptr;
  const auto refuse = [&](const char* remedy) {
    const std::string reason = error != nullptr ? error->message : "unknown reason";
    g_clear_error(&error);
    throw InputError("cannot be opened (" + reason + ")", path_, remedy);
  };
  const Held<GsfInput> file(gsf_input_stdio_new(path.c_str(), &error));
  if (file == nullptr) refuse("make it readable or choose another file");
  impl_->root.reset(gsf_infile_msole_new(file.get(), &error));
  if (impl_->root == nullptr) refuse("copy it again from where it came");
}

OleReader::~OleReader() = default;

std::optional<std::uint64_t> OleReader::bytes_of(const std::string& stream) const {
  const std::scoped_lock lock(impl_->mutex);
  const Held<GsfInput> found = impl_->stream(stream);
  if (found == nullptr) return std::nullopt;
  return static_cast<std::uint64_t>(std::max<gsf_off_t>(0, gsf_input_size(found.get())));
}

void OleReader::read(const std::string& stream, std::span<std::byte> bytes) const {
  const std::scoped_lock lock(impl_->mutex);
  const Held<GsfInput> found = impl_->stream(stream);
  if (found == nullptr)
    throw InputError("has no stream " + stream, path_, "choose a complete file");
  if (bytes.empty()) return;
  if (gsf_input_size(found.get()) < static_cast<gsf_off_t>(bytes.size()) ||
      gsf_input_read(found.get(), bytes.size(), reinterpret_cast<guint8*>(bytes.data())) == nullptr)
    throw InputError("the stream " + stream + " is cut short or damaged", path_,
                     "copy it again from where it came");
}

}  // namespace gantry
