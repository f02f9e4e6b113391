#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <span>
#include <vector>

namespace gantry {

/// Views of a scan on a circle, and what was measured in them, [view][row][column].
struct StillViews {
  ScanSpec scan;
  std::vector<float> line_integrals;
};

/// Returns the middle rows of the views about as they would be had the object only turned: shifted
/// back by what its moves displace its shadow at the axis, with linear interpolation, so that the
/// axis of rotation can be found from them. `moves_mm` as with_moved_object() takes them. Rows are
/// not shifted where the object rises by more than half of them. Throws ShapeError if the sizes do
/// not fit.
StillViews still_views(const ScanSpec& circle, std::span<const float> line_integrals,
                       std::span<const Vec3> moves_mm);

/// Returns whether neighbouring views, shifted back, fit each other clearly better with a component
/// of the moves the other way. Steady moves, and those of a fraction of a cell, tell nothing.
bool fits_better_reversed(const ScanSpec& circle, std::span<const float> line_integrals,
                          std::span<const Vec3> moves_mm, double Vec3::*component);

}  // namespace gantry
