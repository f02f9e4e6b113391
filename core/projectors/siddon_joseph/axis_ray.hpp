#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <cmath>

namespace gantry {

/// A ray that runs along an axis but for what rounding leaves of sines and cosines, made to do so;
/// between two planes of voxels it is moved into the upper one. All that computes weights one by
/// one begins here, so that it finds such a ray in the same voxels, however it rounds.
inline Ray along_its_axis(Ray ray, const VolumeGrid& grid) {
  constexpr double least = 1e-13;   // of a direction
  constexpr double nearby = 1e-10;  // of a voxel
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
