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
  static constexpr std::string_view name = "joseph";

  /// The distance from a voxel's centre within which a ray with a weight passes, in voxels.
  static constexpr double reach = 1;

  /// Calls visit(voxel, weight_mm) for every voxel with iy in `rows` that the ray weighs.
  template <class Visit>
  static void trace(const VolumeGrid& grid, RowRange rows, const Ray& ray, const Visit& visit) {
    const Samples line(grid, ray);
    const int axis = line.axis, one = line.one, two = line.two;
    const int size[3] = {grid.nx, grid.ny, grid.nz};
    for (int k = axis == 1 ? rows.first : 0; k < (axis == 1 ? rows.last : size[axis]); ++k) {
      const double u = line.at(one, k), v = line.at(two, k);
      const double u_floor = std::floor(u), v_floor = std::floor(v);
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
          int at[3];
          at[axis] = k;
          if (!place(u_floor + i, size[one], at[one]) || !place(v_floor + j, size[two], at[two]))
            continue;
          if (at[1] < rows.first || at[1] >= rows.last) continue;
          const double weight = line.path_mm * (i == 0 ? 1 - (u - u_floor) : u - u_floor) *
                                (j == 0 ? 1 - (v - v_floor) : v - v_floor);
          if (weight > 0) visit(grid.index(at[0], at[1], at[2]), weight);
        }
    }
  }

  /// Returns the weight of a voxel, mm.
  static double weight(const VolumeGrid& grid, const Ray& ray, int ix, int iy, int iz) {
    const Samples line(grid, ray);
    const int at[3] = {ix, iy, iz};
    const auto part = [&](int axis) {
      return std::max(0.0, 1 - std::abs(line.at(axis, at[line.axis]) - at[axis]));
    };
    return line.path_mm * part(line.one) * part(line.two);
  }

 private:
  /// The samples of a ray on the middle planes of the layers along `axis`, in voxels from the
  /// centre of voxel (0, 0, 0).
  struct Samples {
    double direction[3], origin[3], path_mm;
    int axis, one, two;

    Samples(const VolumeGrid& grid, const Ray& ray)
        : direction{ray.direction.x / grid.spacing_mm.x, ray.direction.y / grid.spacing_mm.y,
                    ray.direction.z / grid.spacing_mm.z} {
      const Vec3 from = ray.origin_mm - grid.origin_mm;
      origin[0] = from.x / grid.spacing_mm.x;
      origin[1] = from.y / grid.spacing_mm.y;
      origin[2] = from.z / grid.spacing_mm.z;
      // At 45 degrees the layers are y = const; the margin keeps rounding from changing this.
      const bool along_y = std::abs(direction[0]) <= std::abs(direction[1]) * (1 + 1e-12);
      const Vec3 d = ray.direction;
      const bool along_z = std::abs(d.z) > std::max(std::abs(d.x), std::abs(d.y)) * (1 + 1e-12);
      axis = along_z ? 2 : along_y ? 1 : 0;
      one = axis == 0 ? 1 : 0;
      two = axis == 2 ? 1 : 2;
      path_mm = 1 / std::abs(direction[axis]);
    }
    /// Returns the coordinate along another axis where the ray meets the middle of layer k.
    double at(int other, int k) const {
      const double a = (k - origin[axis]) / direction[axis];
      return origin[other] + a * direction[other];
    }
  };

  static bool place(double index, int size, int& out) {
    if (!(index >= 0 && index < size)) return false;
    out = static_cast<int>(index);
    return true;
  }
};

}  // namespace gantry
