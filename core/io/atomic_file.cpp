#include "core/io/atomic_file.hpp"

#include "core/base/error.hpp"
#include "core/io/temporary_files.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

const char* remedy_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder you may write to";
    case ENOENT:
    case ENOTDIR:
      return "create the folder first";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return "choose another place";
  }
}

/// A name in the same folder, so that the rename stays on one file system; unique in this process
/// and, by O_EXCL, on the machine.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> serial{0};
  std::string name = ".";
  name.append(target.filename().string()).append(".tmp-").append(std::to_string(getpid()));
  name.append("-").append(std::to_string(serial.fetch_add(1)));
  return target.parent_path() / name;
}

/// The rename itself lives in the folder: it has to reach the disk too. Some file systems cannot
/// sync a folder; the file is then in place all the same.
void sync_folder(const fs::path& folder) {
  const int descriptor =
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target, FileAccess access) : target_(target) {
  if (target.filename().empty())
    throw OutputError("no file name is given", target.string(), "add a name");
  std::error_code error;
  // A link keeps pointing where it did; its destination is what is replaced.
  if (fs::is_symlink(target_, error)) {
    const fs::path resolved = fs::weakly_canonical(target_, error);
    if (!error) target_ = resolved;
  }
  const fs::file_status status = fs::status(target_, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw OutputError("is not a regular file", target.string(), "choose another name");
  temporary_ = temporary_name(target_);
  note_temporary(temporary_);
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                     access == FileAccess::owner ? 0600 : 0666);
  if (descriptor_ < 0) fail("cannot be created", errno);
  struct stat old = {};
  if (stat(target_.c_str(), &old) == 0 && fchmod(descriptor_, old.st_mode & 0777) != 0)
    fail("cannot be created", errno);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::span<const std::byte> bytes) {
  constexpr std::size_t largest = std::size_t{1} << 30;  // one call cannot pass 2 GiB
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), largest));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP)
    fail("cannot be written", errno);
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0) fail("cannot be written", errno);
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced", errno);
  forget_temporary(temporary_);
  temporary_.clear();
  sync_folder(target_.parent_path());
}

void AtomicFile::fail(const char* action, int error_number) {
  discard();
  const std::string why = std::generic_category().message(error_number);
  throw OutputError(std::string(action) + " (" + why + ")", target_.string(),
                    remedy_for(error_number));
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  forget_temporary(temporary_);
  temporary_.clear();
}

void write_file_atomically(const fs::path& target, std::span<const std::byte> bytes) {
  AtomicFile file(target);
  file.write(bytes);
  file.commit();
}

}  // namespace gantry
