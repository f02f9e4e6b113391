#include "core/data/oblique_slice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace gantry {

namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

double diagonal_mm(const VolumeGrid& grid) {
  return norm(grid.upper_corner_mm() - grid.lower_corner_mm());
}

/// Returns the linearly interpolated value at a position in voxels; outside the outermost centres
/// the coordinates are clamped, and beyond the edges of the voxels there is nothing.
float interpolated(const VolumeGrid& grid, std::span<const float> values, Vec3 at) {
  if (!(at.x >= -0.5 && at.x <= grid.nx - 0.5 && at.y >= -0.5 && at.y <= grid.ny - 0.5 &&
        at.z >= -0.5 && at.z <= grid.nz - 0.5))
    return outside_of_oblique;
  const auto split = [](double position, int size) {
    const double inside = std::clamp(position, 0.0, static_cast<double>(size - 1));
    const int first = std::min(static_cast<int>(inside), std::max(size - 2, 0));
    return std::pair(first, static_cast<float>(inside - first));
  };
  const auto [ix, fx] = split(at.x, grid.nx);
  const auto [iy, fy] = split(at.y, grid.ny);
  const auto [iz, fz] = split(at.z, grid.nz);
  const int jx = std::min(ix + 1, grid.nx - 1), jy = std::min(iy + 1, grid.ny - 1),
            jz = std::min(iz + 1, grid.nz - 1);
  const auto row = [&, ix = ix, fx = fx](int y, int z) {
    return (1 - fx) * values[grid.index(ix, y, z)] + fx * values[grid.index(jx, y, z)];
  };
  const float low = (1 - fy) * row(iy, iz) + fy * row(jy, iz);
  const float high = (1 - fy) * row(iy, jz) + fy * row(jy, jz);
  return (1 - fz) * low + fz * high;
}

}  // namespace

Vec3 ObliquePlane::across() const {
  return {std::cos(radians(turn_deg)), std::sin(radians(turn_deg)), 0};
}

Vec3 ObliquePlane::along() const {
  const double tilt = radians(tilt_deg), turn = radians(turn_deg);
  return {-std::cos(tilt) * std::sin(turn), std::cos(tilt) * std::cos(turn), std::sin(tilt)};
}

Vec3 ObliquePlane::normal() const { return cross(across(), along()); }

SliceImage oblique_slice(const VolumeGrid& grid, std::span<const float> values,
                         const ObliquePlane& plane) {
  const Vec3 u = plane.across(), v = plane.along();
  const Vec3 low = grid.lower_corner_mm(), high = grid.upper_corner_mm();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double u_low = infinite, u_high = -infinite, v_low = infinite, v_high = -infinite;
  for (unsigned int corner = 0; corner < 8; ++corner) {
    const Vec3 at = Vec3{(corner & 1U) != 0 ? high.x : low.x, (corner & 2U) != 0 ? high.y : low.y,
                         (corner & 4U) != 0 ? high.z : low.z} -
                    plane.through_mm;
    u_low = std::min(u_low, dot(at, u));
    u_high = std::max(u_high, dot(at, u));
    v_low = std::min(v_low, dot(at, v));
    v_high = std::max(v_high, dot(at, v));
  }
  SliceImage image;
  const double side = std::min({grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z});
  image.du_mm = image.dv_mm = side;
  // Pixel centres lie at whole multiples of the side, so that one is at the point.
  const auto first = [side](double edge) { return std::ceil(edge / side - 1e-6); };
  image.u0_mm = side * first(u_low);
  image.v0_mm = side * first(v_low);
  image.width = std::max(1, static_cast<int>(std::floor((u_high - image.u0_mm) / side + 1e-6)) + 1);
  image.height =
      std::max(1, static_cast<int>(std::floor((v_high - image.v0_mm) / side + 1e-6)) + 1);
  image.values.resize(static_cast<std::size_t>(image.width) *
                      static_cast<std::size_t>(image.height));
  const auto in_voxels = [&grid](Vec3 mm) {
    return Vec3{mm.x / grid.spacing_mm.x, mm.y / grid.spacing_mm.y, mm.z / grid.spacing_mm.z};
  };
  const Vec3 step = in_voxels(side * u);
#pragma omp parallel for schedule(static)
  for (int iv = 0; iv < image.height; ++iv) {
    const Vec3 start =
        plane.through_mm + image.u0_mm * u + (image.v0_mm + iv * side) * v - grid.origin_mm;
    const Vec3 from = in_voxels(start);
    float* const row = image.values.data() + std::ptrdiff_t{iv} * image.width;
    for (int iu = 0; iu < image.width; ++iu)
      row[iu] = interpolated(grid, values, from + static_cast<double>(iu) * step);
  }
  return image;
}

LineSegment trace_of(const ObliquePlane& plane, Axis axis, const VolumeGrid& grid) {
  const Vec3 n = plane.normal(), at = plane.through_mm;
  const double reach = diagonal_mm(grid);
  const auto line = [reach](double u, double v, double du, double dv) {
    const double length = std::hypot(du, dv);
    if (length < 1e-6) return LineSegment{u, v, u, v};
    const double su = reach * du / length, sv = reach * dv / length;
    return LineSegment{u - su, v - sv, u + su, v + sv};
  };
  // The direction of the line is normal to both planes' normals.
  if (axis == Axis::axial) return line(at.x, at.y, n.y, -n.x);
  if (axis == Axis::coronal) return line(at.x, at.z, n.z, -n.x);
  return line(at.y, at.z, n.z, -n.y);
}

}  // namespace gantry
