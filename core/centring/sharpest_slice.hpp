#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation for which the filtered backprojection of the middle row is sharpest
/// (Donath et al., J. Opt. Soc. Am. A 23 (2006) 1048): that with the fewest negative values for
/// half a turn of a parallel beam, that with the strongest gradients for whole turns and fan beams.
/// A quarter of the columns to both sides of the stated central column is searched in small slices,
/// then refined in slices of at most 512 columns and 360 views, the last time by a parabola through
/// half columns of these. A cone beam is searched in the row in the plane of the source.
///
/// `line_integrals`: [view][row][column]. CentreEstimate::mismatch is the least measure relative to
/// the median of the search, and its spread is that of the even and the odd views. Returns nothing
/// where middle_row() does, for less than 170 degrees, for detectors that reach beyond the stated
/// axis on one side by less than a quarter of their columns, and where no slice stands out (a
/// mismatch above 0.8). `interrupt` may be null. Throws ShapeError if the line integrals are not
/// those of the geometry, and Interrupted.
std::optional<CentreEstimate> centre_from_sharpness(const ScanGeometry& geometry,
                                                    std::span<const float> line_integrals,
                                                    const Interrupt* interrupt = nullptr);

}  // namespace gantry
