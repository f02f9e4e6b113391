#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation of a parallel beam over half a turn whose end is not measured: what
/// follows after the last view is the mirror image of the first one. The views of 2.5 degrees at
/// each end (three at least) are continued by a straight line for each cell to the middle between
/// both ends, where one side must be the mirror image of the other. Both sides are continued alike,
/// so that the curvature of what is seen does not displace the axis. The order of the views does
/// not matter, and the stated central column is not used.
///
/// `line_integrals`: [view][row][column]. CentreEstimate::mismatch is the squared difference of
/// both sides relative to their squared values, and spread is that of the even and the odd columns.
/// Returns nothing for other scans, for fewer than 16 views or columns, and where no column stands
/// out (a mismatch above 0.5, or above half of that of the usual column, or parts that differ by
/// more than a column). Throws ShapeError if the line integrals are not those of the geometry.
std::optional<CentreEstimate> centre_from_half_turn_ends(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals);

}  // namespace gantry
