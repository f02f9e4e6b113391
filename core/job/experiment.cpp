#include "core/job/experiment.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

bool same_mask(const MetricsSpec& a, const MetricsSpec& b) {
  return a.mask == b.mask && (a.mask != MaskKind::roi || a.places.roi == b.places.roi);
}

}  // namespace

bool same_data(const Experiment& a, const Experiment& b) {
  return a.source == b.source && a.geometry == b.geometry && a.noise == b.noise &&
         a.simulation == b.simulation && a.grid == b.grid && same_mask(a.metrics, b.metrics);
}

ScanSpec default_scan(double radius_mm, double height_mm, int columns) {
  ScanSpec spec;
  spec.beam = height_mm > 0 ? Beam::cone : Beam::fan;
  spec.source_to_isocenter_mm = 4 * radius_mm;
  spec.source_to_detector_mm = 6 * radius_mm;
  spec.detector_columns = columns;
  // The outermost ray touches the circle, with 2 % to spare.
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
  // 7/5 views per column, in eights: any of the symmetries of the square maps views to views.
  const int views = 8 * ((7 * columns + 39) / 40);
  spec.view_angles_rad = angles_from_degrees(180.0 / views, 360.0 / views, views);
  return spec;
}

VolumeGrid default_grid(const ScanGeometry& geometry) {
  const double radius_mm = geometry.field_of_view_radius_mm();
  const double side_mm =
      radius_mm > 0 ? 2 * radius_mm : geometry.columns() * geometry.column_pitch_at_isocenter_mm();
  const int side = std::clamp(geometry.columns(), 16, 1024);
  const double slice_mm = geometry.row_pitch_at_isocenter_mm();
  VolumeGrid grid =
      VolumeGrid::centered(side, side, geometry.rows(), {side_mm / side, side_mm / side, slice_mm});
  // Rows of a stack, and the middle of a cone, sit where the detector's central row says.
  grid.origin_mm.z = (geometry.rows() == 1 ? 0.0 : -geometry.spec().central_row) * slice_mm;
  return grid;
}

Experiment ready_experiment() {
  Experiment experiment;
  experiment.title = "FORBILD head";
  experiment.source.kind = SourceKind::phantom;
  experiment.source.phantom = "forbild_head";
  experiment.geometry = default_scan(128, 0);
  experiment.grid = VolumeGrid::centered(512, 512, 1, {0.5, 0.5, 0.5});
  experiment.noise.photons_per_ray = 1e5;
  RunSpec sart, sirt;
  sart.solver = "sart";
  sart.colour = 0;
  sirt.solver = "sirt";
  sirt.colour = 1;
  experiment.runs = {sart, sirt};
  return experiment;
}

}  // namespace gantry
