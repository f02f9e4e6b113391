#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/common/seen_columns.hpp"

namespace gantry {

/// Return the projection of pixels to the detector of one view (seen_from), and the columns of the
/// detector (seen_by). The scan must rotate about the axis (no free poses).
device::SeenFrom seen_from(const ScanGeometry& geometry, const VolumeGrid& grid, int view);
device::SeenBy seen_by(const ScanGeometry& geometry);

}  // namespace gantry
