#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Paths of files by what these have in common: "scan/raw_#.tif".
using Groups = std::map<std::string, std::vector<std::string>>;

/// Groups files whose names differ in their last number alone; `point`: in a decimal one with this
/// character. A file that begins a series (file_before()) is of its group.
Groups grouped(const std::vector<std::filesystem::path>& paths, std::optional<char> point);

/// Returns the group of most files, the first of those that are as large.
Groups::const_iterator largest_of(const Groups& groups);

/// Returns "p_1.tif to p_12.tif, 12 files"; of two folders "flats/1.tif to flats2/5.tif, 10 files".
std::string names_of(const std::vector<std::string>& paths);

/// Returns the file that comes before a series of files of many pages, as programs of cameras write
/// them: scan.tif before scan@0001.tif, stack.ome.tif before stack_1.ome.tif; nothing of others.
std::optional<std::string> file_before(const std::filesystem::path& numbered_file);

}  // namespace gantry
