#include "core/io/files/atomic_file.hpp"

#include "core/base/error.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/leftovers.hpp"
#include "core/io/files/temporary_files.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace gantry {

namespace fs = std::filesystem;

void require_file_name(const fs::path& target) {
  if (target.filename().empty())
    throw OutputError("no file name is given", target.string(), "add a name");
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw OutputError("is not a regular file", target.string(), "choose another name");
  if (error == std::errc::filename_too_long) fail_output("cannot be created", target, ENAMETOOLONG);
}

AtomicFile::AtomicFile(const fs::path& target, FileAccess access) : target_(target) {
  require_file_name(target);
  std::error_code error;
  // A symbolic link stays as it is; the file that it points to is replaced.
  if (fs::is_symlink(target_, error)) {
    const fs::path resolved = fs::weakly_canonical(target_, error);
    if (!error) target_ = resolved;
  }
  folder_ = target_.parent_path();
  sweep_leftovers(folder_);
  do {
    if (descriptor_ >= 0) close(descriptor_);
    if (!temporary_.empty()) forget_temporary(temporary_);
    temporary_ = folder_ / unfinished_name();
    note_temporary(temporary_);
    descriptor_ =
        open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode(access));
    if (descriptor_ < 0 && errno != EEXIST) {
      const int why = errno;
      forget_temporary(temporary_);
      temporary_.clear();
      fail("cannot be created", why);
    }
  } while (descriptor_ < 0 || !claim(descriptor_));
  struct stat old = {};
  if (stat(target_.c_str(), &old) == 0 && fchmod(descriptor_, old.st_mode & 0777) != 0)
    fail("cannot be created", errno);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::span<const std::byte> bytes) {
  if (const int error = write_all(descriptor_, bytes)) fail("cannot be written", error);
}

void AtomicFile::finish() {
  if (is_finished_) return;
  if (const int error = sync_file(descriptor_)) fail("cannot be written", error);
  is_finished_ = true;
}

void AtomicFile::commit() {
  finish();
  // Closing the descriptor releases the lock, and an unlocked temporary file may be removed by
  // other writers, so the file is renamed first.
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced", errno);
  forget_temporary(temporary_);
  temporary_.clear();
  discard();
  sync_folder(folder_);  // after the renaming nothing may throw, not even std::bad_alloc
}

void AtomicFile::fail(const std::string& action, int error_number) {
  discard();
  fail_output(action, target_, error_number);
}

void AtomicFile::discard() noexcept {
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    forget_temporary(temporary_);
  }
  temporary_.clear();
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

FileAccess access_of(const fs::path& file) {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0) return FileAccess::usual;
  unsigned withheld = 0;
  for (const unsigned all_of_one : {0070U, 0007U})  // the bits of the group, then of all others
    if ((status.st_mode & 0444U & all_of_one) == 0) withheld |= all_of_one;
  return static_cast<FileAccess>(withheld);
}

FileAccess stricter(FileAccess a, FileAccess b) {
  return static_cast<FileAccess>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

unsigned file_mode(FileAccess access) { return 0666U & ~static_cast<unsigned>(access); }
unsigned folder_mode(FileAccess access) { return 0777U & ~static_cast<unsigned>(access); }

void write_file_atomically(const fs::path& target, std::span<const std::byte> bytes,
                           FileAccess access) {
  AtomicFile file(target, access);
  file.write(bytes);
  file.commit();
}

}  // namespace gantry
