#pragma once

#include "core/base/vec3.hpp"

#include <cstddef>
#include <string>

namespace gantry {

/// A regular grid of voxels, [iz][iy][ix]. Voxel (ix, iy, iz) has its centre at origin_mm + index *
/// spacing_mm and the linear index (iz * ny + iy) * nx + ix. A 2D image is a grid with nz = 1.
struct VolumeGrid {
  int nx = 1, ny = 1, nz = 1;
  Vec3 spacing_mm{1, 1, 1};
  Vec3 origin_mm{0, 0, 0};

  std::size_t voxels() const {
    return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
           static_cast<std::size_t>(nz);
  }
  std::size_t index(int ix, int iy, int iz) const {
    return (static_cast<std::size_t>(iz) * ny + iy) * static_cast<std::size_t>(nx) + ix;
  }
  Vec3 voxel_center_mm(double ix, double iy, double iz) const {
    return {origin_mm.x + ix * spacing_mm.x, origin_mm.y + iy * spacing_mm.y,
            origin_mm.z + iz * spacing_mm.z};
  }
  /// Return the corners of the grid, half a voxel outside the first and last voxel centres.
  Vec3 lower_corner_mm() const { return voxel_center_mm(-0.5, -0.5, -0.5); }
  Vec3 upper_corner_mm() const { return voxel_center_mm(nx - 0.5, ny - 0.5, nz - 0.5); }
  Vec3 center_mm() const { return 0.5 * (lower_corner_mm() + upper_corner_mm()); }

  /// Returns a grid whose centre is the origin of the world.
  static VolumeGrid centered(int nx, int ny, int nz, Vec3 spacing_mm);

  /// Throws InputError if a size is not 1 to 65536, a spacing not 1e-7 to 1e9 mm, or an origin not
  /// within 1e12 mm.
  void validate(const std::string& where) const;

  friend bool operator==(const VolumeGrid&, const VolumeGrid&) = default;
};

/// Returns a text such as "512 x 512 of 0.45 mm" or "512 x 512 x 28 of 0.45 x 0.45 x 5 mm".
std::string describe(const VolumeGrid& grid, bool lengths_are_known = true);

}  // namespace gantry
