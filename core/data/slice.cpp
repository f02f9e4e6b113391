#include "core/data/slice.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

double bilinear(const SliceImage& s, double iu, double iv) {
  const double u = std::clamp(iu, 0.0, s.width - 1.0), v = std::clamp(iv, 0.0, s.height - 1.0);
  const int u0 = std::min(static_cast<int>(u), std::max(s.width - 2, 0));
  const int v0 = std::min(static_cast<int>(v), std::max(s.height - 2, 0));
  const int u1 = std::min(u0 + 1, s.width - 1), v1 = std::min(v0 + 1, s.height - 1);
  const double fu = u - u0, fv = v - v0;
  const auto at = [&](int a, int b) {
    return static_cast<double>(
        s.values[static_cast<std::size_t>(b) * static_cast<std::size_t>(s.width) +
                 static_cast<std::size_t>(a)]);
  };
  return (1 - fv) * ((1 - fu) * at(u0, v0) + fu * at(u1, v0)) +
         fv * ((1 - fu) * at(u0, v1) + fu * at(u1, v1));
}

}  // namespace

bool SliceImage::contains(double u_mm, double v_mm) const {
  const double iu = (u_mm - u0_mm) / du_mm, iv = (v_mm - v0_mm) / dv_mm;
  return iu >= -0.5 && iv >= -0.5 && iu < width - 0.5 && iv < height - 0.5;
}

double SliceImage::value_at(double u_mm, double v_mm) const {
  return contains(u_mm, v_mm) ? bilinear(*this, (u_mm - u0_mm) / du_mm, (v_mm - v0_mm) / dv_mm)
                              : 0.0;
}

int slice_count(const VolumeGrid& grid, Axis axis) {
  return axis == Axis::axial ? grid.nz : axis == Axis::coronal ? grid.ny : grid.nx;
}

double slice_position_mm(const VolumeGrid& grid, Axis axis, int index) {
  const Vec3 center = grid.voxel_center_mm(index, index, index);
  return axis == Axis::axial ? center.z : axis == Axis::coronal ? center.y : center.x;
}

SliceImage slice_frame(const VolumeGrid& grid, Axis axis, int index) {
  SliceImage s;
  s.axis = axis;
  s.index = std::clamp(index, 0, slice_count(grid, axis) - 1);
  s.position_mm = slice_position_mm(grid, axis, s.index);
  const bool along_x = axis != Axis::sagittal, up_y = axis == Axis::axial;
  s.width = along_x ? grid.nx : grid.ny;
  s.height = up_y ? grid.ny : grid.nz;
  s.u0_mm = along_x ? grid.origin_mm.x : grid.origin_mm.y;
  s.v0_mm = up_y ? grid.origin_mm.y : grid.origin_mm.z;
  s.du_mm = along_x ? grid.spacing_mm.x : grid.spacing_mm.y;
  s.dv_mm = up_y ? grid.spacing_mm.y : grid.spacing_mm.z;
  return s;
}

SliceImage extract_slice(const VolumeGrid& grid, const Array& mu, Axis axis, int index) {
  SliceImage s = slice_frame(grid, axis, index);
  s.values.resize(static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height));
  // The lines of a cut start at equal distances in memory: lines along x, or, in a sagittal cut,
  // single voxels.
  const auto nx = static_cast<std::size_t>(grid.nx), ny = static_cast<std::size_t>(grid.ny),
             nz = static_cast<std::size_t>(grid.nz);
  const auto copy = [&](std::size_t first, std::size_t stride, std::size_t count,
                        std::size_t lines) {
    mu.backend().gather_lines(mu.data() + first, stride, count, lines, s.values.data());
  };
  if (axis == Axis::axial)
    copy(grid.index(0, 0, s.index), nx * ny, nx * ny, 1);
  else if (axis == Axis::coronal)
    copy(grid.index(0, s.index, 0), nx * ny, nx, nz);
  else
    copy(grid.index(s.index, 0, 0), nx, 1, ny * nz);
  return s;
}

SliceImage extract_slice(const VolumeGrid& grid, std::span<const float> values, Axis axis,
                         int index) {
  SliceImage s = slice_frame(grid, axis, index);
  s.values.reserve(static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height));
  for (int iv = 0; iv < s.height; ++iv)
    for (int iu = 0; iu < s.width; ++iu)
      s.values.push_back(values[axis == Axis::axial     ? grid.index(iu, iv, s.index)
                                : axis == Axis::coronal ? grid.index(iu, s.index, iv)
                                                        : grid.index(s.index, iu, iv)]);
  return s;
}

double LineSegment::length_mm() const { return std::hypot(u1_mm - u0_mm, v1_mm - v0_mm); }

LineProfile sample_profile(const SliceImage& slice, const LineSegment& segment) {
  LineProfile profile;
  const double length = segment.length_mm(), step = 0.5 * std::min(slice.du_mm, slice.dv_mm);
  const int steps = std::max(1, static_cast<int>(std::ceil(length / step)));
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    profile.position_mm.push_back(t * length);
    profile.value.push_back(slice.value_at(segment.u0_mm + t * (segment.u1_mm - segment.u0_mm),
                                           segment.v0_mm + t * (segment.v1_mm - segment.v0_mm)));
  }
  return profile;
}

}  // namespace gantry
