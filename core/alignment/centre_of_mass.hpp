#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>
#include <string>

namespace gantry {

/// Finds the axis of rotation of a parallel beam from the centre of mass of each view, which moves
/// on a sinusoid about the axis: for the angle phi of a view,
///   sum_c c p_c / sum_c p_c = axis + a cos phi + b sin phi
/// (Azevedo, Schneberk, Fitch and Martz, IEEE Trans. Nucl. Sci. 37 (1990) 1525), with p less what
/// the air on both sides shows on the mean of all views. It needs no opposite views, so that an arc
/// short of half a turn tells the axis, too.
///
/// `line_integrals`: [view][row][column]. CentreEstimate::pairs is the number of views, the spread
/// the standard error of the fit or, if that is more, the difference between the axes of the first
/// and the last three quarters of the views. Returns nothing for other beams; for less than 90
/// degrees or 8 views; where the object reaches beyond the first or last column, or noise hides
/// where it ends; and where the views' masses differ by more than 5 % (standard deviation) or the
/// spread is above a column, as for data without a flat. Throws ShapeError if the line integrals
/// are not those of the geometry.
std::optional<CentreEstimate> centre_from_mass(const ScanGeometry& geometry,
                                               std::span<const float> line_integrals);
/// Returns which condition fails where centre_from_mass() finds nothing; an empty text where it
/// finds an axis. Throws as it does.
std::string why_no_mass(const ScanGeometry& geometry, std::span<const float> line_integrals);

}  // namespace gantry
