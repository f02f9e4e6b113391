#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Makes the separable-footprint pair on a CUDA device, with the same matrix as
/// make_separable_footprint, in the plane and in space. Both products gather, so results are the
/// same in every run. Throws UsageError for free poses.
std::unique_ptr<Projector> make_cuda_separable_footprint(
    Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
    const Params& params);
/// Returns the memory of that projector's products.
ProductMemory cuda_separable_footprint_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                              int multiprocessors);

}  // namespace gantry
