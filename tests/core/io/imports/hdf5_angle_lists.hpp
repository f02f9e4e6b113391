#pragma once

#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/hdf5_folder.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gantry::test {

/// Nine angles in even steps, the last of which is `end`.
inline std::vector<double> nine_to(double end) {
  std::vector<double> angles;
  for (int i = 0; i < 9; ++i) angles.push_back(end * i / 8);
  return angles;
}

/// A folder for files of nine projections and lists that may be their angles.
class Hdf5AngleLists : protected Hdf5Folder {
 protected:
  /// Writes nine projections and a flat, and lists by their paths.
  void write_plain(const std::vector<std::pair<std::string, std::vector<double>>>& lists,
                   const std::string& units = {}) const {
    const Hdf5Writer file(path("a.h5"));
    file.add("/scan/data", size_of(9), joined_frames(projections(9)));
    file.add("/scan/flats", size_of(1), CountedFrames::flat_frame(0));
    for (const auto& [list, values] : lists) file.add(list.c_str(), {values.size()}, values, units);
  }
};

}  // namespace gantry::test
