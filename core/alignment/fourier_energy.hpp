#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>
#include <string>

namespace gantry {

/// Finds the axis of rotation of a parallel beam over half a turn, whether its end is measured or
/// not. The views and their mirror images about an assumed axis make a sinogram of a whole turn.
/// Its Fourier transform at k periods a turn vanishes for frequencies below k / (2 pi R) across the
/// detector, R being the radius of the object; energy there shows that the assumed axis is wrong.
/// The column of least energy is searched in steps of half a column, at first in 160 columns over
/// the middle four fifths of the detector, then around the one that was found, and refined by a
/// parabola. (Vo et al., Opt. Express 22 (2014) 19078, eq. 3, with R half the detector.) Up to ten
/// rows in the middle are averaged. The stated central column is not used.
///
/// An axis beside the object leaves little energy as well, because no mirror image of the object
/// then lies on the detector. Therefore the energy counts relative to the greatest one to the left
/// or to the right, whichever is less: CentreEstimate::mismatch.
///
/// `line_integrals`: [view][row][column]. The spread of the estimate is that of the even and the
/// odd views. Returns nothing for other beams, for less than half a turn, for more than three
/// quarters of a turn, for fewer than 16 columns or 16 views, and where no column stands out (a
/// mismatch above 0.8). For
/// smooth or small objects the energy is often least far from the axis; therefore nothing is
/// returned unless centre_from_opposite_views() finds about the same axis, to 1.5 columns of 160.
/// Whole turns are left out because they have opposite views, and because the axis of such scans is
/// often near an end of the detector, so that no view sees the whole object: the energy then
/// misleads. Throws ShapeError if the line integrals are not those of the geometry.
std::optional<CentreEstimate> centre_from_fourier_energy(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals);
/// Returns which condition fails where centre_from_fourier_energy() finds nothing, "the views cover
/// 120 degrees"; an empty text where it finds an axis. Throws as it does.
std::string why_no_fourier_energy(const ScanGeometry& geometry,
                                  std::span<const float> line_integrals);

}  // namespace gantry
