#pragma once

#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// The separable-footprint pair for several rows or slices; see make_separable_footprint.
std::unique_ptr<Projector> make_separable_footprint_3d(Backend& backend,
                                                       std::shared_ptr<const ScanGeometry> geometry,
                                                       const VolumeGrid& grid);

}  // namespace gantry
