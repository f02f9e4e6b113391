#pragma once

#include "core/geometry/symmetry.hpp"
#include "core/operator/projector.hpp"

#include <cstddef>
#include <vector>

namespace gantry {

/// A nonzero in a matrix column of A: a ray that meets the voxel, and its weight.
struct RayWeight {
  RayIndex ray;
  double weight = 0;
};

/// Returns the matrix column of a voxel: the rays that meet the voxel, ordered by view, detector
/// row and detector column. Only the weights of rays that pass within one voxel of it are computed.
/// Throws UsageError when the projector gives no single weights, and Interrupted.
std::vector<RayWeight> voxel_column(const Projector& weights, VoxelIndex voxel,
                                    const Interrupt* interrupt = nullptr);

}  // namespace gantry
