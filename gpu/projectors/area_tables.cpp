#include "gpu/projectors/area_tables.hpp"

#include "core/projectors/projector.hpp"

#include <cmath>

namespace gantry {

namespace {

float number(double value) { return static_cast<float>(value); }

device::AreaPose describe_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v) {
  const double t = geometry.angle_rad(v), c = std::cos(t), s = std::sin(t);
  const bool parallel = geometry.beam() == Beam::parallel;
  const double sid = parallel ? 0 : geometry.spec().source_to_isocenter_mm;
  const Vec3 p = grid.voxel_center_mm(0, 0, 0), d = grid.spacing_mm;
  device::AreaPose view{};
  view.source_x = number(sid * s);
  view.source_y = number(-sid * c);
  view.across_0 = number(p.x * c + p.y * s);
  view.across_x = number(d.x * c);
  view.across_y = number(d.y * s);
  view.depth_0 = number(parallel ? 1 : sid - p.x * s + p.y * c);
  view.depth_x = number(parallel ? 0 : -d.x * s);
  view.depth_y = number(parallel ? 0 : d.y * c);
  return view;
}

}  // namespace

AreaTables::AreaTables(const ScanGeometry& geometry, const VolumeGrid& grid, AreaWeights weights) {
  for (int v = 0; v < geometry.views(); ++v) add_view(geometry, grid, v, weights);
  const ScanSpec& spec = geometry.spec();
  const bool parallel = spec.beam == Beam::parallel;
  const double lowest_mm = (-0.5 - spec.central_row) * spec.row_pitch_mm;
  scan = {.view = views.data(),
          .line = lines.data(),
          .band = bands.data(),
          .nx = grid.nx,
          .ny = grid.ny,
          .nz = grid.nz,
          .columns = geometry.columns(),
          .rows = geometry.rows(),
          .first_x_mm = grid.origin_mm.x,
          .first_y_mm = grid.origin_mm.y,
          .dx_mm = grid.spacing_mm.x,
          .dy_mm = grid.spacing_mm.y,
          .gain = number((parallel ? 1 : spec.source_to_detector_mm) / spec.column_pitch_mm),
          .bias = number(spec.central_column),
          .parallel = parallel ? 1 : 0,
          .arc = !parallel && spec.detector == DetectorShape::arc ? 1 : 0,
          .area = weights == AreaWeights::area ? 1 : 0,
          .pixel_area_mm2 = number(grid.spacing_mm.x * grid.spacing_mm.y),
          .row_low = number((lowest_mm - grid.lower_corner_mm().z) / grid.spacing_mm.z),
          .row_height = number(spec.row_pitch_mm / grid.spacing_mm.z),
          .planar = is_planar(geometry, grid) ? 1 : 0,
          .first_view = 0,
          .view_stride = 1,
          .views = geometry.views()};
}

void AreaTables::add_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v,
                          AreaWeights weights) {
  const AreaView strips(geometry, grid, v, weights);
  views.push_back(describe_view(geometry, grid, v));
  for (const AreaEdge& edge : strips.edges())
    lines.push_back({edge.nx, edge.ny, edge.offset_mm, number(edge.half_sum),
                     number(edge.half_difference), number(edge.per_long), number(edge.per_corner)});
  for (int column = 0; column < strips.columns(); ++column) {
    const AreaStrip& strip = strips.strip(column);
    bands.push_back({{number(strip.start[0]), number(strip.start[1])},
                     {number(strip.step[0]), number(strip.step[1])},
                     number(strip.per_width),
                     strip.along_y ? 1 : 0,
                     strip.wide ? 1 : 0});
  }
}

}  // namespace gantry
