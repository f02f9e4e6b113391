#pragma once

#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Returns the projector of make_separable_footprint for 3D.
std::unique_ptr<Projector> make_separable_footprint_3d(Backend& backend,
                                                       std::shared_ptr<const ScanGeometry> geometry,
                                                       const VolumeGrid& grid);

/// The workspace_bytes() of that projector.
std::size_t sf_3d_bytes(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
