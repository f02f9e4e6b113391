#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

/// A file as it was at a time: its size, and which one it is by device, number and last change.
struct FileStamp {
  std::string path;
  std::uint64_t size = 0, device = 0, number = 0;
  std::int64_t seconds = 0, nanoseconds = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Returns the stamps of the files from which reading a scan can take values: of all files in a
/// folder and its folders; of a file, those of the folder that it lies in; and of `more` files, of
/// which empty names are left out. Nothing where a file cannot be looked at, or where there are
/// more than 20 000 files. Data in other folders, which a file may name, are not followed.
std::vector<FileStamp> stamps_beside(const std::string& path, const std::vector<std::string>& more);
/// Returns the stamps of these files alone; nothing where one cannot be looked at.
std::vector<FileStamp> stamps_of(const std::vector<std::string>& paths);

}  // namespace gantry
