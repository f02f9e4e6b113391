#pragma once

#include "core/data/volume.hpp"

#include <span>
#include <vector>

namespace gantry {

/// Returns the values of a volume [iz][iy][ix] at the voxel centres of the grid `to` by trilinear
/// interpolation; 0 outside the faces of the volume. A volume of one slice is constant along z.
std::vector<float> resample_volume(const VolumeGrid& from, std::span<const float> values,
                                   const VolumeGrid& to);

}  // namespace gantry
