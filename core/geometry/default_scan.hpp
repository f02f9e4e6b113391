#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

namespace gantry {

/// A scan that suits a round object of this radius and height: the ready experiment's fan, scaled.
ScanSpec default_scan(double radius_mm, double height_mm, int columns = 512);

/// A square grid over the field of view of a scan, with as many pixels a side as there are columns
/// (1024 at most), and as many slices of a row's height as the views see at the axis.
VolumeGrid default_grid(const ScanGeometry& geometry);

}  // namespace gantry
