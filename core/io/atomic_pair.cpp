#include "core/io/atomic_pair.hpp"

#include "core/base/error.hpp"
#include "core/io/disk.hpp"
#include "core/io/leftovers.hpp"
#include "core/io/read_text.hpp"
#include "core/io/temporary_files.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Whether a header in the folder names this file. Any may: a user may have renamed one.
bool is_named_by_header(const std::string& file, const fs::path& folder) {
  constexpr std::size_t largest_header = std::size_t{1} << 29;
  std::error_code error;
  const std::vector<std::string> names = names_in(folder, {});
  for (const std::string& name : names) {
    const fs::path path = folder / name, extension = path.extension();
    if ((extension != ".json" && extension != ".mhd") || !fs::is_regular_file(path, error))
      continue;
    if (read_text_file(path.string(), largest_header).find(file) != std::string::npos) return true;
  }
  return names.empty();  // what cannot be listed is left alone
}

/// Removes data under unique names that a killed writer left and no header names.
void sweep_data(const fs::path& plain) noexcept {
  try {
    const fs::path folder = plain.has_parent_path() ? plain.parent_path() : fs::path(".");
    std::vector<fs::path> left;
    for (const std::string& name : names_in(folder, plain.stem().string()))
      if (is_unique_name_of(folder / name, plain)) left.push_back(folder / name);
    for (const fs::path& path : left)
      if (!is_named_by_header(path.filename().string(), folder)) remove_abandoned(path);
  } catch (const std::exception&) {
    return;  // the next writer sweeps again
  }
}

fs::path unique_name(const fs::path& plain) {
  fs::path name = plain.parent_path() / plain.stem();
  name += "." + random_mark();
  name += plain.extension();
  return name;
}

}  // namespace

bool is_unique_name_of(const fs::path& data, const fs::path& plain) {
  const std::string name = data.stem().string(), stem = plain.stem().string() + ".";
  return data.extension() == plain.extension() && name.starts_with(stem) &&
         is_random_mark(std::string_view(name).substr(stem.size()));
}

AtomicPair::AtomicPair(const fs::path& header, const fs::path& data, FileAccess access)
    : header_path_(header), plain_(data), access_(access), header_(header, access) {
  require_file_name(plain_);
  sweep_data(plain_);
  create_data(access);
}

AtomicPair::~AtomicPair() {
  if (!unique_.empty()) {
    unlink(unique_.c_str());
    forget_temporary(unique_);
  }
  if (descriptor_ >= 0) close(descriptor_);
}

void AtomicPair::create_data(FileAccess access) {
  do {
    if (descriptor_ >= 0) close(descriptor_);
    if (!unique_.empty()) forget_temporary(unique_);
    unique_ = unique_name(plain_);
    note_temporary(unique_);
    descriptor_ = open(unique_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                       access == FileAccess::owner ? 0600 : 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail_output("cannot be created", plain_, errno);
  } while (descriptor_ < 0 || !claim(descriptor_));
  struct stat old = {};
  if (stat(plain_.c_str(), &old) == 0) fchmod(descriptor_, old.st_mode & 0777);
}

void AtomicPair::write(std::span<const std::byte> bytes) {
  if (const int error = write_all(descriptor_, bytes))
    fail_output("cannot be written", plain_, error);
  seal_.add(bytes);
}

void AtomicPair::commit(const HeaderText& header_text) {
  if (const int error = sync_file(descriptor_)) fail_output("cannot be written", plain_, error);
  header_.write(header_text(unique_.filename().string(), seal_));
  sync_folder(plain_.parent_path());  // the data's name is on the disk before the header names it
  forget_temporary(unique_);          // which from here on may be the valid data
  header_.commit();
  take_plain_name(header_text);
  unique_.clear();
  sweep_data(plain_);
}

/// The pair is valid at each step: the header names the unique name until the plain one holds the
/// same data. What fails here is left as it is.
void AtomicPair::take_plain_name(const HeaderText& header_text) {
  const fs::path folder = plain_.parent_path(), name = folder / unfinished_name();
  if (link(unique_.c_str(), name.c_str()) != 0) {
    unlink(plain_.c_str());  // no header names the old data any more
    return;
  }
  if (rename(name.c_str(), plain_.c_str()) != 0) {
    unlink(name.c_str());
    return;
  }
  sync_folder(folder);
  try {
    AtomicFile header(header_path_, access_);
    header.write(header_text(plain_.filename().string(), seal_));
    header.commit();
  } catch (const std::exception&) {  // no room on the disk, or in memory
    return;
  }
  unlink(unique_.c_str());
}

}  // namespace gantry
