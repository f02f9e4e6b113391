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
  double error_rad = 0;  ///< standard error of the tilt
  int rows = 0;          ///< heights at which lines were compared
};

/// Finds the tilt of a flat detector and the axis from lines that were measured from both sides, by
/// least squares over the differences of both measurements, smoothed. In a cone beam the two rays
/// of a line pass the axis at one height but rise to opposite sides; their difference due to this
/// is computed to first order from neighbouring views and rows. Lines of a cone beam that differ by
/// more, as far from the plane of the source, have less weight. The standard error follows from
/// what these weights change and from the spread of eight groups of views, or of rows where few views have an opposite; it is not less
/// than the error that noise of the size of the remaining differences causes.
///
/// `line_integrals`: [view][row][column]. Returns nothing for other scans, for fewer than 8 rows,
/// for scans without lines measured from both sides, where both measurements disagree (a mismatch
/// above 0.1), for a tilt above 5 degrees and for an error above 0.25 degrees. Throws ShapeError if
/// the line integrals are not those of the geometry.
std::optional<DetectorTilt> tilt_of_detector(const ScanGeometry& geometry,
                                             std::span<const float> line_integrals);

}  // namespace gantry
