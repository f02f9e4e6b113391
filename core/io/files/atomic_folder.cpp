#include "core/io/files/atomic_folder.hpp"

#include "core/base/error.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/leftovers.hpp"
#include "core/io/files/temporary_files.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

fs::path without_trailing_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

/// Creates a file with these bytes. Returns 0 or an errno.
int write_new_file(const fs::path& path, std::span<const std::byte> bytes, FileAccess access) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode(access));
  if (file < 0) return errno;
  int error = write_all(file, bytes);
  if (error == 0) error = sync_file(file);
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

int open_folder(const fs::path& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

}  // namespace

AtomicFolder::AtomicFolder(const fs::path& target, FileAccess access)
    : shown_(target), access_(access) {
  std::error_code error;
  target_ = without_trailing_slash(fs::weakly_canonical(fs::absolute(target, error), error));
  if (error) fail_output("the folder cannot be reached", shown_, error.value());
  if (!target_.has_filename())
    throw OutputError("the root folder cannot be replaced", shown_.string(), "name a folder in it");
  const fs::path parent = target_.parent_path();
  if (!fs::is_directory(parent, error))
    throw OutputError("there is no folder to put it in", shown_.string(),
                      "create " + parent.string() + " first");
  sweep_leftovers(parent);
  do {
    if (descriptor_ >= 0) close(descriptor_);
    if (!temporary_.empty()) forget_temporary(temporary_);
    temporary_ = parent / unfinished_name();
    note_temporary(temporary_);  // noted first: after mkdir there may be no memory to do so
    if (mkdir(temporary_.c_str(), folder_mode(access)) != 0) {
      const int problem = errno;
      forget_temporary(temporary_);
      fail_output("the folder cannot be created", shown_, problem);
    }
    descriptor_ = open_folder(temporary_);
    if (const int problem = errno; descriptor_ < 0 && problem != ENOENT) {
      rmdir(temporary_.c_str());
      forget_temporary(temporary_);
      fail_output("the folder cannot be created", shown_, problem);
    }
  } while (descriptor_ < 0 || !claim(descriptor_));
}

AtomicFolder::~AtomicFolder() {
  if (!temporary_.empty()) {
    remove_tree(temporary_);
    forget_temporary(temporary_);
  }
  if (descriptor_ >= 0) close(descriptor_);
}

void AtomicFolder::write_file(const std::string& name, std::span<const std::byte> bytes) {
  if (const int error = write_new_file(temporary_ / name, bytes, access_))
    fail_output("cannot be written", shown_ / name, error);
}

void AtomicFolder::commit() {
  // Nothing after the renaming may allocate: std::bad_alloc would report a failure although the new
  // folder is in place.
  const fs::path noted = temporary_, parent = target_.parent_path();
  sync_folder(temporary_);
  if (rename(temporary_.c_str(), target_.c_str()) == 0) {  // there was no folder, or an empty one
    temporary_.clear();
  } else if (errno != ENOTEMPTY && errno != EEXIST) {
    fail_output("the folder cannot be put in place", shown_, errno);
  } else if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) !=
             0) {
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
      fail_output("the folder that is there cannot be replaced", shown_, errno);
    replace_in_two_steps();
  }
  sync_folder(parent);
  if (!temporary_.empty()) remove_tree(temporary_);  // this is now the old folder
  temporary_.clear();
  forget_temporary(noted);
}

/// For file systems that cannot exchange two names: renames the old folder to a hidden name, which
/// becomes temporary_, and the new folder to the target.
void AtomicFolder::replace_in_two_steps() {
  fs::path aside = set_aside_name(target_);
  const int old = open_folder(target_);
  // The lock keeps other writers from removing or renaming the old folder between the two steps.
  if (old >= 0) claim(old);
  int error = rename(target_.c_str(), aside.c_str()) == 0 ? 0 : errno;
  if (error == 0 && rename(temporary_.c_str(), target_.c_str()) != 0) {
    error = errno;
    rename(aside.c_str(), target_.c_str());
  }
  if (old >= 0) close(old);
  if (error != 0) fail_output("the folder that is there cannot be replaced", shown_, error);
  temporary_ = std::move(aside);
}

}  // namespace gantry
