#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation of a parallel beam over half a turn, whether its end is measured or
/// not. The views and their mirror images about an assumed axis make a sinogram of a whole turn.
/// Its Fourier transform at k periods a turn vanishes for frequencies below k / (2 pi R) across the
/// detector, R being the radius of the object; energy there shows that the assumed axis is wrong.
/// The column of least energy is searched in steps of half a column over the middle four fifths of
/// the detector and refined by a parabola. (Vo et al., Opt. Express 22 (2014) 19078, eq. 3, with R
/// half the detector.) Up to ten rows in the middle are averaged. The stated central column is not
/// used.
///
/// `line_integrals`: [view][row][column]. CentreEstimate::mismatch is the least energy relative to
/// the median over all columns, and its spread is that of the even and the odd views. Returns
/// nothing for other beams, for less than half a turn, for more than three quarters of a turn, for
/// fewer than 16 columns or 16 views, and where no column stands out (a mismatch above 0.9). For
/// smooth or small objects the energy is often least far from the axis; therefore nothing is
/// returned unless centre_from_opposite_views() finds about the same axis, to 1.5 columns of 160.
/// Whole turns are left out because they have opposite views, and because the axis of such scans is
/// often near an end of the detector, so that no view sees the whole object: the energy then
/// misleads. Throws ShapeError if the line integrals are not those of the geometry.
std::optional<CentreEstimate> centre_from_fourier_energy(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals);

}  // namespace gantry
