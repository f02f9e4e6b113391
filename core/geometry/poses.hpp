#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <string>

namespace gantry {

// What ScanGeometry asks about scans whose views stand anywhere (Trajectory::poses).

/// Throws InputError naming the pose: numbers that are none, steps that vanish or are parallel, a
/// source in the plane of the detector; beams and detectors that have no poses.
void validate_poses(const ScanSpec& spec, const std::string& where);

/// Fills in what displays and default grids ask for. Angles: of the direction from detector to
/// source seen along z, each at most half a turn from the one before. Pitches: means of the steps.
/// Distances: means from the source to the axis and to the detector (none in a parallel beam).
void derive_from_poses(ScanSpec& spec);

/// The largest disc about the axis, at the height that each view aims at, whose points lie between
/// the planes of the detector's two edges in every view. On a circle, SID sin(fan angle).
double poses_field_of_view_radius_mm(const ScanGeometry& geometry);

/// Where the planes of the other two edges cut the axis, over all views.
AxialRange poses_axial_range_mm(const ScanGeometry& geometry);

}  // namespace gantry
