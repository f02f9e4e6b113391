#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/operator/row_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gantry {

/// The voxels of a grid with iy = first .. last - 1.
struct RowRange {
  int first, last;
};

/// Siddon's ray tracing (Med. Phys. 12 (1985) 252) in float64. A ray o + a d (d of unit length, a
/// in mm) leaves its present voxel at the nearest of the next planes of constant x, y or z; the
/// path between two such crossings is the length inside the voxel.
class SiddonTrace {
 public:
  static constexpr RowDefinition definition = RowDefinition::siddon;
  static constexpr std::string_view name = "siddon";
  /// The distance from a voxel's centre within which a ray with a weight passes, in voxels.
  static constexpr double reach = 0.5;

  /// Calls visit(voxel, length_mm) for every voxel with iy in `rows` that the ray crosses, in the
  /// order along the ray.
  template <class Visit>
  static void trace(const VolumeGrid& grid, RowRange rows, const Ray& ray, const Visit& visit) {
    const Vec3 lower = grid.lower_corner_mm(), upper = grid.upper_corner_mm();
    const Vec3 o = ray.origin_mm, d = ray.direction, spacing = grid.spacing_mm;
    double entry = -infinity, exit = infinity;
    clip(o.y, d.y, lower.y + rows.first * spacing.y, lower.y + rows.last * spacing.y, entry, exit);
    clip(o.x, d.x, lower.x, upper.x, entry, exit);
    clip(o.z, d.z, lower.z, upper.z, entry, exit);
    if (!(entry < exit)) return;
    std::array<Walk, 3> walks = {start(o.x, d.x, lower.x, spacing.x, 0, grid.nx, entry),
                                 start(o.y, d.y, lower.y, spacing.y, rows.first, rows.last, entry),
                                 start(o.z, d.z, lower.z, spacing.z, 0, grid.nz, entry)};
    const std::array<int, 3> first = {0, rows.first, 0}, last = {grid.nx, rows.last, grid.nz};
    double at = entry;
    while (at < exit) {
      const std::size_t nearest = walks[0].next < walks[1].next
                                      ? (walks[0].next < walks[2].next ? 0 : 2)
                                      : (walks[1].next < walks[2].next ? 1 : 2);
      Walk& walk = walks[nearest];
      const double leave = std::min(walk.next, exit);
      if (leave > at) {
        visit(grid.index(walks[0].index, walks[1].index, walks[2].index), leave - at);
        at = leave;
      }
      walk.index += walk.step;
      if (walk.index < first[nearest] || walk.index >= last[nearest]) return;
      walk.next += walk.advance;
    }
  }

  /// Returns the length of the ray in a voxel, mm.
  static double weight(const VolumeGrid& grid, const Ray& ray, int ix, int iy, int iz) {
    const Vec3 lower = grid.lower_corner_mm(), spacing = grid.spacing_mm;
    const Vec3 o = ray.origin_mm, d = ray.direction;
    double entry = -infinity, exit = infinity;
    clip(o.x, d.x, lower.x + ix * spacing.x, lower.x + (ix + 1) * spacing.x, entry, exit);
    clip(o.y, d.y, lower.y + iy * spacing.y, lower.y + (iy + 1) * spacing.y, entry, exit);
    clip(o.z, d.z, lower.z + iz * spacing.z, lower.z + (iz + 1) * spacing.z, entry, exit);
    return std::max(0.0, exit - entry);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// State of the walk through the voxels along one axis.
  struct Walk {
    int index, step;
    double next, advance;  ///< path length at the next plane, and between planes, mm
  };

  static Walk start(double origin, double direction, double lower, double spacing, int first,
                    int last, double entry) {
    const double place = (origin + entry * direction - lower) / spacing;
    Walk walk{std::clamp(static_cast<int>(std::floor(place)), first, last - 1),
              direction < 0 ? -1 : 1, infinity, infinity};
    if (direction != 0) {
      const double plane = lower + (walk.index + (walk.step > 0 ? 1 : 0)) * spacing;
      walk.next = (plane - origin) / direction;
      walk.advance = spacing / std::abs(direction);
    }
    return walk;
  }

  /// Narrows [entry, exit] to the part of the ray with low <= coordinate <= high.
  static void clip(double origin, double direction, double low, double high, double& entry,
                   double& exit) {
    if (direction == 0) {
      if (origin < low || origin >= high) exit = -infinity;
      return;
    }
    const double a = (low - origin) / direction, b = (high - origin) / direction;
    entry = std::max(entry, std::min(a, b));
    exit = std::min(exit, std::max(a, b));
  }
};

}  // namespace gantry
