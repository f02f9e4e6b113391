#pragma once

#include "core/data/volume.hpp"

#include <array>
#include <span>
#include <vector>

namespace gantry {

/// Slices at any heights, each shifted within its plane, and the even, upright grid onto which they
/// are interpolated.
struct UprightSlices {
  int columns = 0, rows = 0;                    ///< of a slice
  std::vector<double> height_mm;                ///< of each slice above the first, ascending
  std::vector<std::array<double, 2>> shift_px;  ///< x, y of its first pixel on the grid, >= 0
  VolumeGrid grid;                              ///< its first slice is at height 0
};

/// Returns the values on the grid, [iz][iy][ix], interpolated linearly between pixels and between
/// slices. `slices` is [slice][row][column]. Beyond its borders, a slice has the value `outside`.
std::vector<float> resample_upright(const UprightSlices& from, std::span<const float> slices,
                                    float outside);

}  // namespace gantry
