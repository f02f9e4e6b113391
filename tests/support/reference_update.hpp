#pragma once

#include "tests/support/dense.hpp"

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace gantry::test {

/// x <- max(x + lambda C_s A_s^T R_s (b_s - A_s x), low), computed in float64 as the formula is
/// printed.
class ReferenceUpdate {
 public:
  ReferenceUpdate(DenseMatrix matrix, int views, std::span<const float> b, double relaxation,
                  bool nonnegative)
      : a_(std::move(matrix)),
        cells_(a_.size() / static_cast<std::size_t>(views)),
        views_(views),
        b_(b.begin(), b.end()),
        relaxation_(relaxation),
        nonnegative_(nonnegative),
        x(a_.front().size(), 0.0) {}

  /// Updates by the views index, index + subsets, index + 2 subsets, ...
  void step(int index, int subsets) {
    std::vector<double> gradient(x.size(), 0.0), sums(x.size(), 0.0);
    double residual_square = 0, update_square = 0;
    for (int view = index; view < views_; view += subsets)
      for (std::size_t cell = 0; cell < cells_; ++cell) {
        const std::size_t i = static_cast<std::size_t>(view) * cells_ + cell;
        const double row = std::accumulate(a_[i].begin(), a_[i].end(), 0.0),
                     deviation =
                         b_[i] - std::inner_product(a_[i].begin(), a_[i].end(), x.begin(), 0.0);
        residual_square += deviation * deviation;
        for (std::size_t j = 0; j < x.size() && row > 0; ++j) {
          gradient[j] += a_[i][j] * deviation / row;
          sums[j] += a_[i][j];
        }
      }
    for (std::size_t j = 0; j < x.size(); ++j) {
      double next = x[j] + (sums[j] > 0 ? relaxation_ * gradient[j] / sums[j] : 0);
      if (nonnegative_) next = std::max(next, 0.0);
      update_square += (next - x[j]) * (next - x[j]);
      x[j] = next;
    }
    residual_norm = std::sqrt(residual_square);
    update_norm = std::sqrt(update_square);
  }

 private:
  DenseMatrix a_;
  std::size_t cells_;
  int views_;
  std::vector<double> b_;
  double relaxation_;
  bool nonnegative_;

 public:
  std::vector<double> x;
  double residual_norm = 0, update_norm = 0;
};

}  // namespace gantry::test
