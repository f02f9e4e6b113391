#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// The rotation of a detector in its plane.
struct DetectorTilt {
  /// Angle of the axis of rotation against the detector's columns: at row r, in cells as wide as
  /// high, the axis lies at column + tan(tilt) (r - central_row).
  double tilt_rad = 0;
  double column = 0;     ///< of the axis at the central row, a fractional index
  double error_rad = 0;  ///< standard error of the tilt, by what parts of the views do not agree in
  int rows = 0;          ///< heights at which lines were compared
};

/// Finds the tilt of a flat detector and the axis by lines that were measured from both sides: by
/// least squares over all of them, smoothed, after a turn of the detector back by the tilt. In a
/// cone beam both rays of a line pass the axis at one height and rise to opposite sides; what that
/// makes to first order is taken from the neighbouring views and rows. The error is told by eight
/// groups of views, or of rows where few views have an opposite, and not less than what noise of
/// the size that is left between both sides makes.
///
/// `line_integrals`: [view][row][column]. Returns nothing for other scans, for fewer than 8 rows,
/// for scans without such lines, where both sides do not agree (a mismatch above 0.1), for a tilt
/// above 5 degrees and an error above 0.25 degrees. Throws ShapeError if the line integrals are not
/// those of the geometry.
std::optional<DetectorTilt> tilt_of_detector(const ScanGeometry& geometry,
                                             std::span<const float> line_integrals);

}  // namespace gantry
