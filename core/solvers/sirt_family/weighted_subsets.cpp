#include "core/solvers/sirt_family/weighted_subsets.hpp"

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
  const int images = room.image ? 3 : 2, ray_sets = room.rays ? 1 : 0;
  if (room.row_weight_size == 0) return {images, ray_sets + 1, room.workspace_bytes};
  // In init there is a set of ones instead of R, and not yet an iterate beside C.
  const std::size_t steps = room.workspace_bytes + room.row_weight_size * sizeof(float),
                    ones = A.workspace_bytes() + A.range_size() * sizeof(float),
                    iterate = A.domain_size() * sizeof(float);
  return {images, ray_sets, std::max(steps, ones - std::min(ones, iterate))};
}

void WeightedSubsets::do_init() {
  sequence_ = SubsetSequence(A(), subsets_of(A()), options_.order, options_.seed);
  done_ = 0;
  scratch_ = {};  // of an earlier problem, before init asks for memory
  row_weight_ = {};
  if (sequence_.subsets() == 1)
    make_weights();
  else
    make_row_weights();
  set_to_start(x_);
  // Asked for after the first product: before it, a matrix is not there yet.
  subsets_of_step_ = std::clamp(A().updates_at_once(), 1, sequence_.subsets());
}

/// Of all views at once. No more memory at a time than the steps take: C is made where the iterate
/// was.
void WeightedSubsets::make_weights() {
  row_weight_ = Array::filled(backend(), A().range_size(), 1);
  A().adjoint(row_weight_, x_);  // column sums: A^T 1, the same at every step
  row_weight_ = {};
  scratch_.column_weight = std::move(x_);
  x_ = image();
  backend().fill(x_, 1.0F);
  const double total = backend().dot(scratch_.column_weight, x_);
  row_weight_ = A().inverse_row_sums(x_, smallest_row_sum(total));  // row sums: A 1
  smallest_column_sum_ = smallest_column_sum(total);
  backend().safe_reciprocal(scratch_.column_weight, smallest_column_sum_);
  const GradientRoom room = A().gradient_room();
  if (room.image) scratch_.gradient = image();
  if (room.rays) scratch_.rays = rays();
}

/// R alone; each step makes its own C.
void WeightedSubsets::make_row_weights() {
  row_weight_ = rays();
  scratch_ = {rays(), image(), image()};
  backend().fill(x_, 1.0F);
  A().forward(x_, row_weight_);  // row sums: A 1
  backend().fill(scratch_.rays, 1.0F);
  const double total = backend().dot(row_weight_, scratch_.rays);
  smallest_column_sum_ = smallest_column_sum(total);
  backend().safe_reciprocal(row_weight_, smallest_row_sum(total));
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
  const float low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  const auto relaxation = static_cast<float>(options_.relaxation);
  if (sequence_.subsets() > 1)
    return A().weighted_sweep(x, b(), row_weight_, {relaxation, low, smallest_column_sum_},
                              scratch_, sequence_.step(done_, subsets_of_step_));
  return A().gradient_update(x, b(), {&row_weight_, scratch_.column_weight, relaxation, low},
                             scratch_.rays, scratch_.gradient);
}

}  // namespace gantry
