#pragma once

#include "core/operator/projector.hpp"
#include "gpu/projectors/siddon_joseph/ray_weighting.hpp"

#include <memory>

namespace gantry {

/// Siddon's or Joseph's pair on a CUDA device, for any scan: column by column where detector
/// columns stand upright, else ray by ray. `rows` gives the same weights in float64. The transpose
/// gathers, voxel by voxel, and is the same from run to run; ray by ray it scatters, and differs in
/// its last digits.
std::unique_ptr<Projector> make_cuda_ray_projector(Backend& backend,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid,
                                                   device::RayWeighting weights,
                                                   std::unique_ptr<RowSource> rows);

}  // namespace gantry
