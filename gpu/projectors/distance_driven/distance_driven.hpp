#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Makes the distance-driven pair on a CUDA device; the matrix is that of make_distance_driven.
/// Throws UsageError for free poses.
std::unique_ptr<Projector> make_cuda_distance_driven(Backend& backend,
                                                     std::shared_ptr<const ScanGeometry> geometry,
                                                     const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory cuda_distance_driven_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                          int multiprocessors);

}  // namespace gantry
