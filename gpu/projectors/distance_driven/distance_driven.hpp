#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// The distance-driven pair on a CUDA device; the same matrix as make_distance_driven. Throws
/// UsageError for free poses.
std::unique_ptr<Projector> make_cuda_distance_driven(Backend& backend,
                                                     std::shared_ptr<const ScanGeometry> geometry,
                                                     const VolumeGrid& grid, const Params& params);

}  // namespace gantry
