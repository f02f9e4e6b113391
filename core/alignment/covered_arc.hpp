#pragma once

#include <optional>
#include <span>

namespace gantry {

/// The angle that a scan covers.
struct CoveredArc {
  double arc_deg = 180;  ///< 180 or 360
  bool is_open = false;  ///< the last view lies a step before the end of the arc
  /// The data clearly tell whether it does; else `is_open` is only the likelier of both.
  bool is_end_told = true;
};

/// Part of a half turn at each end of a scan whose views covered_arc() looks at, beside the two
/// outermost ones.
inline constexpr double arc_compared_at_ends_deg = 8;

/// Concludes from the data of a parallel beam, whose views are at multiples of a step, what arc
/// they cover. After half a turn the last view is the mirror image of the first one, after a whole
/// turn it is the same, up to a step. Views may be displaced against each other: what is compared
/// is their form, the squared difference after the best displacement.
///
/// Whether the end itself is measured is told by views near both ends: how far two of them differ
/// grows with the square of how far they lie apart, across the end as within the scan. Fits that
/// take the last view for the end, and for a step before it, are compared.
///
/// `line_integrals`: [view][row][column]; `places`: of each view, in steps, rising. Returns nothing
/// for fewer than 16 views, where the first and the last view differ by more than three times what
/// neighbouring views do, and where the views are symmetric, as those of a single rod are.
std::optional<CoveredArc> covered_arc(std::span<const int> places, int rows, int columns,
                                      std::span<const float> line_integrals);

}  // namespace gantry
