#include "gpu/projectors/voxel/voxel_tables.hpp"

#include <cmath>

namespace gantry {

namespace {

device::VoxelView describe_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v) {
  const ScanSpec& spec = geometry.spec();
  const double t = geometry.angle_rad(v), cos_t = std::cos(t), sin_t = std::sin(t);
  const Vec3 p = grid.voxel_center_mm(0, 0, 0), d = grid.spacing_mm;
  const bool cone = geometry.beam() == Beam::cone;
  const double source_mm = cone ? geometry.view(v).source_mm.z : 0;
  const double scale = (cone ? spec.source_to_detector_mm : 1.0) / spec.row_pitch_mm;
  return {p.x * cos_t + p.y * sin_t,
          d.x * cos_t,
          d.y * sin_t,
          spec.source_to_isocenter_mm - p.x * sin_t + p.y * cos_t,
          -d.x * sin_t,
          d.y * cos_t,
          static_cast<float>((grid.origin_mm.z - source_mm) * scale)};
}

bool is_single(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return grid.nz == 1 && geometry.rows() == 1 && geometry.beam() != Beam::cone;
}

}  // namespace

VoxelTables::VoxelTables(const ScanGeometry& geometry, const VolumeGrid& grid, int power)
    : single(is_single(geometry, grid)), view_values_(values_of_view(geometry, grid)) {
  const ScanSpec& spec = geometry.spec();
  const bool parallel = geometry.beam() == Beam::parallel, cone = geometry.beam() == Beam::cone;
  for (int v = 0; v < geometry.views(); ++v) views.push_back(describe_view(geometry, grid, v));
  const double magnified = spec.source_to_detector_mm;
  scan = {.view = nullptr,
          .nx = grid.nx,
          .ny = grid.ny,
          .nz = grid.nz,
          .columns = geometry.columns(),
          .rows = geometry.rows(),
          .gain = static_cast<float>((parallel ? 1.0 : magnified) / spec.column_pitch_mm),
          .bias = static_cast<float>(spec.central_column),
          .center = static_cast<float>(spec.central_row),
          .rise_step =
              static_cast<float>(grid.spacing_mm.z * (cone ? magnified : 1.0) / spec.row_pitch_mm),
          .rays = parallel                               ? device::VoxelRays::parallel
                  : spec.detector == DetectorShape::flat ? device::VoxelRays::flat
                                                         : device::VoxelRays::arc,
          .power = power,
          .diverges = cone ? 1 : 0,
          .first_view = 0,
          .view_stride = 1,
          .views = geometry.views()};
}

std::size_t VoxelTables::values_of_view(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const std::size_t lines = static_cast<std::size_t>(geometry.columns()) + 2;
  return lines * (is_single(geometry, grid) ? 1 : static_cast<std::size_t>(geometry.rows()) + 2);
}

}  // namespace gantry
