#pragma once

#include "core/data/volume.hpp"

#include <span>
#include <vector>

namespace gantry {

/// Trilinear values of a volume [iz][iy][ix] at the voxel centres of another grid; zero outside the
/// volume's box. A volume of one slice counts for every height.
std::vector<float> resample_volume(const VolumeGrid& from, std::span<const float> values,
                                   const VolumeGrid& to);

}  // namespace gantry
