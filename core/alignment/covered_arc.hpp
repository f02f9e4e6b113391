#pragma once

#include <optional>
#include <span>

namespace gantry {

/// The angle that a scan covers.
struct CoveredArc {
  double arc_deg = 180;  ///< 180 or 360
  bool is_open = false;  ///< the last view lies a step before the end of the arc
  /// The data clearly tell `is_open`; else it is only the likelier of both values.
  bool is_end_told = true;
};

/// The arc at each end of a half turn whose views covered_arc() compares; it also compares the
/// first view with the last one.
inline constexpr double arc_compared_at_ends_deg = 8;

/// Finds from the data of a parallel beam, whose views are at multiples of a step, what arc the
/// views cover. After half a turn the last view is the mirror image of the first one, after a whole
/// turn it equals the first one, up to a step. Because views may be displaced against each other,
/// their squared difference after the best displacement is compared.
///
/// Views near both ends tell whether the end itself is measured (arc_end); of steps above 12
/// degrees this is only a guess.
///
/// `line_integrals`: [view][row][column]; `places`: of each view, in steps, rising. Returns nothing
/// for fewer than 16 views, where the first and the last view differ by more than three times the
/// difference of neighbouring views, and where the views are symmetric, as those of a single rod.
std::optional<CoveredArc> covered_arc(std::span<const int> places, int rows, int columns,
                                      std::span<const float> line_integrals);

}  // namespace gantry
