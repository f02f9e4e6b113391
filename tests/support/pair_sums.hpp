#pragma once

#include "core/data/volume.hpp"
#include "core/priors/qggmrf.hpp"

#include <cmath>
#include <cstdlib>
#include <vector>

namespace gantry::test {

/// Returns grids with different neighbourhoods: flat, thick, anisotropic, one voxel along an axis.
inline std::vector<VolumeGrid> pair_grids() {
  return {VolumeGrid::centered(9, 7, 1, {2, 2, 5}),   VolumeGrid::centered(6, 5, 4, {1, 1, 1}),
          VolumeGrid::centered(5, 6, 3, {1, 1.5, 4}), VolumeGrid::centered(13, 1, 1, {1, 1, 1}),
          VolumeGrid::centered(1, 13, 1, {1, 1, 1}),  VolumeGrid::centered(1, 1, 9, {1, 1, 1}),
          VolumeGrid::centered(2, 2, 2, {1, 1, 3}),   VolumeGrid::centered(40, 3, 2, {1, 1, 1})};
}

/// The q-GGMRF prior as a sum over all pairs of neighbouring voxels, in float64.
class PairSums {
 public:
  PairSums(const VolumeGrid& grid, const QggmrfShape& shape) : shape_(shape) {
    const Vec3 s = grid.spacing_mm;
    double all = 0;  // sum of the weights around a voxel in the interior
    for (int z = grid.nz > 1 ? -1 : 0; z <= (grid.nz > 1 ? 1 : 0); ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          if (x != 0 || y != 0 || z != 0) all += 1 / std::hypot(x * s.x, y * s.y, z * s.z);
    const int n = static_cast<int>(grid.voxels());
    const auto place = [&](int j) {
      return Vec3{static_cast<double>(j % grid.nx), static_cast<double>(j / grid.nx % grid.ny),
                  static_cast<double>(j / grid.nx / grid.ny)};
    };
    for (int j = 0; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        const Vec3 a = place(j), b = place(k);
        const double dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y), dz = std::abs(a.z - b.z);
        if (dx <= 1 && dy <= 1 && dz <= 1)
          pairs_.push_back({static_cast<std::size_t>(j), static_cast<std::size_t>(k),
                            1 / std::hypot(dx * s.x, dy * s.y, dz * s.z) / all});
      }
  }

  double value(const std::vector<double>& x) const {
    double sum = 0;
    for (const Pair& p : pairs_) sum += p.weight * shape_.value(x[p.j] - x[p.k]);
    return sum;
  }
  double curvature(const std::vector<double>& x, std::size_t voxel) const {
    double sum = 0;
    for (const Pair& p : pairs_)
      if (p.j == voxel || p.k == voxel) sum += 2 * p.weight * shape_.influence(x[p.j] - x[p.k]);
    return sum;
  }
  PriorLine along(const std::vector<float>& x, const std::vector<float>& d, double a) const {
    PriorLine line;
    for (const Pair& p : pairs_) {
      const double change = static_cast<double>(d[p.j]) - d[p.k],
                   t = static_cast<double>(x[p.j]) - x[p.k] + a * change,
                   pull = p.weight * shape_.influence(t) * change;
      line += {pull * t, pull * change};
    }
    return line;
  }
  /// Returns the sum of the magnitudes of the terms of a slope, to which its rounding error is
  /// relative.
  double scale(const std::vector<float>& x, const std::vector<float>& d) const {
    double sum = 0;
    for (const Pair& p : pairs_) {
      const double t = static_cast<double>(x[p.j]) - x[p.k];
      sum += std::abs(p.weight * shape_.influence(t) * t * (d[p.j] - d[p.k]));
    }
    return sum;
  }

 private:
  struct Pair {
    std::size_t j, k;
    double weight;
  };
  QggmrfShape shape_;
  std::vector<Pair> pairs_;
};

}  // namespace gantry::test
