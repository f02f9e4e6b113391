#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation for which the filtered backprojection of the middle row is sharpest
/// (Donath et al., J. Opt. Soc. Am. A 23 (2006) 1048): that with the fewest negative values for
/// half a turn and short scans, that with the strongest gradients for whole turns. Of a parallel
/// beam, a quarter of the columns to both sides of the stated central column is searched in small
/// slices. Slices of fan and cone beams can be sharp about wrong axes, too: only 4 % of the columns
/// to both sides of what centre_from_data() finds are searched, of a cone beam in the row in the
/// plane of the source. The axis is refined in slices of at most 512 columns and 360 views, the
/// last time by a parabola through half columns of these.
///
/// `line_integrals`: [view][row][column]. CentreEstimate::mismatch is the least measure relative to
/// the median of the search. Its spread is that of the even and the odd views, or the distance from
/// the axis by centre_from_data(), and 0.1 columns of the finest slices at least. Returns nothing
/// where middle_row() does, for less than 170 degrees, for a parallel beam whose detector reaches
/// beyond the stated axis on one side by less than a quarter of its columns, for fan and cone beams
/// where other ways find no axis, or one more than two columns of the finest slices away, and where
/// no slice stands out (a mismatch above 0.8, of fan and cone beams 0.95), as for objects that
/// reach beyond the detector. `interrupt` may be null. Throws ShapeError if the line integrals are
/// not those of the geometry, and Interrupted.
std::optional<CentreEstimate> centre_from_sharpness(const ScanGeometry& geometry,
                                                    std::span<const float> line_integrals,
                                                    const Interrupt* interrupt = nullptr);

}  // namespace gantry
