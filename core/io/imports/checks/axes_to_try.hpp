#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <span>
#include <string>

namespace gantry {

/// Orders of the axes of an array, as --axes states them, that are as possible as the one which was
/// concluded; empty: there are none.
struct OtherAxes {
  std::string exchanged;  ///< rows and columns change places, the views stay
  std::string reversed;   ///< the columns first, the views last
};

/// Returns which other order of an array's axes a user may state whose data tell no axis of
/// rotation as they were taken, "; give --axes ..."; an empty text: none. Rows and columns are said
/// to be exchanged only where the data tell an axis so, by views or rays from opposite sides.
/// `line_integrals`: [view][row][column] of the scan on the `circle`; `lacks_flat`: cells that
/// differ may pretend an axis, so that they are not asked.
std::string axes_to_try(const OtherAxes& other, const ScanSpec& circle,
                        std::span<const float> line_integrals, bool lacks_flat);

}  // namespace gantry
