#include "gpu/projectors/area/area_tables.hpp"

#include "core/operator/projector.hpp"
#include "gpu/projectors/common/seen_from.hpp"

#include <cmath>

namespace gantry {

namespace {

float number(double value) { return static_cast<float>(value); }

device::AreaPose describe_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v) {
  const double t = geometry.angle_rad(v);
  const double sid = geometry.beam() == Beam::parallel ? 0 : geometry.spec().source_to_isocenter_mm;
  return {number(sid * std::sin(t)), number(-sid * std::cos(t)), seen_from(geometry, grid, v)};
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
          .detector = seen_by(geometry),
          .first_x_mm = grid.origin_mm.x,
          .first_y_mm = grid.origin_mm.y,
          .dx_mm = grid.spacing_mm.x,
          .dy_mm = grid.spacing_mm.y,
          .parallel = parallel ? 1 : 0,
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

std::size_t AreaTables::bytes(const ScanGeometry& geometry) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  return static_cast<std::size_t>(geometry.views()) *
         (sizeof(device::AreaPose) + (columns + 1) * sizeof(device::AreaLine) +
          columns * sizeof(device::AreaBand));
}

}  // namespace gantry
