#pragma once

#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/imports/names/file_groups.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// Counts the frames of files, where these are few: each must be opened, and a long series has one
/// in each.
class CountedFiles {
 public:
  explicit CountedFiles(const FrameCounter& counter) : counter_(counter) {}

  bool can_count() const { return static_cast<bool>(counter_.count); }
  std::size_t of(const std::vector<std::string>& paths) const;
  /// Returns the columns and rows of the frames of files; 0 and 0 where these are not known.
  std::pair<int, int> cells_of(const std::vector<std::string>& paths) const;

 private:
  const FrameCounter& counter_;
  mutable std::map<std::string, int> known_;
};

/// The group of files that are the projections of a folder.
struct ProjectionSeries {
  std::vector<std::string> paths;
  std::size_t frames = 0;
  std::string why;             ///< as in FrameFiles; empty: by their names
  bool is_the_longest = true;  ///< of several, nothing but its length tells it
};

/// Returns which of the groups of images of a `folder` are the projections. Names that say so win
/// (called_image()); those of volumes and other results lose against all that are a series.
/// Then the frames of a group that have the cells of the flats or are as many as a list of angles
/// count, then their number, then names that are not also those of flats. `files` has the flats,
/// the darks and the texts of the folder.
ProjectionSeries choose_projections(const Groups& groups, const FrameFiles& files,
                                    const std::string& folder, const CountedFiles& count);

}  // namespace gantry
