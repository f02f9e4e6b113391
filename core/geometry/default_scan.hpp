#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

namespace gantry {

/// Returns a scan for a round object of this radius and height, mm: the fan beam of the ready
/// experiment, scaled to the radius, or a cone beam with the same distances if height_mm > 0.
ScanSpec default_scan(double radius_mm, double height_mm, int columns = 512);

/// Returns a square grid over the field of view of a scan. The grid has as many pixels a side as
/// the detector has columns, or as many as the field of view is cells wide if these are more (16 to
/// 1024). Its slices are as thick as a detector row is high at the axis, and they cover the part of
/// the axis that the views see.
VolumeGrid default_grid(const ScanGeometry& geometry);

/// Returns the scan with a detector that is continued on its shorter side: its field of view holds
/// all that the longer side sees during a turn. The stated axis counts as one on the detector.
ScanSpec with_both_sides(ScanSpec scan);

}  // namespace gantry
