#include "core/io/files/file_format.hpp"

#include "core/base/joined.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/foreign_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <new>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

std::string file_start(const std::string& path) {
  std::error_code error;
  // Reading from a pipe, or from a file as /proc/kmsg, would wait for ever.
  if (!fs::is_regular_file(path, error) || is_of_kernel(path)) return {};
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOMEM) throw std::bad_alloc();  // no fault of the file
  std::string bytes(file_start_bytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

bool has_extension_of(const FileFormat& format, const std::string& path) {
  return std::ranges::any_of(format.extensions, [&](const std::string& extension) {
    return has_extension(path, extension);
  });
}

Certainty certainty_of(const FileFormat& format, const std::string& path, std::string_view start) {
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  if (folder && (!format.is_folder || is_of_kernel(path))) return Certainty::none;
  if (folder && format.judge_folder) return format.judge_folder(path);
  const Certainty by_bytes = format.magic ? format.magic(start) : Certainty::none;
  if (by_bytes == Certainty::certain)
    return !format.is_complete || format.is_complete(path) ? by_bytes : Certainty::none;
  const std::string name = fs::path(path).filename().string();
  if (has_extension_of(format, path) || std::ranges::count(format.whole_names, name) > 0)
    return Certainty::named;
  return folder ? Certainty::possible : by_bytes;
}

std::string described(const std::vector<const FileFormat*>& formats) {
  return joined(formats, [](const FileFormat* format) {
    const std::string names = joined(format->extensions);
    return format->label + " (" + names +
           (!format->is_folder ? ")"
            : names.empty()    ? "a folder)"
                               : " or a folder)");
  });
}

std::string names_for(const std::vector<const FileFormat*>& formats) {
  std::string names, folders;
  for (const FileFormat* format : formats) {
    if (format->is_folder)
      folders += (folders.empty() ? "a folder for " : " or ") + format->label;
    else
      names += (names.empty() ? "" : ", ") + format->extensions.front();
  }
  return names + (names.empty() || folders.empty() ? "" : ", or ") + folders;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

void refuse_unknown_format(const std::string& path, const std::string& kind,
                           const std::vector<const FileFormat*>& known) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    throw InputError("does not exist or cannot be reached", path, "check the path");
  if (fs::is_directory(status))
    throw InputError("is a folder, not a file", path, "use one of " + described(known));
  if (!fs::is_regular_file(status))
    throw InputError("is neither a file nor a folder", path, "choose a file or a folder");
  refuse_foreign_file(path, "has no known " + kind, "use one of " + described(known));
}

}  // namespace gantry
