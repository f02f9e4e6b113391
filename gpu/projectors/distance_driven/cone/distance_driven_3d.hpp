#pragma once

#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// The 3D distance-driven pair on a CUDA device, for any scan that turns about the axis.
std::unique_ptr<Projector> make_cuda_dd_3d(Backend& backend,
                                           std::shared_ptr<const ScanGeometry> geometry,
                                           const VolumeGrid& grid);

}  // namespace gantry
