#include "core/io/files/atomic_pair.hpp"

#include "core/base/error.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/leftovers.hpp"
#include "core/io/files/temporary_files.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

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
    descriptor_ = open(unique_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode(access));
    if (descriptor_ < 0 && errno != EEXIST) {
      const int why = errno;
      forget_temporary(unique_);  // the destructor does not run
      fail_output("cannot be created", plain_, why);
    }
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
  // Everything that may fail is done before header_.commit(), which makes the new pair valid.
  AtomicFile last_header(header_path_, access_);
  last_header.write(header_text(plain_.filename().string(), seal_));
  const fs::path folder = plain_.parent_path(), link_name = folder / unfinished_name();
  sync_folder(folder);        // the name of the data is on the disk before the header names it
  forget_temporary(unique_);  // from here on the file may be the valid data and must not be removed
  header_.commit();
  const fs::path unique = std::exchange(unique_, {});
  if (take_plain_name(unique, link_name, folder, last_header)) unlink(unique.c_str());
  sweep_leftovers(folder);  // removes the data that the old header named
}

/// Gives the data the plain name. The pair is valid after each step: the header names the unique
/// name until the plain name belongs to the same data. Returns false if a step fails, as hard links
/// do on some file systems; the remaining steps are then omitted.
bool AtomicPair::take_plain_name(const fs::path& unique, const fs::path& link_name,
                                 const fs::path& folder, AtomicFile& last_header) const {
  if (link(unique.c_str(), link_name.c_str()) != 0) {
    unlink(plain_.c_str());  // no header names the old data any more
    return false;
  }
  if (rename(link_name.c_str(), plain_.c_str()) != 0) {
    unlink(link_name.c_str());
    return false;
  }
  sync_folder(folder);
  try {
    last_header.commit();
  } catch (const OutputError&) {
    return false;
  }
  return true;
}

}  // namespace gantry
