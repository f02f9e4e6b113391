#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation of a fan or cone beam on a circle from the consistency of pairs of
/// views. In a plane through two positions of the source, the integral of the line integrals over
/// d psi / sin psi, with psi the angle between a ray and the line through both positions, is the
/// integral of the attenuation divided by the distance from that line, and hence the same in both
/// views (Lesaint, Rit, Clackdoyle and Desbat, IEEE TRPMS 1 (2017) 517, after Clackdoyle and
/// Desbat, Med. Phys. 42 (2015) 4194). The assumed central column changes psi of a cell, but
/// neither the positions of the source nor the planes. For each central column in the middle half
/// of the detector, the squared differences of such pairs of integrals are taken relative to their
/// squared values. The column with the smallest relative difference is refined to a fraction of a
/// cell by parabolas. No line needs to be measured from both sides: 90 degrees suffice. The stated
/// central column is not used.
///
/// `line_integrals`: [view][row][column]. At most 360 views are used, with neighbouring cells
/// averaged to at most 512 columns and 64 rows, and only planes whose rays all meet the detector,
/// from its first to its last column. CentreEstimate::pairs is the number of pairs of views,
/// mismatch the least relative difference over the median of all columns, and spread the standard
/// error by a jackknife that leaves out each eighth of the views. Returns nothing for other scans,
/// for fewer than 16 columns or views, for views at unequal steps or over less than 90 degrees, for
/// an object that reaches beyond the first or the last column (1 % of the columns on each side must
/// see air), for a cone beam without such planes, and where no column has a clearly smaller
/// difference than others (a mismatch above 0.5, or a spread above half a column). `interrupt` may
/// be null. Throws ShapeError if the line integrals are not those of the geometry, and Interrupted.
std::optional<CentreEstimate> centre_from_beam_consistency(const ScanGeometry& geometry,
                                                           std::span<const float> line_integrals,
                                                           const Interrupt* interrupt = nullptr);

}  // namespace gantry
