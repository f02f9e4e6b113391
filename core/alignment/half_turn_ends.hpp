#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation of a parallel beam over half a turn whose end is not measured: the
/// view that would follow the last one is the mirror image of the first one. The views within 2.5
/// degrees of each end (at least three) are extrapolated, by a straight line for each cell, to the
/// middle of the gap between both ends, where one side must be the mirror image of the other. Both
/// sides are extrapolated by the same angle, so that the curvature of a cell's values over the
/// angle does not displace the axis. The order of the views does not matter, and the stated central
/// column is not used.
///
/// `compared`: changes compares the difference of both sides with its mirror image of the opposite
/// sign, see centre_from_opposite_changes().
/// `line_integrals`: [view][row][column]. CentreEstimate::mismatch is the squared difference of
/// both sides relative to their squared values, and spread is that of the even and the odd columns.
/// Returns nothing for other scans, for fewer than 16 views or columns, and where no column stands
/// out (a mismatch above 0.5, or above half of the median over all columns, or even and odd columns
/// that differ by more than a column). Throws ShapeError if the line integrals are not those of the
/// geometry.
std::optional<CentreEstimate> centre_from_half_turn_ends(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals,
                                                         Compared compared = Compared::values);

}  // namespace gantry
