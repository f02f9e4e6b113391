#include "core/solvers/sirt_family/weighted_subsets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

// Sums below this fraction of the mean belong to rays that hardly hit the volume or voxels that
// hardly any ray hits; dividing by them would only amplify rounding errors.
constexpr double negligible = 1e-5;

}  // namespace

WeightedSubsets::Options WeightedSubsets::Options::of(const Params& params, int subsets) {
  Options options;
  options.subsets = subsets;
  options.relaxation = params.real("relaxation");
  options.nonnegative = params.flag("nonnegative");
  if (params.contains("order")) options.order = parse_view_order(params.text("order"));
  if (params.contains("seed")) options.seed = static_cast<std::uint64_t>(params.integer("seed"));
  return options;
}

SolverMemory WeightedSubsets::memory(const OperatorMemory& A) const {
  if (subsets_of(A.views) > 1) return {3, 2};
  const StepWorkspace& step = A.gradient_step;
  // While R is computed, the array of the iterate holds an image of ones. Before that, a ray vector
  // of ones is held, but neither R nor the iterate.
  const std::size_t steps = step.bytes + step.row_scaling_bytes,
                    ones = A.product_bytes + A.range_size() * sizeof(float),
                    iterate = A.domain_size * sizeof(float);
  return {2 + step.images, step.ray_vectors,
          std::max({A.product_bytes, steps, ones - std::min(ones, iterate)})};
}

void WeightedSubsets::do_init() {
  sequence_ = SubsetSequence(A(), subsets_of(A().views()), options_.order, options_.seed);
  done_ = 0;
  step_ = nullptr;  // free those of an earlier problem before init allocates
  sweep_ = nullptr;
  column_weight_ = {};
  if (sequence_.subsets() == 1)
    make_gradient_step();
  else
    make_sweep();
  set_to_initial_image(x_);
  const int subsets = sequence_.subsets(), views_of_subset = (A().views() + subsets - 1) / subsets;
  subsets_of_step_ = sweep_ ? std::clamp(sweep_->subsets_at_once(views_of_subset), 1, subsets) : 1;
}

/// Prepares the step with all views. C is computed in the memory of the iterate, so that init takes
/// no more memory at a time than the steps do.
void WeightedSubsets::make_gradient_step() {
  {
    const Array ones = Array::filled(backend(), A().range_size(), 1);
    A().adjoint(ones, x_);  // column sums: A^T 1, the same at every step
  }
  column_weight_ = std::move(x_);
  x_ = image();
  backend().fill(x_, 1.0F);
  const double total = backend().dot(column_weight_, x_);
  step_ = gantry::make_gradient_step(A());
  step_->scale_rows_by_inverse_sums(x_, smallest_row_sum(total));  // row sums: A 1
  backend().safe_reciprocal(column_weight_, smallest_column_sum(total));
}

/// Prepares a sweep over subsets: computes R alone, since each update computes its own C.
void WeightedSubsets::make_sweep() {
  Array row_weight = rays();
  backend().fill(x_, 1.0F);
  A().forward(x_, row_weight);  // row sums: A 1
  double total = 0;
  {
    const Array ones = Array::filled(backend(), A().range_size(), 1);
    total = backend().dot(row_weight, ones);
  }
  backend().safe_reciprocal(row_weight, smallest_row_sum(total));
  const float low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  sweep_ =
      make_subset_sweep(A(), std::move(row_weight),
                        {static_cast<float>(options_.relaxation), low, smallest_column_sum(total)});
}

float WeightedSubsets::smallest_row_sum(double total) const {
  return static_cast<float>(negligible * total / static_cast<double>(A().range_size()));
}
float WeightedSubsets::smallest_column_sum(double total) const {
  return static_cast<float>(negligible * total /
                            (static_cast<double>(A().domain_size()) * sequence_.subsets()));
}

StepReport WeightedSubsets::do_step() {
  const UpdateNorms norms = update(x_);
  count_step();
  StepReport report;
  report.residual_norm = std::sqrt(norms.residual_square);
  report.update_norm = std::sqrt(norms.update_square);
  return report;
}

UpdateNorms WeightedSubsets::update(Array& x) {
  if (sweep_) return sweep_->run(x, b(), sequence_.step(done_, subsets_of_step_));
  const float low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  return step_->apply(x, b(), column_weight_, {static_cast<float>(options_.relaxation), low});
}

}  // namespace gantry
