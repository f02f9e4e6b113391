#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation for which the filtered backprojection of the middle row is sharpest
/// (Donath et al., J. Opt. Soc. Am. A 23 (2006) 1048). The sharpest slice is the one with the
/// fewest negative values for half a turn and short scans, the one with the strongest gradients for
/// whole turns. For a parallel beam, a quarter of the columns to both sides of the stated central
/// column is searched, in small slices. Because slices of fan and cone beams can also be sharp
/// about wrong axes, only 4 % of the columns to both sides of the axis by centre_from_data() are
/// searched for these; the row of a cone beam is the one in the plane of the source. The axis is
/// refined in slices of at most 512 columns and 360 views, finally by a parabola through values at
/// half columns.
///
/// `line_integrals`: [view][row][column]. CentreEstimate::mismatch is the least measure relative to
/// the median of the search. The spread is that of the even and the odd views, or the distance from
/// the axis by centre_from_data(), and at least 0.1 columns of the finest slices. Returns nothing
/// - where middle_row() returns nothing, for less than 170 degrees, and for less than 178 degrees
/// of
///   a parallel beam: over 170 degrees the sharpest slice lies up to four columns beside the axis;
/// - for a parallel beam whose detector reaches beyond the stated axis on one side by less than a
///   quarter of its columns, and for one whose object reaches beyond the first or last column, as
///   in half acquisitions: the edge of the detector would decide;
/// - for fan and cone beams where centre_from_data() finds no axis, or one that is more than two
///   columns of the finest slices away;
/// - where no slice stands out (a mismatch above 0.8, of fan and cone beams 0.95), as for objects
///   that reach beyond the detector.
/// `interrupt` may be null. Throws ShapeError if the line integrals are not those of the geometry,
/// and Interrupted.
std::optional<CentreEstimate> centre_from_sharpness(const ScanGeometry& geometry,
                                                    std::span<const float> line_integrals,
                                                    const Interrupt* interrupt = nullptr);

}  // namespace gantry
