#include "studies/matrix_cbct/sweep_growth.hpp"

#include "studies/matrix_cbct/parts.hpp"
#include "studies/matrix_cbct/printed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry::matrix_cbct {

namespace {

using Dense = std::vector<double>;  // [row][column] of a square matrix

double norm_of(const Dense& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

Dense squared(const Dense& a, std::size_t n) {
  Dense out(n * n, 0.0);
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += a[i * n + k] * a[k * n + j];
  return out;
}

/// Returns the largest modulus of the eigenvalues from the norms of the powers 2^k, k up to 20:
/// ||A^2n|| / ||A^n|| tends to its n-th power.
double spectral_radius(Dense a, std::size_t n) {
  constexpr int squarings = 20;
  double log_norm = 0, radius = 0;  // of the power that `a` is but for a factor
  for (int k = 0; k < squarings; ++k) {
    const double norm = norm_of(a), before = log_norm + std::log(norm);
    for (double& value : a) value /= norm;
    a = squared(a, n);
    log_norm = 2 * before;
    radius = std::exp(std::ldexp(log_norm + std::log(norm_of(a)) - before, -k));
  }
  return radius;
}

/// Returns the scan of 256^2 pixels with a sixteenth of its cells, views and pixels along each
/// side.
BenchCase small() { return setting_of(printed::sizes.front(), 1.0 / 16); }

}  // namespace

SweepGrowth::SweepGrowth(const MatrixStudyContext& context)
    : setting_(small()), rows_(*context.weights_on_cpu(setting_)) {
  const std::size_t views = static_cast<std::size_t>(setting_.geometry->views()),
                    rays = rows_.rows() / views;
  const std::vector<double> ones(rows_.columns(), 1.0);
  for (std::size_t i = 0; i < rows_.rows(); ++i) row_sum_.push_back(rows_.dot(i, ones));
  for (std::size_t v = 0; v < views; ++v) {
    column_sum_.emplace_back(rows_.columns(), 0.0);
    for (std::size_t i = v * rays; i < (v + 1) * rays; ++i) rows_.add(i, 1, column_sum_.back());
  }
  largest_ = largest_of_views();
}

double SweepGrowth::largest_of_views() const {
  const std::size_t rays = rows_.rows() / column_sum_.size();
  double largest = 0;
  for (std::size_t v = 0; v < column_sum_.size(); ++v) {
    std::vector<double> x = column_sum_[v];  // as all weights, not negative
    double value = 0;
    for (int k = 0; k < 60; ++k) {
      std::vector<double> y(x.size(), 0.0);
      for (std::size_t i = v * rays; i < (v + 1) * rays; ++i)
        if (rows_.row_square(i) > 0) rows_.add(i, rows_.dot(i, x) / rows_.row_square(i), y);
      value = norm_of(y) / norm_of(x);
      const double norm = norm_of(y);
      std::ranges::transform(y, x.begin(), [=](double of) { return of / norm; });
    }
    largest = std::max(largest, value);
  }
  return largest;
}

void SweepGrowth::sweep(const SweepForm& form, std::vector<double>& e) const {
  const std::size_t rays = rows_.rows() / column_sum_.size();
  std::vector<double> update(e.size());
  for (const int view : visiting_order(form.order, static_cast<int>(column_sum_.size()), 0, 0)) {
    const auto v = static_cast<std::size_t>(view);
    const std::vector<double>& columns = column_sum_[v];
    std::ranges::fill(update, 0.0);
    for (std::size_t i = v * rays; i < (v + 1) * rays; ++i) {
      const double divisor = form.one_norm ? rows_.row_square(i) : row_sum_[i];
      if (divisor > 0) rows_.add(i, -rows_.dot(i, e) / divisor, update);
    }
    const double least = form.least_column * std::accumulate(columns.begin(), columns.end(), 0.0) /
                         static_cast<double>(columns.size());
    for (std::size_t j = 0; j < e.size(); ++j) {
      if (form.one_norm)
        e[j] += update[j] / largest_;
      else if (columns[j] > least)
        e[j] += form.relaxation * update[j] / columns[j];
    }
  }
}

double SweepGrowth::of(const SweepForm& form) const {
  const std::size_t n = rows_.columns();
  Dense a(n * n);
  std::vector<double> e(n);
  for (std::size_t j = 0; j < n; ++j) {
    std::ranges::fill(e, 0.0);
    e[j] = 1;
    sweep(form, e);
    for (std::size_t i = 0; i < n; ++i) a[i * n + j] = e[i];
  }
  return spectral_radius(std::move(a), n);
}

}  // namespace gantry::matrix_cbct
