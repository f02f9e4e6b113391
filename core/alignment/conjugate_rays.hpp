#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation of a fan beam or of the middle rows of a cone beam on a circle. A
/// line through the object is measured from both sides: the ray at fan angle g in the view at t is
/// the ray at -g in the view at t + pi - 2 g (Kak and Slaney 1988, section 3.4.1). For each central
/// column, the squared difference of all such pairs that lie on the detector is taken relative to
/// their squared values; the column with the least difference is returned, to a fraction of a cell.
/// Works also for detectors that reach beyond the axis on one side by only a few per cent of their
/// columns (half fan), and for short scans. The stated central column is not used.
/// `near`: a column at most two columns from the axis; only columns that near are then searched.
///
/// `line_integrals`: [view][row][column]. CentreEstimate::pairs is the number of views that were
/// compared, and its spread is that of four groups of views. Returns nothing for other scans, for a
/// cone beam without rows in the plane of the source, for scans without such pairs of rays, and
/// where both rays agree for no column (a mismatch above 0.1). Throws ShapeError if the line
/// integrals are not those of the geometry.
std::optional<CentreEstimate> centre_from_conjugate_rays(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals,
                                                         std::optional<double> near = {});

/// Does the same with what changes from view to view: of each pair of columns, only the deviations
/// from the mean over all views count, in the difference and in the values. What a cell shows in
/// all views, as one of another gain does without a flat, then has no influence. Returns nothing
/// also where another column fits nearly as well.
std::optional<CentreEstimate> centre_from_changing_rays(const ScanGeometry& geometry,
                                                        std::span<const float> line_integrals);

}  // namespace gantry
