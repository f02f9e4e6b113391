#include "core/solvers/statistical/expectation_maximisation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

// Sums below this fraction of the mean belong to rays that hardly hit the volume or voxels that
// hardly any ray hits.
constexpr double negligible = 1e-5;
constexpr double smallest_start = 1e-6;  // as a fraction of the constant start
constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

void ExpectationMaximisation::do_init() {
  sequence_ =
      SubsetSequence(A(), std::min(options_.subsets, A().views()), options_.order, options_.seed);
  done_ = 0;
  ray_weight_ = rays();
  scratch_ = rays();
  gradient_ = image();
  column_sum_ = image();

  negative_ = count_negative();
  backend().fill(gradient_, 1.0F);
  backend().fill(scratch_, 1.0F);
  A().forward(gradient_, ray_weight_);  // row sums: A 1
  const double total = backend().dot(ray_weight_, scratch_);
  const double rays_in_all = static_cast<double>(A().range_size()),
               voxels = static_cast<double>(A().domain_size());
  smallest_sum_ = static_cast<float>(negligible * total / (voxels * sequence_.subsets()));
  backend().copy(ray_weight_, scratch_);
  backend().safe_reciprocal(scratch_, static_cast<float>(negligible * total / rays_in_all));
  backend().multiply(scratch_, ray_weight_);
  backend().clamp(ray_weight_, 0, 1);
  A().adjoint(ray_weight_, column_sum_);  // A^T w
  const double seen = backend().dot(column_sum_, gradient_);
  backend().copy(b(), scratch_);
  backend().clamp(scratch_, 0, infinity);
  const double data = backend().dot(scratch_, ray_weight_);
  no_positive_data_ = data == 0;
  set_start(seen > 0 ? data / seen : 0);
}

/// Returns the number of negative line integrals. Uses scratch_.
long long ExpectationMaximisation::count_negative() {
  // Each negative value, times its own reciprocal, is one.
  backend().copy(b(), scratch_);
  backend().clamp(scratch_, -infinity, 0);
  backend().copy(scratch_, ray_weight_);
  backend().safe_reciprocal(ray_weight_, std::numeric_limits<float>::min());
  return std::llround(backend().dot(scratch_, ray_weight_));
}

void ExpectationMaximisation::set_start(double constant) {
  if (started())
    return backend().clamp(x_, static_cast<float>(smallest_start * constant), infinity);
  backend().copy(column_sum_, gradient_);
  backend().safe_reciprocal(gradient_, smallest_sum_);
  backend().multiply(column_sum_, gradient_);  // 1 for rays that hit the volume
  backend().axpby(static_cast<float>(constant), gradient_, 0, x_);
}

StepReport ExpectationMaximisation::do_step() {
  const ViewSubset subset =
      ViewSubset::interleaved(sequence_.at(done_), sequence_.subsets(), A().views());
  const bool all = sequence_.subsets() == 1;
  if (!all) A().adjoint(ray_weight_, column_sum_, subset);  // A_s^T w_s
  A().forward(x_, scratch_, subset);                        // y = A_s x
  double residual_square = 0;
  if (all)
    residual_square = backend().ratio(b(), scratch_, &ray_weight_);  // w b / y
  else
    for (int i = 0; i < subset.count; ++i)
      residual_square += backend().ratio(
          b(), scratch_, &ray_weight_,
          static_cast<std::size_t>(subset.view(i)) * A().cells_per_view(), A().cells_per_view());
  A().adjoint(scratch_, gradient_, subset);
  StepReport report;
  const double update_square =
      backend().multiplicative_update(x_, gradient_, column_sum_, smallest_sum_);
  report.update_norm = std::sqrt(update_square);
  report.residual_norm = std::sqrt(residual_square);
  report.exhausted = update_square == 0 && (all || no_positive_data_);
  ++done_;
  return report;
}

std::vector<std::string> ExpectationMaximisation::notes() const {
  if (negative_ == 0) return {};
  return {std::to_string(negative_) + " of " + std::to_string(b().size()) +
          " line integrals are below zero and count as zero"};
}

}  // namespace gantry
