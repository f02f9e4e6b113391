#include "core/operator/linear_operator.hpp"

#include "core/base/error.hpp"

namespace gantry {

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

}  // namespace gantry
