#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <cmath>

namespace gantry {

/// Returns the ray with every direction component below 1e-13 set to zero: such a component is only
/// the rounding of a sine or cosine. Where the ray then runs on the face between two voxels, it is
/// moved into the upper voxel. All code that computes single weights calls this function first, so
/// that all of it assigns such a ray to the same voxels, whatever its own rounding.
inline Ray along_its_axis(Ray ray, const VolumeGrid& grid) {
  constexpr double least = 1e-13;   // component of a unit vector
  constexpr double nearby = 1e-10;  // distance from a face, in voxels
  const Vec3 lower = grid.lower_corner_mm();
  const auto settle = [](double& origin, double& direction, double low, double spacing) {
    if (!(std::abs(direction) < least)) return;
    direction = 0;
    const double place = (origin - low) / spacing;
    if (std::abs(place - std::round(place)) < nearby)
      origin = low + (std::round(place) + nearby) * spacing;
  };
  settle(ray.origin_mm.x, ray.direction.x, lower.x, grid.spacing_mm.x);
  settle(ray.origin_mm.y, ray.direction.y, lower.y, grid.spacing_mm.y);
  settle(ray.origin_mm.z, ray.direction.z, lower.z, grid.spacing_mm.z);
  return ray;
}

}  // namespace gantry
