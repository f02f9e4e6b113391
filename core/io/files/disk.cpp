#include "core/io/files/disk.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/magic.h>
#include <memory>
#include <string_view>
#include <sys/vfs.h>
#include <system_error>
#include <unistd.h>

namespace gantry {

namespace {

const char* remedy_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another folder";
    case EFBIG:
      return "allow larger files (ulimit -f) or choose another file system";
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
      return "choose another folder";
  }
}

}  // namespace

void fail_output(const std::string& action, const std::filesystem::path& where, int error_number) {
  throw OutputError(action + " (" + std::generic_category().message(error_number) + ")",
                    where.string(), remedy_for(error_number));
}

int write_all(int descriptor, std::span<const std::byte> bytes) {
  // A single write() transfers less than 2 GiB.
  constexpr std::size_t largest = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), largest));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

int sync_file(int descriptor) {
  return fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor =
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

std::size_t size_of_file(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<std::size_t>(bytes);
}

bool is_of_kernel(const std::filesystem::path& path) {
  struct statfs found {};
  if (statfs(path.c_str(), &found) != 0) return false;
  constexpr std::array<unsigned long, 7> kinds = {
      PROC_SUPER_MAGIC, SYSFS_MAGIC,         DEBUGFS_MAGIC,     TRACEFS_MAGIC,
      SECURITYFS_MAGIC, CGROUP2_SUPER_MAGIC, DEVPTS_SUPER_MAGIC};
  return std::ranges::find(kinds, static_cast<unsigned long>(found.f_type)) != kinds.end();
}

void remove_tree(const std::filesystem::path& path) noexcept {
  constexpr int open_folders = 16;
  const auto remove_one = [](const char* name, const struct stat*, int, FTW*) {
    ::remove(name);
    return 0;
  };
  nftw(path.c_str(), remove_one, open_folders, FTW_DEPTH | FTW_PHYS);
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  const auto fail = [&](int error_number) {
    throw std::filesystem::filesystem_error("the folder cannot be read", folder,
                                            {error_number, std::generic_category()});
  };
  struct Closer {
    void operator()(DIR* open) const { closedir(open); }
  };
  const std::unique_ptr<DIR, Closer> open(opendir(folder.empty() ? "." : folder.c_str()));
  if (open == nullptr) fail(errno);
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(open.get());
    if (entry == nullptr && errno != 0) fail(errno);
    if (entry == nullptr) return names;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
}

}  // namespace gantry
