#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Makes the area-integral pair on a CUDA device, with the same matrix as make_area_integral. Both
/// products gather, so results are the same in every run. Throws UsageError for cone beams and free
/// poses.
std::unique_ptr<Projector> make_cuda_area_integral(Backend& backend,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory cuda_area_integral_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                        int multiprocessors);

}  // namespace gantry
