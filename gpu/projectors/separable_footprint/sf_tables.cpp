#include "gpu/projectors/separable_footprint/sf_tables.hpp"

#include "core/operator/projector.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"
#include "core/projectors/separable_footprint/sf_rows.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

float number(double value) { return static_cast<float>(value); }

device::SfPose describe_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v) {
  const double t = geometry.angle_rad(v), c = std::cos(t), s = std::sin(t);
  const bool parallel = geometry.beam() == Beam::parallel;
  const double sid = parallel ? 0 : geometry.spec().source_to_isocenter_mm;
  const Vec3 p = grid.voxel_center_mm(0, 0, 0), d = grid.spacing_mm, across{c, s, 0},
             ahead{-s, c, 0}, source = -sid * ahead;
  device::SfPose view{};
  view.across_0 = dot(p, across);
  view.across_x = d.x * c;
  view.across_y = d.y * s;
  view.depth_0 = parallel ? 1 : sid + dot(p, ahead);
  view.depth_x = parallel ? 0 : d.x * ahead.x;
  view.depth_y = parallel ? 0 : d.y * ahead.y;
  view.ray_x = number(parallel ? ahead.x : p.x - source.x);
  view.ray_y = number(parallel ? ahead.y : p.y - source.y);
  view.source_z =
      number((geometry.view(v).source_mm.z - grid.lower_corner_mm().z) / grid.spacing_mm.z);
  view.along_y = looks_along_y(t) ? 1 : 0;
  const auto u = [&](Vec3 a) { return view.along_y ? a.x / d.x : a.y / d.y; };
  const auto w = [&](Vec3 a) { return view.along_y ? a.y / d.y : a.x / d.x; };
  view.source_u = number(u(source - p));
  view.source_w = number(w(source - p));
  view.ahead_u = number(u(ahead));
  view.ahead_w = number(w(ahead));
  view.across_u = number(u(across));
  view.across_w = number(w(across));
  return view;
}

/// Returns the height of a detector row in voxels at the far end of the volume, over all views.
double tallest_row(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const ScanSpec& spec = geometry.spec();
  const double height = spec.row_pitch_mm / grid.spacing_mm.z;
  if (geometry.beam() != Beam::cone) return height;
  const Vec3 low = grid.lower_corner_mm(), high = grid.upper_corner_mm();
  const double reach = std::hypot(std::max(std::abs(low.x), std::abs(high.x)),
                                  std::max(std::abs(low.y), std::abs(high.y)));
  return height * (spec.source_to_isocenter_mm + reach) / spec.source_to_detector_mm;
}

}  // namespace

SfTables::SfTables(const ScanGeometry& geometry, const VolumeGrid& grid)
    : planar(is_planar(geometry, grid)), tall(tallest_row(geometry, grid) > 0.999) {
  const ScanSpec& spec = geometry.spec();
  for (int v = 0; v < geometry.views(); ++v) views.push_back(describe_view(geometry, grid, v));
  const bool parallel = spec.beam == Beam::parallel, cone = spec.beam == Beam::cone;
  if (cone)
    for (int row = 0; row < geometry.rows(); ++row)
      for (int column = 0; column < geometry.columns(); ++column)
        inverse_cosine.push_back(number(1 / cone_cosine(geometry, column, row)));
  const double row_height = spec.row_pitch_mm / grid.spacing_mm.z;
  scan = {.view = views.data(),
          .inverse_cosine = cone ? inverse_cosine.data() : nullptr,
          .nx = grid.nx,
          .ny = grid.ny,
          .nz = grid.nz,
          .columns = geometry.columns(),
          .rows = geometry.rows(),
          .gain = number((parallel ? 1 : spec.source_to_detector_mm) / spec.column_pitch_mm),
          .bias = number(spec.central_column + 0.5),
          .dx = number(grid.spacing_mm.x),
          .dy = number(grid.spacing_mm.y),
          .inverse_dx = number(1 / grid.spacing_mm.x),
          .inverse_dy = number(1 / grid.spacing_mm.y),
          .central_row = number(spec.central_row),
          .row_height = number(cone ? row_height / spec.source_to_detector_mm : row_height),
          .parallel = parallel ? 1 : 0,
          .arc = !parallel && spec.detector == DetectorShape::arc ? 1 : 0,
          .cone = cone ? 1 : 0,
          .first_view = 0,
          .view_stride = 1,
          .views = geometry.views()};
}

}  // namespace gantry
