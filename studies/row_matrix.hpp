#pragma once

#include "core/operator/projector.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// All weights of a small projector in memory, matrix row after matrix row, float64: for methods
/// that act on single matrix rows. Row order: [view][detector row][detector column].
class RowMatrix {
 public:
  /// Throws ShapeError where the projector does not provide single weights.
  explicit RowMatrix(const Projector& projector);

  std::size_t rows() const { return start_.size() - 1; }
  std::size_t columns() const { return columns_; }
  std::size_t nonzeros() const { return weight_.size(); }
  double row_square(std::size_t i) const { return square_[i]; }  ///< ||w_i||^2

  /// Returns <w_i, x>.
  double dot(std::size_t i, std::span<const double> x) const {
    double sum = 0;
    for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) sum += weight_[k] * x[column_[k]];
    return sum;
  }
  /// Computes x += factor w_i.
  void add(std::size_t i, double factor, std::span<double> x) const {
    for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) x[column_[k]] += factor * weight_[k];
  }

 private:
  std::size_t columns_;
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> column_;
  std::vector<double> weight_, square_;
};

}  // namespace gantry
