#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation of a fan or cone beam on a circle from what any two views have in
/// common. In a plane through two places of the source, the integral of the line integrals over
/// d psi / sin psi, with psi the angle between a ray and the line through both places, is that of
/// the object over its distance from that line, and hence the same for both (Lesaint, Rit,
/// Clackdoyle and Desbat, IEEE TRPMS 1 (2017) 517, after Clackdoyle and Desbat, Med. Phys. 42
/// (2015) 4194). Where the axis is assumed changes psi of a cell, but neither the places of the
/// source nor the planes. For each central column, the squared differences of such pairs of
/// integrals are taken relative to their squared values; searched is the column where they are
/// least, over the middle half of the detector, and refined to a fraction of a cell by parabolas.
/// Needs no views from both sides: a short scan does. The stated central column is not used.
///
/// `line_integrals`: [view][row][column]; taken are at most 360 views, means of cells to at most
/// 512 columns and 64 rows, and the planes whose rays lie on the detector from its first to its
/// last column. CentreEstimate::pairs is the number of pairs of views, mismatch the least value
/// relative to the median of the search, and spread the standard error from four groups of pairs.
/// Returns nothing for other scans, for fewer than 16 columns or views, for views at unequal steps
/// or over less than 90 degrees, for rows that an object leaves to the left or right (1 % of the
/// columns on each side must see air), for a cone beam without such planes, and where no column
/// stands out (a mismatch above 0.5, or a spread above half a column). `interrupt` may be null.
/// Throws ShapeError if the line integrals are not those of the geometry, and Interrupted.
std::optional<CentreEstimate> centre_from_beam_consistency(const ScanGeometry& geometry,
                                                           std::span<const float> line_integrals,
                                                           const Interrupt* interrupt = nullptr);

}  // namespace gantry
