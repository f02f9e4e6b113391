#pragma once

#include "core/alignment/detector_tilt.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Refines the tilt that tilt_of_detector() found in a cone beam: the tilt is changed so that a
/// small volume reproduces the views best, by one step of Gauss and Newton. The data are brought
/// onto a resting detector of 64 to 128 columns and at most 180 views; conjugate gradients (CGLS)
/// on Joseph projections remove from these, and from their derivative with respect to the tilt,
/// what a volume explains. Rays are weighted by exp(-p / 2). The column of the axis stays.
///
/// The error is the spread over views and groups of views, with what the last iterations changed
/// and what the coarse cells may change. Returns nothing
/// - where that is not clearly less than the error of `found`, or not below 0.015 degrees, as in
///   half fans of objects that reach beyond the cone along the axis;
/// - where the step is more than three errors of `found`: one of the estimates is wrong;
/// - for other beams and detectors, for fewer than 32 views, for views that do not see all lines
///   through the object (less than a short scan; of half fans, less than a turn), for a detector
///   too low for 10 rows of such cells, of fewer than 4 columns in such a cell or beside the plane
///   of the source, and where the volume that
///   the views see would reach to the source.
/// `interrupt` may be null. Throws ShapeError if the line integrals are not those of the geometry,
/// and Interrupted.
std::optional<DetectorTilt> tilt_from_residual(const ScanGeometry& geometry,
                                               std::span<const float> line_integrals,
                                               const DetectorTilt& found,
                                               const Interrupt* interrupt = nullptr);

}  // namespace gantry
