#pragma once

#include "tests/support/scans.hpp"

#include <string>
#include <vector>

namespace gantry::test {

/// Returns a circular cone-beam scan with 16 symmetry elements; words in `kind` such as "raised" or
/// "offset" remove some. `start` is the first angle in steps between views.
inline ScanCase symmetric_cone(const std::string& kind, int slices, int rows, int views = 16,
                               double start = 0.5, int columns = 23, int side = 17) {
  const auto is = [&](const char* what) { return kind.find(what) != std::string::npos; };
  ScanSpec spec = fan_spec(views, columns, 3);
  spec.beam = Beam::cone;
  spec.detector = is("arc") ? DetectorShape::arc : DetectorShape::flat;
  spec.detector_rows = rows;
  spec.row_pitch_mm = 3.4;
  spec.central_row = 0.5 * (rows - 1) + (is("raised") ? 0.3 : 0.0);
  if (is("offset")) spec.central_column -= 0.25;
  spec.view_angles_rad = angles_from_degrees(start * 360.0 / views, 360.0 / views, views);
  return {kind + ", " + std::to_string(views) + " views of " + std::to_string(columns) + " x " +
              std::to_string(rows) + ", " + std::to_string(side) + "^2 x " + std::to_string(slices),
          share(spec),
          VolumeGrid::centered(side, is("oblong") ? side - 4 : side, slices, {2.3, 2.3, 2.1})};
}

/// A scan and the number of its symmetry elements.
struct SymmetricCone {
  ScanCase scan;
  int elements;
};

/// Returns scans with odd and even numbers of slices, rows, columns and pixels, with views that are
/// their own mirror images, and with fewer elements.
inline std::vector<SymmetricCone> symmetric_cones() {
  return {{symmetric_cone("flat", 8, 10), 16},
          {symmetric_cone("flat", 7, 9, 16, 0.5, 24, 16), 16},
          {symmetric_cone("arc", 5, 8, 24, 0.5, 30, 20), 16},
          {symmetric_cone("arc", 6, 7, 8, 0.5, 21, 12), 16},
          {symmetric_cone("flat from the axis", 6, 9, 16, 0), 16},
          {symmetric_cone("arc from the axis", 7, 8, 12, 0, 24, 20), 16},
          {symmetric_cone("flat", 4, 6, 20, 0.5, 22, 14), 16},
          {symmetric_cone("flat, one slice", 1, 5), 16},
          {symmetric_cone("flat, one row", 3, 1), 16},
          {symmetric_cone("flat raised", 6, 8), 8},
          {symmetric_cone("arc offset", 6, 7), 8},
          {symmetric_cone("flat any start", 5, 8, 16, 0.3), 8},
          {symmetric_cone("flat oblong", 6, 8), 8},
          {symmetric_cone("flat oblong and offset", 6, 8), 4},
          {symmetric_cone("arc", 5, 6, 7, 0.3), 2}};
}

}  // namespace gantry::test
