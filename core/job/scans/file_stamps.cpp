#include "core/job/scans/file_stamps.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_files = 20000;
constexpr int deepest = 2;  // folders within folders

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat state {};
  if (::stat(path.c_str(), &state) != 0) return std::nullopt;
  return FileStamp{path,
                   static_cast<std::uint64_t>(state.st_size),
                   static_cast<std::uint64_t>(state.st_dev),
                   static_cast<std::uint64_t>(state.st_ino),
                   state.st_ctim.tv_sec,
                   state.st_ctim.tv_nsec};
}

/// Adds the files of a folder and its folders; false if they cannot be listed, or are too many.
bool add_files_of(const fs::path& folder, std::vector<std::string>& paths) {
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at.depth() >= deepest) at.disable_recursion_pending();
    if (!at->is_directory(error)) paths.push_back(at->path().string());
    if (error || paths.size() > most_files) return false;
  }
  return !error;
}

}  // namespace

std::vector<FileStamp> stamps_of(const std::vector<std::string>& paths) {
  std::vector<FileStamp> stamps;
  for (const std::string& path : paths) {
    const auto stamp = stamp_of(path);
    if (!stamp) return {};
    stamps.push_back(*stamp);
  }
  return stamps;
}

std::vector<FileStamp> stamps_beside(const std::string& path,
                                     const std::vector<std::string>& more) {
  std::error_code error;
  const fs::path folder =
      fs::is_directory(path, error) ? fs::path(path) : fs::absolute(path).parent_path();
  std::vector<std::string> paths;
  if (!add_files_of(folder, paths)) return {};
  for (const std::string& name : more)
    if (!name.empty()) paths.push_back(name);
  std::ranges::sort(paths);
  return stamps_of(paths);
}

}  // namespace gantry
