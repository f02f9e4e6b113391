#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <string>

namespace gantry {

// Parts of ScanGeometry for scans with free poses (Trajectory::poses).

/// Throws InputError, naming the pose, if a number is not finite or beyond 1e9 mm, if u_mm or v_mm
/// vanish or are parallel, or if the source lies in the plane of the detector; also for a fan beam,
/// an arc detector and an empty list of poses.
void validate_poses(const ScanSpec& spec, const std::string& where);

/// Derives from the poses the fields of `spec` that displays and default grids use. Angles: the
/// direction from detector to source seen along z, each within 180 degrees of its predecessor.
/// Pitches: the mean lengths of u_mm and v_mm. SID and SDD: the mean distances from the source to
/// the axis and to the detector (0 for a parallel beam). The helical feed becomes 0.
void derive_from_poses(ScanSpec& spec);

/// Returns the radius, mm, of the largest disc about the axis that lies, in every view, inside the
/// plane through the source and a lateral edge of the detector: inside those of both edges, after a
/// full turn inside that of the farther edge. The disc is taken at the height where the ray through
/// the detector's middle comes nearest to the axis. On a circle this is SID sin(fan angle).
double poses_field_of_view_radius_mm(const ScanGeometry& geometry);

/// Returns the heights, mm, between which the planes through the other two edges cut the axis, over
/// all views; where no view's planes do, the height of the detector rows at the axis, centred on z
/// = 0.
AxialRange poses_axial_range_mm(const ScanGeometry& geometry);

}  // namespace gantry
