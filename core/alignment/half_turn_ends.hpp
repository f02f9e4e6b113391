#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation of a parallel beam over half a turn whose end is not measured: the
/// view that would follow the last one is the mirror image of the first one. The values of a cell
/// over the angle, mirrored behind the end, are a smooth function there; about a wrong axis they
/// jump. The views within 2.5 degrees of each end (at least three) are fitted by a polynomial of
/// third degree and a jump in the middle of the gap, and the axis is that of the least squared jump
/// of all cells. (Straight lines that continue each end by itself displace the axis where the
/// object lies beside it: what moves over a cell within a few views is not straight.) The jumps are
/// smoothed across the columns, by more the farther the object moves between the fitted views. The
/// order of the views does not matter, and the stated central column is not used.
///
/// `compared`: changes compares the difference of both sides with its mirror image of the opposite
/// sign, see centre_from_opposite_changes().
/// `line_integrals`: [view][row][column]. CentreEstimate::mismatch is the squared difference of
/// both sides relative to their squared values. Its spread is that of the even and the odd columns
/// or, if that is more, what one more view at each end changes: that shows where steps are too
/// coarse for an object that reaches far beyond the detector. Returns nothing for other scans, for
/// fewer than 16 views or columns, and where no column stands out (a mismatch above 0.5, or above
/// half of the median over all columns, even and odd columns that differ by more than a column, or
/// two columns by one more view or twice the smoothing). Throws ShapeError if the line integrals
/// are not those of the geometry.
std::optional<CentreEstimate> centre_from_half_turn_ends(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals,
                                                         Compared compared = Compared::values);

}  // namespace gantry
