#pragma once

#include "core/projectors/siddon_joseph/siddon_trace.hpp"

#include <cmath>

namespace gantry {

/// Joseph's method (IEEE Trans. Med. Imaging 1 (1982) 192) in float64: one sample on the middle
/// plane of each layer that the ray crosses, interpolated linearly in the other two directions,
/// times the path from layer to layer (mm). Outside the grid the volume is zero. The planes are
/// z = const if the ray runs along z more than along x and y (in mm), else x = const or y = const,
/// whichever the ray crosses more steeply, counted in voxels. In 2D a ray weighs two pixels in each
/// line of the image; these are the weights whose number of nonzeros Nourazar and Goossens (2021)
/// print in Table 2.
class JosephTrace {
 public:
  static constexpr RowDefinition definition = RowDefinition::other;

  /// Calls visit(voxel, weight_mm) for every voxel with iy in `rows` that the ray weighs.
  template <class Visit>
  static void trace(const VolumeGrid& grid, RowRange rows, const Ray& ray, const Visit& visit) {
    const double direction[3] = {ray.direction.x / grid.spacing_mm.x,
                                 ray.direction.y / grid.spacing_mm.y,
                                 ray.direction.z / grid.spacing_mm.z};
    const Vec3 from = ray.origin_mm - grid.origin_mm;  // from the centre of voxel (0, 0, 0)
    const double origin[3] = {from.x / grid.spacing_mm.x, from.y / grid.spacing_mm.y,
                              from.z / grid.spacing_mm.z};
    // At 45 degrees the layers are y = const; the margin keeps rounding from changing this.
    const bool along_y = std::abs(direction[0]) <= std::abs(direction[1]) * (1 + 1e-12);
    const Vec3 d = ray.direction;
    const bool along_z = std::abs(d.z) > std::max(std::abs(d.x), std::abs(d.y)) * (1 + 1e-12);
    const int axis = along_z ? 2 : along_y ? 1 : 0;
    const int one = axis == 0 ? 1 : 0, two = axis == 2 ? 1 : 2;
    const int size[3] = {grid.nx, grid.ny, grid.nz};
    const double path_mm = 1 / std::abs(direction[axis]);
    for (int k = axis == 1 ? rows.first : 0; k < (axis == 1 ? rows.last : size[axis]); ++k) {
      const double a = (k - origin[axis]) / direction[axis];
      const double u = origin[one] + a * direction[one], v = origin[two] + a * direction[two];
      const double u_floor = std::floor(u), v_floor = std::floor(v);
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
          int at[3];
          at[axis] = k;
          if (!place(u_floor + i, size[one], at[one]) || !place(v_floor + j, size[two], at[two]))
            continue;
          if (at[1] < rows.first || at[1] >= rows.last) continue;
          const double weight = path_mm * (i == 0 ? 1 - (u - u_floor) : u - u_floor) *
                                (j == 0 ? 1 - (v - v_floor) : v - v_floor);
          if (weight > 0) visit(grid.index(at[0], at[1], at[2]), weight);
        }
    }
  }

 private:
  static bool place(double index, int size, int& out) {
    if (!(index >= 0 && index < size)) return false;
    out = static_cast<int>(index);
    return true;
  }
};

}  // namespace gantry
