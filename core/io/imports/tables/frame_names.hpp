#pragma once

#include "core/io/imports/tables/angle_table.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A column of a table that says to which frame each line belongs.
struct NamesOfFrames {
  std::size_t column = 0;
  std::vector<std::string> words;  ///< of each line
  /// The frame of each line, -1: of none.
  std::vector<int> frames;
};

/// Returns the column that holds the names of the frames' files, with or without extension or
/// folder; nothing where none does. Numbers count as names where the line before the numbers calls
/// another column the angle, or zeros lead them, and all frames are among them.
std::optional<NamesOfFrames> names_of_frames(const AngleTable& table,
                                             const std::vector<std::string>& files);

/// Returns a column of names of files; nothing without one.
std::optional<std::size_t> column_of_file_names(const AngleTable& table);

}  // namespace gantry
