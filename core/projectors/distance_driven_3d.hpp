#pragma once

#include "core/projectors/projector.hpp"

#include <memory>

namespace gantry {

/// The distance-driven pair for several rows or slices; see make_distance_driven.
std::unique_ptr<Projector> make_distance_driven_3d(Backend& backend,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid);

}  // namespace gantry
