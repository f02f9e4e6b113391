#pragma once

#include "core/geometry/symmetry.hpp"
#include "tests/gpu/symmetric_scans.hpp"

#include <string>
#include <vector>

namespace gantry::test {

/// A scan in space with symmetries, and how many elements they have.
struct ConeScan {
  ScanCase scan;
  int elements;
};

/// Scans of all groups and of both starts; rows and slices even and odd, more views than a block of
/// them, views and voxels that are their own mirror, single rows, columns and slices.
inline std::vector<ConeScan> cone_symmetry_scans() {
  std::vector<ConeScan> cones;
  const auto add = [&](std::string name, int elements, const ScanSpec& spec,
                       const VolumeGrid& grid) {
    cones.push_back({{std::move(name), share(spec), grid}, elements});
  };
  const auto cone = [](int views, double start, int columns, int rows) {
    ScanSpec spec = turning(views, start, columns, 70.0 / columns);
    spec.beam = Beam::cone;
    spec.detector_rows = rows;
    spec.central_row = 0.5 * (rows - 1);
    spec.row_pitch_mm = 33.0 / rows;
    return spec;
  };
  const auto cube = [](int nx, int ny, int nz) {
    return VolumeGrid::centered(nx, ny, nz, {40.0 / nx, 40.0 / ny, 18.0 / nz});
  };
  add("flat, half a step, all even", 16, cone(16, 0.5, 24, 10), cube(16, 16, 8));
  add("flat, on the axis, all odd", 16, cone(16, 0, 25, 11), cube(17, 17, 7));
  add("flat, 20 views, odd and even", 16, cone(20, 0, 23, 12), cube(18, 18, 9));
  ScanSpec arc = cone(24, 0.5, 31, 9);
  arc.detector = DetectorShape::arc;
  add("arc, 24 views", 16, arc, cube(21, 21, 6));
  add(
      "arc, 84 views: two blocks", 16,
      [&] {
        ScanSpec spec = cone(84, 0, 9, 5);
        spec.detector = DetectorShape::arc;
        return spec;
      }(),
      cube(9, 9, 5));
  ScanSpec off_rows = arc;
  off_rows.central_row += 1.3;
  add("arc, rows off the centre: turns and mirrors of the plane", 8, off_rows, cube(21, 21, 6));
  ScanSpec off_columns = arc;
  off_columns.central_column += 0.25;
  add("arc, columns off the centre: turns, and along the axis", 8, off_columns, cube(20, 20, 7));
  ScanSpec off_both = off_columns;
  off_both.central_row -= 2;
  add("arc, both off the centre: turns alone", 4, off_both, cube(13, 13, 7));
  add("flat, not square", 8, cone(12, 0.5, 24, 10), cube(16, 11, 8));
  add(
      "flat, not square, columns off the centre", 4,
      [&] {
        ScanSpec spec = cone(12, 0.5, 24, 10);
        spec.central_column += 2;
        return spec;
      }(),
      cube(16, 11, 9));
  add("flat, 9 views: left and right, and along the axis", 4, cone(9, 0, 24, 10), cube(12, 14, 5));
  add("flat, first view anywhere: along the axis", 2, cone(9, 0.3, 24, 11), cube(12, 14, 5));
  ScanSpec one_row = cone(16, 0.5, 24, 1);
  one_row.row_pitch_mm = 5;
  add("one row, which is its own mirror", 16, one_row, cube(16, 16, 5));
  add("one row, one slice", 8, one_row, cube(15, 15, 1));
  add("one column", 16, cone(8, 0.5, 1, 10), cube(10, 10, 6));
  add("one voxel", 16, cone(8, 0.5, 24, 10), cube(1, 1, 1));
  ScanSpec parallel = cone(12, 0.5, 24, 7);
  parallel.beam = Beam::parallel;
  parallel.view_angles_rad = angles_from_degrees(7.5, 15, 12);
  parallel.row_pitch_mm = 3.1;
  add("parallel over half a turn, rows across slices", 16, parallel, cube(14, 14, 8));
  return cones;
}

}  // namespace gantry::test
