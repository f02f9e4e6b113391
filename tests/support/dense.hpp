#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/operator/linear_operator.hpp"
#include "core/operator/subset_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace gantry::test {

using DenseMatrix = std::vector<std::vector<double>>;  // [row][column]

/// An operator given by its matrix, with equally many matrix rows for each view. `subsets_at_once`
/// is what its sweeps report, of subsets of so many views.
class MatrixOperator final : public LinearOperator, public MakesSubsetSweeps {
 public:
  MatrixOperator(Backend& backend, DenseMatrix matrix, int views, int subsets_at_once = 1)
      : MatrixOperator(backend, std::move(matrix), views, [=](int) { return subsets_at_once; }) {}
  MatrixOperator(Backend& backend, DenseMatrix matrix, int views,
                 std::function<int(int)> subsets_at_once)
      : LinearOperator(backend, matrix.front().size(),
                       matrix.size() / static_cast<std::size_t>(views), views),
        matrix_(std::move(matrix)),
        subsets_at_once_(std::move(subsets_at_once)) {}

  std::unique_ptr<SubsetSweep> make_subset_sweep(Array row_weight,
                                                 const SubsetUpdate& update) const override {
    return std::make_unique<Sweep>(*this, std::move(row_weight), update);
  }

 private:
  class Sweep final : public SubsetSweep {
   public:
    Sweep(const MatrixOperator& A, Array row_weight, const SubsetUpdate& update)
        : SubsetSweep(A, std::move(row_weight), update), at_once_(A.subsets_at_once_) {}
    int subsets_at_once(int views_of_subset) const override { return at_once_(views_of_subset); }

   private:
    std::function<int(int)> at_once_;
  };

  template <class Visit>
  void for_each_row(ViewSubset subset, const Visit& visit) const {
    for (int i = 0; i < subset.count; ++i)
      for (std::size_t cell = 0; cell < cells_per_view(); ++cell)
        visit(static_cast<std::size_t>(subset.view(i)) * cells_per_view() + cell);
  }
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    for_each_row(subset, [&](std::size_t i) {
      y.host()[i] = static_cast<float>(
          std::inner_product(matrix_[i].begin(), matrix_[i].end(), x.host().begin(), 0.0));
    });
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    std::vector<double> sums(domain_size());
    for_each_row(subset, [&](std::size_t i) {
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += matrix_[i][j] * y.host()[i];
    });
    std::ranges::transform(sums, x.host().begin(), [](double v) { return static_cast<float>(v); });
  }

  DenseMatrix matrix_;
  std::function<int(int)> subsets_at_once_;
};

/// Returns the matrix of an operator, column by column from products with unit vectors.
inline DenseMatrix dense_matrix(const LinearOperator& A) {
  DenseMatrix dense(A.range_size(), std::vector<double>(A.domain_size()));
  for (std::size_t j = 0; j < A.domain_size(); ++j) {
    std::vector<float> unit(A.domain_size(), 0.0F);
    unit[j] = 1;
    Array product(A.backend(), A.range_size());
    A.forward(Array::from(A.backend(), unit), product);
    const std::vector<float> column = product.to_host();
    for (std::size_t i = 0; i < A.range_size(); ++i) dense[i][j] = column[i];
  }
  return dense;
}

/// Minimises ||A x - b||^2 + mu ||x||^2 by Gaussian elimination with pivoting on the normal
/// equations.
inline std::vector<double> least_squares(const DenseMatrix& a, const std::vector<double>& b,
                                         double mu = 0) {
  const std::size_t n = a.front().size();
  DenseMatrix m(n, std::vector<double>(n + 1, 0.0));
  for (std::size_t r = 0; r < a.size(); ++r)
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) m[i][j] += a[r][i] * a[r][j];
      m[i][n] += a[r][i] * b[r];
    }
  for (std::size_t i = 0; i < n; ++i) m[i][i] += mu;
  for (std::size_t p = 0; p < n; ++p) {
    std::size_t pivot = p;
    for (std::size_t r = p; r < n; ++r)
      if (std::abs(m[r][p]) > std::abs(m[pivot][p])) pivot = r;
    std::swap(m[p], m[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == p) continue;
      const double factor = m[r][p] / m[p][p];
      for (std::size_t j = p; j <= n; ++j) m[r][j] -= factor * m[p][j];
    }
  }
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = m[i][n] / m[i][i];
  return x;
}

/// Returns the eigenvalues of a symmetric matrix, ascending, by Jacobi rotations.
inline std::vector<double> symmetric_eigenvalues(DenseMatrix m) {
  const std::size_t n = m.size();
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        off += m[p][q] * m[p][q];
        if (m[p][q] == 0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double a = m[k][p], b = m[k][q];
          m[k][p] = c * a - s * b;
          m[k][q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double a = m[p][k], b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
      }
    if (off == 0) break;
  }
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = m[i][i];
  std::ranges::sort(values);
  return values;
}

}  // namespace gantry::test
