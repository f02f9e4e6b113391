#include "core/io/atomic_folder.hpp"

#include "core/base/error.hpp"
#include "core/io/temporary_files.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace gantry {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& what, const fs::path& where, const std::error_code& why) {
  const bool full = why == std::errc::no_space_on_device || why == std::errc::file_too_large;
  throw OutputError(
      what + " (" + why.message() + ")", where.string(),
      full ? "free some space or choose another folder" : "choose a folder that you may write to");
}

std::error_code last_error() { return {errno, std::generic_category()}; }

/// On the same file system as the target, so that a rename is enough.
fs::path sibling(const fs::path& target, const std::string& purpose) {
  static std::atomic<unsigned> serial{0};
  std::string name = ".";
  name.append(target.filename().string()).append(".").append(purpose);
  name.append("-").append(std::to_string(getpid()));
  name.append("-").append(std::to_string(serial.fetch_add(1)));
  return target.parent_path() / name;
}

fs::path without_trailing_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

/// write() and close() until everything has reached the file.
std::error_code write_all(const fs::path& path, std::span<const std::byte> bytes,
                          FileAccess access) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                        access == FileAccess::owner ? 0600 : 0666);
  if (file < 0) return last_error();
  std::error_code error;
  while (!bytes.empty() && !error) {
    constexpr std::size_t largest = std::size_t{1} << 30;
    const ssize_t count = ::write(file, bytes.data(), std::min(bytes.size(), largest));
    if (count >= 0)
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      error = last_error();
  }
  if (!error && fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP) error = last_error();
  if (close(file) != 0 && !error) error = last_error();
  return error;
}

}  // namespace

AtomicFolder::AtomicFolder(const fs::path& target, FileAccess access)
    : shown_(target), access_(access) {
  std::error_code error;
  target_ = without_trailing_slash(fs::weakly_canonical(fs::absolute(target, error), error));
  if (error) fail("the folder cannot be reached", shown_, error);
  if (!target_.has_filename())
    throw OutputError("the root folder cannot be replaced", shown_.string(), "name a folder in it");
  if (!fs::is_directory(target_.parent_path(), error))
    throw OutputError("there is no folder to put it in", shown_.string(),
                      "create " + target_.parent_path().string() + " first");
  temporary_ = sibling(target_, "partial");
  if (!fs::create_directory(temporary_, error)) {
    temporary_.clear();
    fail("the folder cannot be created", shown_, error);
  }
  if (access == FileAccess::owner) fs::permissions(temporary_, fs::perms::owner_all, error);
  note_temporary(temporary_);
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  if (temporary_.empty()) return;
  fs::remove_all(temporary_, ignored);
  forget_temporary(temporary_);
}

void AtomicFolder::write_file(const std::string& name, std::span<const std::byte> bytes) {
  const std::error_code error = write_all(temporary_ / name, bytes, access_);
  if (error) fail("cannot be written", shown_ / name, error);
}

void AtomicFolder::commit() {
  std::error_code error, ignored;
  fs::path old;
  if (fs::exists(target_, ignored)) {
    old = sibling(target_, "old");
    fs::rename(target_, old, error);
    if (error) fail("the folder that is there cannot be replaced", shown_, error);
  }
  fs::rename(temporary_, target_, error);
  if (error) {
    if (!old.empty()) fs::rename(old, target_, ignored);
    fail("the folder cannot be put in place", shown_, error);
  }
  forget_temporary(temporary_);
  temporary_.clear();
  if (!old.empty()) fs::remove_all(old, ignored);
}

}  // namespace gantry
