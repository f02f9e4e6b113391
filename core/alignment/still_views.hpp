#pragma once

#include "core/geometry/detector_move.hpp"

#include <span>
#include <vector>

namespace gantry {

/// Views of a scan on a circle, and their line integrals, [view][row][column].
struct StillViews {
  ScanSpec scan;
  std::vector<float> line_integrals;
};

/// Returns moves of the object that displace what lies at the axis as shifts of the detector do.
std::vector<Vec3> moves_like(const ScanSpec& circle, std::span<const CellShift> shifts);

/// Returns the middle rows of the views (of a cone beam those about the plane of the source)
/// approximately as if the object had only turned, so that the
/// axis of rotation can be found from them: each view is shifted back by the displacement that the
/// object's move causes at the axis, with linear interpolation. `moves_mm` as with_moved_object()
/// takes them. Views are not shifted along the rotation axis where the object rises by more than
/// half of the rows. Throws ShapeError if the sizes do not fit.
StillViews still_views(const ScanSpec& circle, std::span<const float> line_integrals,
                       std::span<const Vec3> moves_mm);

/// Returns whether neighbouring views, shifted back, fit each other clearly better if a component
/// of the moves is reversed. Returns false for steady moves and for moves of a fraction of a cell,
/// from which the direction cannot be told.
bool fits_better_reversed(const ScanSpec& circle, std::span<const float> line_integrals,
                          std::span<const Vec3> moves_mm, double Vec3::*component);

}  // namespace gantry
