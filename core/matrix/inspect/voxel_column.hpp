#pragma once

#include "core/geometry/symmetry.hpp"
#include "core/operator/projector.hpp"

#include <cstddef>
#include <vector>

namespace gantry {

/// An element of a column of A: the ray meets the voxel by `weight`.
struct RayWeight {
  RayIndex ray;
  double weight = 0;
};

/// Column `voxel` of A: the rays of all views that meet the voxel, view after view, the rows of the
/// detector in order, and along them its columns. Only rays that pass within one voxel of it are
/// looked at. Throws UsageError when the projector gives no single weights, and Interrupted.
std::vector<RayWeight> voxel_column(const Projector& weights, VoxelIndex voxel,
                                    const Interrupt* interrupt = nullptr);

}  // namespace gantry
