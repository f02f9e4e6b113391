#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// The voxel-driven projector on a CUDA device: forward as Siddon's, backward as make_voxel_driven.
/// Throws UsageError for free poses.
std::unique_ptr<Projector> make_cuda_voxel_driven(Backend& backend,
                                                  std::shared_ptr<const ScanGeometry> geometry,
                                                  const VolumeGrid& grid, const Params& params);

}  // namespace gantry
