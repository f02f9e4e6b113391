#include "core/projectors/siddon_joseph/plane_lines.hpp"

#include <cmath>

namespace gantry {

PlaneLines::PlaneLines(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
    : groups{LineGroup{Layers::of(grid, true), {}, {}, {}, {}, {}, {}, 0},
             LineGroup{Layers::of(grid, false), {}, {}, {}, {}, {}, {}, 0}} {
  const ViewRays rays(geometry, view);
  const View pose = geometry.view(view);
  const ScanSpec& spec = geometry.spec();
  const bool diverges = geometry.beam() == Beam::cone;
  const double central_row = spec.central_row;
  const double rise_mm = rays.detector_point_mm(0, central_row + 1).z -
                         rays.detector_point_mm(0, central_row).z;  // per row, at the detector
  for (LineGroup& group : groups) {
    group.base = (pose.detector_mm.z - grid.lower_corner_mm().z) / grid.spacing_mm.z;
    const auto columns = static_cast<std::size_t>(geometry.columns());
    group.column.reserve(columns);
    for (auto* values :
         {&group.start, &group.step, &group.length_mm, &group.zoom, &group.zoom_step})
      values->reserve(columns);
  }
  for (int column = 0; column < geometry.columns(); ++column) {
    const Ray ray = rays.ray(column, central_row);
    const Vec3 d = ray.direction, o = ray.origin_mm;
    // At 45 degrees the layers are y = const; the margin keeps rounding from changing this.
    const bool along_y =
        std::abs(d.x) / grid.spacing_mm.x <= std::abs(d.y) / grid.spacing_mm.y * (1 + 1e-12);
    LineGroup& group = groups[along_y ? 0 : 1];
    const Layers& s = group.slices;
    const double du = along_y ? d.x : d.y, dw = along_y ? d.y : d.x;
    const double ou = along_y ? o.x : o.y, ow = along_y ? o.y : o.x;
    const double slope = du / dw;
    group.column.push_back(column);
    group.start.push_back((ou + (s.w_first_mm - ow) * slope - s.u_lower_mm) / s.u_spacing_mm);
    group.step.push_back(s.w_spacing_mm * slope / s.u_spacing_mm);
    group.length_mm.push_back(s.w_spacing_mm * std::sqrt(1 + slope * slope));
    const Vec3 target = rays.detector_point_mm(column, central_row);
    const double depth = (along_y ? target.y : target.x) - ow;  // source to detector, along w
    const double per_voxel = rise_mm / grid.spacing_mm.z;
    group.zoom.push_back(diverges ? per_voxel * (s.w_first_mm - ow) / depth : per_voxel);
    group.zoom_step.push_back(diverges ? per_voxel * s.w_spacing_mm / depth : 0);
  }
}

bool has_upright_detector(const ScanGeometry& geometry) {
  for (int v = 0; v < geometry.views(); ++v) {
    const View pose = geometry.view(v);
    if (pose.v_mm.x != 0 || pose.v_mm.y != 0 || pose.u_mm.z != 0 ||
        pose.source_mm.z != pose.detector_mm.z)
      return false;
  }
  return true;
}

}  // namespace gantry
