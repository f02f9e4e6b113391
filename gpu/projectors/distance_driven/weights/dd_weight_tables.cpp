#include "gpu/projectors/distance_driven/weights/dd_weight_tables.hpp"

#include "core/operator/projector.hpp"
#include "core/projectors/distance_driven/axial_rows.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"

#include <cmath>

namespace gantry {

namespace {

float number(double value) { return static_cast<float>(value); }

device::DdWeightView describe_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v) {
  const DdView table(geometry, grid, v);
  const ExactLocate& locate = table.exact_locate;
  const AxialRows::Pitch pitch = AxialRows(geometry, grid, v).pitch();
  return {.scale_first = table.scale_first,
          .scale_step = table.scale_step,
          .shift_first = table.shift_first,
          .shift_step = table.shift_step,
          .a = locate.a,
          .b = locate.b,
          .c = locate.c,
          .d = locate.d,
          .depth_0 = pitch.depth.first,
          .depth_i = pitch.depth.per_pixel,
          .depth_k = pitch.depth.per_layer,
          .side_0 = pitch.across.first,
          .side_i = pitch.across.per_pixel,
          .side_k = pitch.across.per_layer,
          .source_z = (table.source_z_mm - grid.lower_corner_mm().z) / grid.spacing_mm.z,
          .layer_mm = number(table.slices.w_spacing_mm),
          .path_mm = table.length_mm.front(),
          .along_y = table.slices.along_y ? 1 : 0};
}

}  // namespace

DdWeightTables::DdWeightTables(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const ScanSpec& spec = geometry.spec();
  const bool parallel = spec.beam == Beam::parallel, cone = spec.beam == Beam::cone,
             arc = !parallel && spec.detector == DetectorShape::arc;
  for (int v = 0; v < geometry.views(); ++v) views.push_back(describe_view(geometry, grid, v));
  const double per_column =
      parallel ? spec.column_pitch_mm : spec.column_pitch_mm / spec.source_to_detector_mm;
  for (int half = 0; half <= 2 * geometry.columns(); ++half) {
    const double offset = (0.5 * (half - 1) - spec.central_column) * per_column;
    tangents.push_back(arc ? std::tan(offset) : offset);
  }
  scan = {.view = views.data(),
          .tangent = tangents.data(),
          .nx = grid.nx,
          .ny = grid.ny,
          .nz = grid.nz,
          .columns = geometry.columns(),
          .rows = geometry.rows(),
          .gain = number(1 / per_column),
          .bias = number(spec.central_column + 0.5),
          .central_row = number(spec.central_row),
          .row_slope = cone ? number(spec.row_pitch_mm / spec.source_to_detector_mm) : 0,
          .row_origin = spec.central_row + 0.5,
          .parallel = parallel ? 1 : 0,
          .arc = arc ? 1 : 0,
          .cone = cone ? 1 : 0,
          .planar = is_planar(geometry, grid) ? 1 : 0,
          .views = geometry.views()};
}

std::size_t DdWeightTables::bytes(const ScanGeometry& geometry) {
  return static_cast<std::size_t>(geometry.views()) * sizeof(device::DdWeightView) +
         (2 * static_cast<std::size_t>(geometry.columns()) + 1) * sizeof(double);
}

}  // namespace gantry
