#include "gpu/projectors/siddon_joseph/siddon_joseph_tables.hpp"

#include "core/operator/projector.hpp"
#include "core/projectors/siddon_joseph/plane_lines.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

float number(double value) { return static_cast<float>(value); }

device::SiddonJosephLine describe_line(const LineGroup& group, std::size_t i) {
  return {device::place_line(group.start[i], group.step[i]), number(group.length_mm[i]),
          number(group.zoom[i]), number(group.zoom_step[i]), group.slices.along_y ? 1 : 0};
}

/// Returns the z component of a x b.
double cross_z(Vec3 a, Vec3 b) { return a.x * b.y - a.y * b.x; }

/// Returns the projection of points p of the plane of rotation to columns c. With s the source, D
/// the detector's reference point and d = p - s, c solves d x (D - s + c u) = 0; for a parallel
/// beam along f, (p - D - c u) x f = 0. On an arc, numerator and denominator are across and depth,
/// mm.
device::SiddonJosephView describe_view(const ScanGeometry& geometry, const VolumeGrid& grid,
                                       int v) {
  const View pose = geometry.view(v);
  const Vec3 p = grid.voxel_center_mm(0, 0, 0), x{grid.spacing_mm.x, 0, 0},
             y{0, grid.spacing_mm.y, 0}, ahead = pose.detector_mm - pose.source_mm;
  const bool parallel = geometry.beam() == Beam::parallel;
  const bool arc = !parallel && geometry.spec().detector == DetectorShape::arc;
  device::SiddonJosephView view{};
  if (parallel) {
    const Vec3 f = normalized(ahead);
    const double unit = cross_z(pose.u_mm, f);
    view.across_0 = number(cross_z(p - pose.detector_mm, f) / unit);
    view.across_x = number(cross_z(x, f) / unit);
    view.across_y = number(cross_z(y, f) / unit);
    view.depth_0 = 1;
  } else {
    const Vec3 d = p - pose.source_mm, across = normalized(pose.u_mm), forward = normalized(ahead);
    const auto over = [&](Vec3 a) { return arc ? dot(a, across) : -cross_z(a, ahead); };
    const auto under = [&](Vec3 a) { return arc ? dot(a, forward) : cross_z(a, pose.u_mm); };
    // Divided by the source-detector distance, so that the numbers suit float32.
    const double unit = arc ? norm(ahead) : norm(ahead) * norm(pose.u_mm);
    view.across_0 = number(over(d) / unit);
    view.across_x = number(over(x) / unit);
    view.across_y = number(over(y) / unit);
    view.depth_0 = number(under(d) / unit);
    view.depth_x = number(under(x) / unit);
    view.depth_y = number(under(y) / unit);
  }
  return view;
}

}  // namespace

SiddonJosephTables::SiddonJosephTables(const ScanGeometry& geometry, const VolumeGrid& grid)
    : planar(is_planar(geometry, grid)), climb(geometry, grid) {
  const ScanSpec& spec = geometry.spec();
  for (int v = 0; v < geometry.views(); ++v) add_view(geometry, grid, v);
  const bool arc = spec.detector == DetectorShape::arc && geometry.beam() != Beam::parallel;
  scan = {.view = views.data(),
          .line = lines.data(),
          .nx = grid.nx,
          .ny = grid.ny,
          .nz = grid.nz,
          .columns = geometry.columns(),
          .rows = geometry.rows(),
          .central_row = number(spec.central_row),
          .farthest_row = number(std::max(std::abs(spec.central_row),
                                          std::abs(geometry.rows() - 1 - spec.central_row))),
          .voxel_height_mm = number(grid.spacing_mm.z),
          .gain = number(arc ? spec.source_to_detector_mm / spec.column_pitch_mm : 1),
          .bias = number(spec.central_column),
          .arc = arc ? 1 : 0,
          .first_view = 0,
          .view_stride = 1,
          .views = geometry.views()};
}

void SiddonJosephTables::add_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v) {
  const PlaneLines found(geometry, grid, v);
  device::SiddonJosephView view = describe_view(geometry, grid, v);
  view.base = number(found.groups[0].base);
  const auto first = lines.size();
  lines.resize(first + static_cast<std::size_t>(geometry.columns()));
  for (const LineGroup& group : found.groups) {
    if (group.count() > 0) view.kinds |= group.slices.along_y ? 1 : 2;
    for (std::size_t i = 0; i < group.column.size(); ++i)
      lines[first + static_cast<std::size_t>(group.column[i])] = describe_line(group, i);
  }
  views.push_back(view);
}

bool suits_interval_kernels(const ScanGeometry& geometry, const VolumeGrid& grid,
                            device::RayWeighting weights) {
  // Joseph samples steeper rays along z, which the interval kernels do not cover.
  return has_upright_detector(geometry) &&
         (weights == device::RayWeighting::crossing || RayClimb(geometry, grid).relative < 1);
}

}  // namespace gantry
