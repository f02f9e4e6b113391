#include "core/operator/linear_operator.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <limits>

namespace gantry {

double WeightedUpdate::apply(float* x, const float* gradient, const float* column_sum,
                             std::size_t count) const {
  // Nothing that could trap may hang on a condition, or the loop is not vectorised: where there is
  // nothing to divide by, zero is divided by something.
  constexpr float something = std::numeric_limits<float>::min();
  const float step = relaxation, lowest = low, smallest = smallest_column_sum;
  double square = 0;
#pragma omp simd reduction(+ : square)
  for (std::size_t i = 0; i < count; ++i) {
    const float sum = column_sum[i], counts = sum > smallest ? 1.0F : 0.0F;
    const float along = counts * gradient[i] / std::max(sum, something);
    const float updated = std::max(x[i] + step * along, lowest);
    const double change = static_cast<double>(updated) - x[i];
    square += change * change;
    x[i] = updated;
  }
  return square;
}

void LinearOperator::check(const Array& image, const Array& rays, ViewSubset subset,
                           const std::string& operation) const {
  if (image.size() != domain_size_ || rays.size() != range_size())
    throw ShapeError(operation + ": image of " + std::to_string(image.size()) + " and rays of " +
                     std::to_string(rays.size()) + " values given to an operator of " +
                     std::to_string(domain_size_) + " and " + std::to_string(range_size()));
  if (&image.backend() != backend_ || &rays.backend() != backend_)
    throw ShapeError(operation + ": operands live on another backend than the operator");
  if (subset.count < 0 || subset.first < 0 || subset.stride < 1 ||
      (subset.count > 0 && subset.view(subset.count - 1) >= views_))
    throw ShapeError(operation + ": view subset lies outside the scan");
}

void LinearOperator::forward(const Array& x, Array& y, ViewSubset subset) const {
  check(x, y, subset, "forward");
  if (subset.count > 0) do_forward(x, y, subset);
  check_interrupt();
  count(subset, 1);
}

void LinearOperator::adjoint(const Array& y, Array& x, ViewSubset subset) const {
  check(x, y, subset, "adjoint");
  if (subset.count > 0)
    do_adjoint(y, x, subset);
  else
    backend_->fill(x, 0.0F);
  check_interrupt();
  count(subset, 1);
}

double LinearOperator::residual_adjoint(const Array& x, const Array& b, const Array* row_weight,
                                        Array& r, Array& out, ViewSubset subset) const {
  check(x, r, subset, "residual_adjoint");
  check(out, b, subset, "residual_adjoint");
  if (subset.count == 0) throw ShapeError("residual_adjoint: the view subset is empty");
  const double squared_norm = do_residual_adjoint(x, b, row_weight, r, out, subset);
  check_interrupt();
  count(subset, 2);
  return squared_norm;
}

double LinearOperator::residual_of(const Array& x, const Array& b, const Array* row_weight,
                                   Array& r, ViewSubset subset) const {
  do_forward(x, r, subset);
  check_interrupt();
  if (subset == all()) return backend_->residual(b, r, row_weight);
  double squared_norm = 0;
  for (int i = 0; i < subset.count; ++i)
    squared_norm += backend_->residual(b, r, row_weight,
                                       static_cast<std::size_t>(subset.view(i)) * cells_per_view_,
                                       cells_per_view_);
  return squared_norm;
}

double LinearOperator::do_residual_adjoint(const Array& x, const Array& b, const Array* row_weight,
                                           Array& r, Array& out, ViewSubset subset) const {
  const double squared_norm = residual_of(x, b, row_weight, r, subset);
  do_adjoint(r, out, subset);
  return squared_norm;
}

UpdateNorms LinearOperator::gradient_update(Array& x, const Array& b, const GradientStep& step,
                                            Array& r, Array& gradient) const {
  check(x, b, all(), "gradient_update");
  const GradientRoom room = gradient_room();
  check(room.image ? gradient : x, room.rays ? r : b, all(), "gradient_update");
  const bool own_form = step.row_weight != nullptr && room.row_weight_size > 0 &&
                        step.row_weight->size() == room.row_weight_size;
  check(step.column_weight, step.row_weight != nullptr && !own_form ? *step.row_weight : b, all(),
        "gradient_update");
  const UpdateNorms norms = do_gradient_update(x, b, step, r, gradient);
  count(all(), 2);
  return norms;
}

Array LinearOperator::inverse_row_sums(const Array& ones, float threshold) const {
  if (ones.size() != domain_size_)
    throw ShapeError("inverse_row_sums: image of " + std::to_string(ones.size()) +
                     " values given to an operator of " + std::to_string(domain_size_));
  Array weight = do_inverse_row_sums(ones, threshold);
  check_interrupt();
  count(all(), 1);
  return weight;
}

Array LinearOperator::do_inverse_row_sums(const Array& ones, float threshold) const {
  Array sums(*backend_, range_size());
  do_forward(ones, sums, all());
  backend_->safe_reciprocal(sums, threshold);
  return sums;
}

UpdateNorms LinearOperator::do_gradient_update(Array& x, const Array& b, const GradientStep& step,
                                               Array& r, Array& gradient) const {
  UpdateNorms norms;
  norms.residual_square = do_residual_adjoint(x, b, step.row_weight, r, gradient, all());
  check_interrupt();
  norms.update_square =
      backend_->scaled_update(x, step.relaxation, step.column_weight, gradient, step.low);
  return norms;
}

UpdateNorms LinearOperator::weighted_update(Array& x, const Array& b, const Array& row_weight,
                                            const WeightedUpdate& update, UpdateScratch& scratch,
                                            ViewSubset subset) const {
  check(x, b, subset, "weighted_update");
  check(scratch.gradient, row_weight, subset, "weighted_update");
  check(scratch.column_weight, scratch.rays, subset, "weighted_update");
  const UpdateNorms norms = do_weighted_update(x, b, row_weight, update, scratch, subset);
  count(subset, update.products());
  return norms;
}

UpdateNorms LinearOperator::weighted_sweep(Array& x, const Array& b, const Array& row_weight,
                                           const WeightedUpdate& update, UpdateScratch& scratch,
                                           std::span<const ViewSubset> subsets) const {
  if (subsets.empty()) return {};
  for (const ViewSubset& subset : subsets) check(x, b, subset, "weighted_sweep");
  check(scratch.gradient, row_weight, subsets.front(), "weighted_sweep");
  check(scratch.column_weight, scratch.rays, subsets.front(), "weighted_sweep");
  const UpdateNorms norms = do_weighted_sweep(x, b, row_weight, update, scratch, subsets);
  for (const ViewSubset& subset : subsets) count(subset, update.products());
  return norms;
}

UpdateNorms LinearOperator::do_weighted_sweep(Array& x, const Array& b, const Array& row_weight,
                                              const WeightedUpdate& update, UpdateScratch& scratch,
                                              std::span<const ViewSubset> subsets) const {
  if (subsets.size() == 1)
    return do_weighted_update(x, b, row_weight, update, scratch, subsets.front());
  Array updated = x.clone();
  UpdateNorms sum;
  for (const ViewSubset& subset : subsets) {
    const UpdateNorms norms = do_weighted_update(updated, b, row_weight, update, scratch, subset);
    sum.residual_square += norms.residual_square;
    sum.update_square += norms.update_square;
  }
  backend_->copy(updated, x);
  return sum;
}

UpdateNorms LinearOperator::do_weighted_update(Array& x, const Array& b, const Array& row_weight,
                                               const WeightedUpdate& update, UpdateScratch& scratch,
                                               ViewSubset subset) const {
  if (update.by_column_sums()) {
    for (int i = 0; i < subset.count; ++i)
      backend_->fill(scratch.rays, 1.0F, static_cast<std::size_t>(subset.view(i)) * cells_per_view_,
                     cells_per_view_);
    do_adjoint(scratch.rays, scratch.column_weight, subset);  // C_s^-1 = A_s^T 1
    check_interrupt();
    backend_->safe_reciprocal(scratch.column_weight, update.smallest_column_sum);
  } else {
    backend_->fill(scratch.column_weight, update.column_weight);
  }
  UpdateNorms norms;
  norms.residual_square =
      do_residual_adjoint(x, b, &row_weight, scratch.rays, scratch.gradient, subset);
  check_interrupt();
  norms.update_square = backend_->scaled_update(x, update.relaxation, scratch.column_weight,
                                                scratch.gradient, update.low);
  return norms;
}

}  // namespace gantry
