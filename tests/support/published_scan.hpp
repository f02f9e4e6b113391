#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <cmath>

namespace gantry::test {

/// The scan on which the published sizes of matrices rest: fan on an arc that sees the circle in
/// the square of `side` pixels, source at half the side / eps.
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
