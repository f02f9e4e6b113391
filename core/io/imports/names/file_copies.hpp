#pragma once

#include <set>
#include <string>
#include <vector>

namespace gantry {

/// Files that are copies of others by their names, as file managers and browsers make them:
/// "a (1).tif", "a - Copy.tif", "Copy of a.tif".
struct FileCopies {
  std::set<std::string> paths;
  std::string note;  ///< names the first pair; empty without copies
};

/// Returns which of some files are copies of files that were taken, or the other way round. None
/// where the first or the last pair holds different bytes.
FileCopies copies_among(const std::vector<std::string>& files, const std::set<std::string>& taken);

}  // namespace gantry
