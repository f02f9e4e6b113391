#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <cmath>

namespace gantry::test {

/// Returns the scan of the published matrix sizes: a fan beam on an arc that sees the circle
/// inscribed in the square of `side` pixels (of 1 mm), with the source at the distance side / (2
/// eps).
inline ScanSpec published_scan(int side, double eps, int views, int columns, double first_step) {
  ScanSpec spec;
  spec.beam = Beam::fan;
  spec.detector = DetectorShape::arc;
  spec.source_to_isocenter_mm = 0.5 * side / eps;
  spec.source_to_detector_mm = 2 * spec.source_to_isocenter_mm;
  spec.detector_columns = columns;
  spec.column_pitch_mm = 2 * std::asin(eps) / columns * spec.source_to_detector_mm;
  spec.row_pitch_mm = 1;
  spec.central_column = 0.5 * (columns - 1);
  spec.view_angles_rad = angles_from_degrees(first_step * 360.0 / views, 360.0 / views, views);
  return spec;
}

}  // namespace gantry::test
