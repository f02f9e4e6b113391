#pragma once

#include "core/data/volume.hpp"

#include <array>
#include <span>
#include <vector>

namespace gantry {

/// Slices at any heights, each shifted in its plane, and the even, upright grid that they go onto.
struct UprightSlices {
  int columns = 0, rows = 0;                    ///< of a slice
  std::vector<double> height_mm;                ///< above the first slice, ascending
  std::vector<std::array<double, 2>> shift_px;  ///< of a slice's first pixel on the grid, from 0
  VolumeGrid grid;                              ///< its first slice lies at height 0
};

/// Values on the grid, linear between pixels and between slices. `slices` are [slice][row][column];
/// what none of the two neighbours covers is `outside`.
std::vector<float> resample_upright(const UprightSlices& from, std::span<const float> slices,
                                    float outside);

}  // namespace gantry
