#pragma once

#include "core/operator/slice_stack.hpp"

#include <memory>

namespace gantry {

/// Makes the 2D distance-driven pair on a CUDA device, for scans with is_planar or is_stack. Throws
/// UsageError for lines of more than 2^20 pixels or cells.
std::unique_ptr<Projector> make_cuda_dd_2d(Backend& backend,
                                           std::shared_ptr<const ScanGeometry> geometry,
                                           const VolumeGrid& grid);

}  // namespace gantry
