#include "core/solvers/weighted_subsets.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

// Sums below this fraction of the mean belong to rays or voxels that the other side hardly sees; dividing by them
// would only amplify rounding.
constexpr double negligible = 1e-5;

}  // namespace

void WeightedSubsets::do_init() {
  subsets_ = options_.subsets <= 0 ? A().views() : std::min(options_.subsets, A().views());
  done_ = 0;
  sequence_ = visiting_order(options_.order, subsets_, options_.seed, 0);
  row_weight_ = rays();
  residual_ = rays();
  column_weight_ = image();
  gradient_ = image();

  backend().fill(gradient_, 1.0F);
  backend().fill(residual_, 1.0F);
  A().forward(gradient_, row_weight_);  // row sums: A 1
  const double total = backend().dot(row_weight_, residual_);
  const double rays_in_all = static_cast<double>(A().range_size()), voxels = static_cast<double>(A().domain_size());
  smallest_column_sum_ = static_cast<float>(negligible * total / (voxels * subsets_));
  backend().safe_reciprocal(row_weight_, static_cast<float>(negligible * total / rays_in_all));
  if (subsets_ == 1) weigh_columns(A().all());
}

void WeightedSubsets::weigh_columns(ViewSubset views) {
  backend().fill(residual_, 1.0F);
  A().adjoint(residual_, column_weight_, views);  // C_s^-1 = A_s^T 1
  backend().safe_reciprocal(column_weight_, smallest_column_sum_);
}

StepReport WeightedSubsets::do_step() {
  const int position = done_ % subsets_;
  if (position == 0 && options_.order == ViewOrder::random)
    sequence_ = visiting_order(options_.order, subsets_, options_.seed, done_ / subsets_);
  const ViewSubset views = subset(sequence_[static_cast<std::size_t>(position)]);

  if (subsets_ > 1) weigh_columns(views);
  StepReport report;
  const double squared = A().residual_adjoint(x_, b(), &row_weight_, residual_, gradient_, views);  // g = A_s^T R_s (b_s - A_s x)
  report.residual_norm = std::sqrt(squared);
  const float low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  report.update_norm = std::sqrt(
      backend().scaled_update(x_, static_cast<float>(options_.relaxation), column_weight_, gradient_, low));  // x += lambda C_s g
  ++done_;
  return report;
}

}  // namespace gantry
