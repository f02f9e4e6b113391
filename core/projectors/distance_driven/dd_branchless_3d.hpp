#pragma once

#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Returns the projector of make_distance_driven_branchless for 3D.
std::unique_ptr<Projector> make_dd_branchless_3d(Backend& backend,
                                                 std::shared_ptr<const ScanGeometry> geometry,
                                                 const VolumeGrid& grid);

}  // namespace gantry
