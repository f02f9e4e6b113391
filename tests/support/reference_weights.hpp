#pragma once

#include "core/operator/projector.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gantry::test {

/// The single weights of a scan, ray by ray, and products with them in float64.
class ReferenceWeights {
 public:
  explicit ReferenceWeights(const Projector& A)
      : voxels_(A.domain_size()), cells_(A.cells_per_view()) {
    for (int v = 0; v < A.views(); ++v) {
      const auto view = A.row_source()->view_rows(v);
      for (int row = 0; row < A.geometry().rows(); ++row)
        for (int column = 0; column < A.geometry().columns(); ++column) {
          rays_.emplace_back();
          view->weights(column, row, rays_.back());
          nonzeros_ += rays_.back().size();
        }
    }
  }
  std::uint64_t nonzeros() const { return nonzeros_; }
  /// Returns the number of nonzeros below `share` times the largest weight, which exist by rounding
  /// only.
  std::uint64_t nonzeros_below(double share) const {
    double largest = 0;
    for (const RowWeights& ray : rays_)
      for (const double weight : ray.weight) largest = std::max(largest, weight);
    std::uint64_t count = 0;
    for (const RowWeights& ray : rays_)
      count += static_cast<std::uint64_t>(std::ranges::count_if(
          ray.weight, [&](double weight) { return weight < share * largest; }));
    return count;
  }

  /// Returns A x for the rays of some views, `other` for all other rays.
  std::vector<double> forward(const std::vector<float>& x, ViewSubset views, double other) const {
    std::vector<double> y(rays_.size(), other);
    for_each_ray(views, [&](std::size_t i) {
      y[i] = 0;
      for (std::size_t k = 0; k < rays_[i].size(); ++k)
        y[i] += rays_[i].weight[k] * x[rays_[i].voxel[k]];
    });
    return y;
  }
  std::vector<double> adjoint(const std::vector<float>& y, ViewSubset views) const {
    std::vector<double> x(voxels_, 0.0);
    for_each_ray(views, [&](std::size_t i) {
      for (std::size_t k = 0; k < rays_[i].size(); ++k)
        x[rays_[i].voxel[k]] += rays_[i].weight[k] * y[i];
    });
    return x;
  }

 private:
  template <class Visit>
  void for_each_ray(ViewSubset views, const Visit& visit) const {
    for (int i = 0; i < views.count; ++i)
      for (std::size_t cell = 0; cell < cells_; ++cell)
        visit(static_cast<std::size_t>(views.view(i)) * cells_ + cell);
  }

  std::size_t voxels_, cells_;
  std::vector<RowWeights> rays_;
  std::uint64_t nonzeros_ = 0;
};

}  // namespace gantry::test
