#include "core/solvers/weighted_subsets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

// Sums below this fraction of the mean belong to rays or voxels that the other side hardly sees;
// dividing by them would only amplify rounding.
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

SolverMemory WeightedSubsets::memory(const LinearOperator& A) const {
  if (subsets_of(A) > 1) return {3, 2};
  const GradientRoom room = A.gradient_room();
  return {room.image ? 3 : 2, room.rays ? 2 : 1, room.workspace_bytes};
}

void WeightedSubsets::do_init() {
  const int subsets = subsets_of(A());
  sequence_ = SubsetSequence(A(), subsets, options_.order, options_.seed);
  done_ = 0;
  scratch_ = {};  // of an earlier problem, before init asks for memory
  row_weight_ = rays();
  scratch_.column_weight = image();
  const GradientRoom room = A().gradient_room();
  if (subsets > 1 || room.image) scratch_.gradient = image();
  if (subsets > 1 || room.rays) scratch_.rays = rays();
  make_weights();
}

/// In the memory that there will be: without scratch, ones go where the weights will be, and into
/// the iterate.
void WeightedSubsets::make_weights() {
  const bool once = sequence_.subsets() == 1;
  if (once) {
    backend().fill(row_weight_, 1.0F);
    A().adjoint(row_weight_, scratch_.column_weight);  // column sums: A^T 1, the same at every step
  }
  backend().fill(x_, 1.0F);
  double total = once ? backend().dot(scratch_.column_weight, x_) : 0;
  A().forward(x_, row_weight_);  // row sums: A 1
  set_to_start(x_);
  if (!once) {
    backend().fill(scratch_.rays, 1.0F);
    total = backend().dot(row_weight_, scratch_.rays);
  }
  const double rays_in_all = static_cast<double>(A().range_size()),
               voxels = static_cast<double>(A().domain_size());
  // Asked for after the first product: before it, a matrix is not there yet.
  subsets_of_step_ = std::clamp(A().updates_at_once(), 1, sequence_.subsets());
  smallest_column_sum_ = static_cast<float>(negligible * total / (voxels * sequence_.subsets()));
  backend().safe_reciprocal(row_weight_, static_cast<float>(negligible * total / rays_in_all));
  if (once) backend().safe_reciprocal(scratch_.column_weight, smallest_column_sum_);
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
  const float low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  const auto relaxation = static_cast<float>(options_.relaxation);
  if (sequence_.subsets() > 1)
    return A().weighted_sweep(x, b(), row_weight_, {relaxation, low, smallest_column_sum_},
                              scratch_, sequence_.step(done_, subsets_of_step_));
  return A().gradient_update(x, b(), {&row_weight_, scratch_.column_weight, relaxation, low},
                             scratch_.rays, scratch_.gradient);
}

}  // namespace gantry
