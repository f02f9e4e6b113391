#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <span>

namespace gantry {

/// How the axis of rotation leans. On a circle the axis is at right angles to the rows of the
/// detector; the two angles turn it away from that direction.
struct AxisLean {
  double tilt_rad = 0;  ///< its upper end away from the source, in the plane of axis and beam
  double roll_rad = 0;  ///< its upper end along the columns, in the plane of the detector

  friend bool operator==(const AxisLean&, const AxisLean&) = default;
};

/// Returns a scan on a circle as it is about an axis that leans, as free poses: axis and isocentre
/// stay, so that source and detector lean instead. First it rolls, then it tilts.
ScanSpec with_leaning_axis(const ScanSpec& circle, const AxisLean& lean);

/// Returns a scan with source and detector of each view where they stand as seen from an object
/// that was moved. `moves_mm` has a move for each view, in the directions of that view, which are
/// those of the room: x along the columns, y along the beam, z along the axis of rotation. A cone
/// beam whose object only rises evenly with the angle is a helix, else there are free poses; a fan
/// becomes a cone.
ScanSpec with_moved_object(const ScanSpec& scan, std::span<const Vec3> moves_mm);

}  // namespace gantry
