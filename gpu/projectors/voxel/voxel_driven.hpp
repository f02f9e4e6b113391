#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Makes the voxel-driven projector on a CUDA device: the forward product is Siddon's, the
/// backprojection that of make_voxel_driven. Throws UsageError for free poses.
std::unique_ptr<Projector> make_cuda_voxel_driven(Backend& backend,
                                                  std::shared_ptr<const ScanGeometry> geometry,
                                                  const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory cuda_voxel_driven_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                       int multiprocessors);

}  // namespace gantry
