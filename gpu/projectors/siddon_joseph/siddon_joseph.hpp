#pragma once

#include "core/operator/projector.hpp"
#include "gpu/projectors/siddon_joseph/ray_weighting.hpp"

#include <memory>

namespace gantry {

/// Makes Siddon's or Joseph's pair on a CUDA device, for any scan: with interval kernels where
/// detector columns are parallel to z, otherwise with a thread per ray. `rows` returns single
/// matrix rows in float64. With interval kernels the transpose gathers, and its results are the
/// same in every run; with a thread per ray it scatters, and its results differ in the last digits
/// between runs.
std::unique_ptr<Projector> make_cuda_ray_projector(Backend& backend,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid,
                                                   device::RayWeighting weights,
                                                   std::unique_ptr<RowSource> rows);

/// Returns the memory of that projector's products.
ProductMemory ray_projector_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                   device::RayWeighting weights);

}  // namespace gantry
