#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/common/seen_columns.hpp"

namespace gantry {

/// How a view of a turning scan sees the pixels of a grid, and its detector.
device::SeenFrom seen_from(const ScanGeometry& geometry, const VolumeGrid& grid, int view);
device::SeenBy seen_by(const ScanGeometry& geometry);

}  // namespace gantry
