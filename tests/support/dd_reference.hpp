#pragma once

// The distance-driven weights from their definition: a loop over overlaps in float64 that uses only
// the rays of the geometry.
#include "tests/support/scans.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry::test {

inline double overlap(double a, double b, double c, double d) {
  return std::max(0.0, std::min(std::max(a, b), d) - std::max(std::min(a, b), c));
}

/// The intersection of a ray with the plane w = const: the coordinate u (x or y) and z.
struct Hit {
  double u, z;
};
inline Hit meet(const Ray& ray, bool along_y, double w) {
  const double o = along_y ? ray.origin_mm.y : ray.origin_mm.x,
               d = along_y ? ray.direction.y : ray.direction.x;
  const double a = (w - o) / d;
  return {along_y ? ray.origin_mm.x + a * ray.direction.x : ray.origin_mm.y + a * ray.direction.y,
          ray.origin_mm.z + a * ray.direction.z};
}

/// Returns the detector column whose ray passes through (u, w), by the secant method on the rays of
/// the geometry.
inline double column_through(const ScanGeometry& g, int view, bool along_y, double u, double w) {
  const auto miss = [&](double column) { return meet(g.ray(view, column, 0), along_y, w).u - u; };
  double a = 0, b = g.columns(), miss_a = miss(a), miss_b = miss(b);
  for (int step = 0; step < 60 && std::abs(miss_b) > 1e-10 && miss_b != miss_a; ++step) {
    const double next = b - miss_b * (b - a) / (miss_b - miss_a);
    a = b;
    miss_a = miss_b;
    b = next;
    miss_b = miss(b);
  }
  return b;
}

/// The point that determines the magnification along z: the centre of the voxel column, as in the
/// projector, or the point of the plane that the central ray of the cell hits.
enum class Magnified { at_voxel, at_cell };

/// Returns whether one row of a parallel or fan beam measures a single slice; heights are then
/// ignored.
inline bool is_flat_problem(const ScanCase& c) {
  return c.grid.nz == 1 && c.geometry->rows() == 1 && c.geometry->beam() != Beam::cone;
}
/// Returns whether the layers are planes y = const: where the source is closer to the y axis than
/// to the x axis.
inline bool is_along_y(const ScanGeometry& g, int view) {
  const double t = g.angle_rad(view);
  return std::abs(std::sin(t)) <= std::abs(std::cos(t)) * (1 + 1e-12);
}
/// Returns the length of the central ray of a cell within one layer, mm.
inline double path_per_slice(const ScanCase& c, int view, int column, int row) {
  const bool along_y = is_along_y(*c.geometry, view);
  const Vec3 direction = c.geometry->ray(view, column, row).direction, d = c.grid.spacing_mm;
  return along_y ? d.y / std::abs(direction.y) : d.x / std::abs(direction.x);
}

inline double ray_sum(const ScanCase& c, const std::vector<float>& f, int view, int column, int row,
                      Magnified magnified = Magnified::at_voxel) {
  const ScanGeometry& g = *c.geometry;
  const VolumeGrid& v = c.grid;
  const Vec3 lower = v.lower_corner_mm();
  const bool flat_problem = is_flat_problem(c), along_y = is_along_y(g, view);
  const Ray left = g.ray(view, column - 0.5, row), right = g.ray(view, column + 0.5, row);
  const double du = along_y ? v.spacing_mm.x : v.spacing_mm.y;
  const double u_lower = along_y ? lower.x : lower.y;
  const int slices = along_y ? v.ny : v.nx, width = along_y ? v.nx : v.ny;
  const double path = path_per_slice(c, view, column, row);
  double sum = 0;
  for (int k = 0; k < slices; ++k) {
    const Vec3 centre = v.voxel_center_mm(k, k, 0);
    const double w = along_y ? centre.y : centre.x;
    const double a = meet(left, along_y, w).u, b = meet(right, along_y, w).u;
    for (int i = 0; i < width; ++i) {
      const double share =
          overlap(a, b, u_lower + i * du, u_lower + (i + 1) * du) / std::abs(b - a);
      if (share == 0) continue;
      const double through = flat_problem || magnified == Magnified::at_cell
                                 ? column
                                 : column_through(g, view, along_y, u_lower + (i + 0.5) * du, w);
      const double z0 = meet(g.ray(view, through, row - 0.5), along_y, w).z,
                   z1 = meet(g.ray(view, through, row + 0.5), along_y, w).z;
      for (int z = 0; z < v.nz; ++z) {
        const double below = lower.z + z * v.spacing_mm.z;
        const double axial =
            flat_problem ? 1.0 : overlap(z0, z1, below, below + v.spacing_mm.z) / std::abs(z1 - z0);
        sum += share * axial * path * f[along_y ? v.index(i, k, z) : v.index(k, i, z)];
      }
    }
  }
  return sum;
}

/// Returns the mean of one view over the shadow of a voxel, each ray times its path length: the
/// term of one view in the published branchless backprojections (Liu et al. 2017, eqs. 21 to 25).
/// The shadow is a rectangle on the detector: between the rays through the sides of the voxel's
/// pixel, in the middle plane of the layer, and between those through the faces of the voxel at the
/// centre of the pixel.
inline double shadow_mean(const ScanCase& c, const std::vector<float>& y, int view, int ix, int iy,
                          int iz) {
  const ScanGeometry& g = *c.geometry;
  const VolumeGrid& v = c.grid;
  const bool along_y = is_along_y(g, view);
  const Vec3 centre = v.voxel_center_mm(ix, iy, iz), half = 0.5 * v.spacing_mm;
  const double w = along_y ? centre.y : centre.x, u = along_y ? centre.x : centre.y,
               half_u = along_y ? half.x : half.y;
  const auto [left, right] = std::minmax({column_through(g, view, along_y, u - half_u, w),
                                          column_through(g, view, along_y, u + half_u, w)});
  const double middle = column_through(g, view, along_y, u, w),
               z0 = meet(g.ray(view, middle, 0), along_y, w).z,
               pitch = meet(g.ray(view, middle, 1), along_y, w).z - z0;
  const bool flat_problem = is_flat_problem(c);
  const double low = flat_problem ? -0.5 : (centre.z - half.z - z0) / pitch,
               high = flat_problem ? 0.5 : (centre.z + half.z - z0) / pitch;
  double sum = 0;
  for (int row = std::max(0, static_cast<int>(low - 1)); row < g.rows() && row - 0.5 < high; ++row)
    for (int column = std::max(0, static_cast<int>(left - 1));
         column < g.columns() && column - 0.5 < right; ++column) {
      const double area = overlap(left, right, column - 0.5, column + 0.5) *
                          overlap(low, high, row - 0.5, row + 0.5);
      if (area > 0)
        sum += area * path_per_slice(c, view, column, row) *
               y[(static_cast<std::size_t>(view) * static_cast<std::size_t>(g.rows()) +
                  static_cast<std::size_t>(row)) *
                     static_cast<std::size_t>(g.columns()) +
                 static_cast<std::size_t>(column)];
    }
  return sum / ((right - left) * (high - low));
}

}  // namespace gantry::test
