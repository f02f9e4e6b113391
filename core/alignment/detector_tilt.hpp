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
  double error_rad = 0;  ///< standard error of the tilt, by what the views do not agree in
  int bands = 0;         ///< of rows in which the axis was found
};

/// Finds the tilt of a flat detector: in bands of rows the axis is found by views half a turn apart
/// (parallel beam) or by rays that were measured from both sides (cone beam). A line through these
/// columns by the median of the slopes of all pairs of bands (Sen, J. Am. Stat. Assoc. 63 (1968)
/// 1379) tells the tilt. Since a tilt displaces views along the axis as well, the views are turned
/// by it and searched again. For a parallel beam, tilt and axis are then refined by least squares
/// over all pixels of the opposite views, smoothed. Of a cone beam, only rows whose rays rise by
/// less than 0.03 count, where opposite rays are nearly the same line.
///
/// `line_integrals`: [view][row][column]. Returns nothing for other scans, for fewer than 8 bands
/// with an axis, and for a tilt above 5 degrees. Throws ShapeError if the line integrals are not
/// those of the geometry.
std::optional<DetectorTilt> tilt_of_detector(const ScanGeometry& geometry,
                                             std::span<const float> line_integrals);

}  // namespace gantry
