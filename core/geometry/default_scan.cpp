#include "core/geometry/default_scan.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

ScanSpec default_scan(double radius_mm, double height_mm, int columns) {
  ScanSpec spec;
  spec.beam = height_mm > 0 ? Beam::cone : Beam::fan;
  spec.source_to_isocenter_mm = 4 * radius_mm;
  spec.source_to_detector_mm = 6 * radius_mm;
  spec.detector_columns = columns;
  // The outermost ray touches a circle 2 % larger than the object.
  const double half_width_mm = spec.source_to_detector_mm *
                               std::tan(std::asin(1.02 * radius_mm / spec.source_to_isocenter_mm));
  spec.column_pitch_mm = spec.row_pitch_mm = 2 * half_width_mm / spec.detector_columns;
  spec.central_column = 0.5 * (spec.detector_columns - 1);
  if (height_mm > 0) {
    const double magnified_mm =
        height_mm * spec.source_to_detector_mm / (spec.source_to_isocenter_mm - radius_mm);
    spec.detector_rows = std::max(1, static_cast<int>(std::ceil(magnified_mm / spec.row_pitch_mm)));
  }
  spec.central_row = 0.5 * (spec.detector_rows - 1);
  // There are 7/5 views per column, rounded up to a multiple of 8, so that every symmetry of the
  // square maps views to views.
  const int views = 8 * ((7 * columns + 39) / 40);
  spec.view_angles_rad = angles_from_degrees(180.0 / views, 360.0 / views, views);
  return spec;
}

VolumeGrid default_grid(const ScanGeometry& geometry) {
  constexpr double most_slices = 65536;
  const double radius_mm = geometry.field_of_view_radius_mm(),
               cell_mm = geometry.column_pitch_at_isocenter_mm();
  const double side_mm = radius_mm > 0 ? 2 * radius_mm : geometry.columns() * cell_mm;
  const double cells = std::min(side_mm / cell_mm, 1024.0);  // of a half scan, more than columns
  const int side = std::clamp(std::max(geometry.columns(), static_cast<int>(cells)), 16, 1024);
  const double slice_mm = geometry.row_pitch_at_isocenter_mm();
  const AxialRange seen = geometry.axial_range_mm();
  const int slices =
      static_cast<int>(std::clamp(std::round((seen.high - seen.low) / slice_mm), 1.0, most_slices));
  VolumeGrid grid =
      VolumeGrid::centered(side, side, slices, {side_mm / side, side_mm / side, slice_mm});
  // The slices of a stack and of a cone beam are centred on the height range that the detector
  // sees, which depends on central_row.
  if (slices > 1 || !geometry.rotates()) grid.origin_mm.z += 0.5 * (seen.low + seen.high);
  return grid;
}

ScanSpec with_both_sides(ScanSpec scan) {
  const double last = scan.detector_columns - 1, axis = std::clamp(scan.central_column, 0.0, last);
  scan.central_column = std::max(axis, last - axis);
  scan.detector_columns = static_cast<int>(std::ceil(2 * scan.central_column)) + 1;
  return scan;
}

}  // namespace gantry
