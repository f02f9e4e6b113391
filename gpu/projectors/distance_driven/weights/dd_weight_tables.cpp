#include "gpu/projectors/distance_driven/weights/dd_weight_tables.hpp"

#include "core/operator/projector.hpp"
#include "core/projectors/distance_driven/axial_rows.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"

#include <cmath>

namespace gantry {

namespace {

float number(double value) { return static_cast<float>(value); }

device::DdWeightView describe_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v,
                                   const DdView& table) {
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
          .along_y = table.slices.along_y ? 1 : 0};
}

}  // namespace

DdWeightTables::DdWeightTables(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const ScanSpec& spec = geometry.spec();
  const bool parallel = spec.beam == Beam::parallel, cone = spec.beam == Beam::cone,
             arc = !parallel && spec.detector == DetectorShape::arc;
  const double per_column =
      parallel ? spec.column_pitch_mm : spec.column_pitch_mm / spec.source_to_detector_mm;
  // Tangents of the fan angles; of a parallel beam, mm along the detector.
  const auto tangent = [&](double column) {
    const double offset = (column - spec.central_column) * per_column;
    return arc ? std::tan(offset) : offset;
  };
  for (int v = 0; v < geometry.views(); ++v) {
    const DdView table(geometry, grid, v);
    const device::DdWeightView& view = views.emplace_back(describe_view(geometry, grid, v, table));
    for (int c = 0; c <= geometry.columns(); ++c) {
      const double low = tangent(c - 0.5), middle = tangent(c), ahead = view.a - view.c * middle,
                   slope = parallel ? 0 : (view.d * middle - view.b) / ahead,
                   rise = cone ? spec.row_pitch_mm / spec.source_to_detector_mm / ahead : 0;
      const double in_plane =
          parallel ? table.length_mm.front() / table.slices.w_spacing_mm : std::hypot(slope, 1.0);
      columns.push_back({.edge = (view.d * low - view.b) / (view.a - view.c * low),
                         .square_in_plane = number(in_plane * in_plane),
                         .rise_per_row = number(arc ? rise * std::hypot(middle, 1.0) : rise)});
    }
  }
  scan = {.view = views.data(),
          .column = columns.data(),
          .nx = grid.nx,
          .ny = grid.ny,
          .nz = grid.nz,
          .columns = geometry.columns(),
          .rows = geometry.rows(),
          .gain = number(1 / per_column),
          .bias = number(spec.central_column + 0.5),
          .central_row = number(spec.central_row),
          .row_origin = spec.central_row + 0.5,
          .arc = arc ? 1 : 0,
          .cone = cone ? 1 : 0,
          .planar = is_planar(geometry, grid) ? 1 : 0,
          .views = geometry.views()};
}

std::size_t DdWeightTables::bytes(const ScanGeometry& geometry) {
  const auto columns = static_cast<std::size_t>(geometry.columns()) + 1;
  return static_cast<std::size_t>(geometry.views()) *
         (sizeof(device::DdWeightView) + columns * sizeof(device::DdColumn));
}

}  // namespace gantry
