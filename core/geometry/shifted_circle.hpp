#pragma once

#include "core/geometry/detector_move.hpp"

#include <optional>
#include <vector>

namespace gantry {

/// Free poses that are a circle whose detector or object was moved from view to view.
struct ShiftedCircle {
  ScanSpec circle;  ///< sees the isocentre at its mean place, from the mean distances
  /// How far the detector of each view lies from that of the circle, as the isocentre is seen;
  /// where the object was moved, the shift that displaces what lies at the axis as far.
  std::vector<CellShift> shifts;
};

/// Returns the circle; nothing unless all detectors stand at right angles to the plane of rotation
/// and to the direction from their source to the axis, at the same distance from the source, and
/// each source lies within a fiftieth of its distance to the axis from the circle. Directions and
/// lengths are compared to a millionth. Where rows run downwards or columns to the left, in all
/// views, the circle is that of the mirrored scan, which has the same data and its axis at the same
/// column.
std::optional<ShiftedCircle> shifted_circle(const ScanSpec& poses);

}  // namespace gantry
