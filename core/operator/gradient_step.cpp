#include "core/operator/gradient_step.hpp"

#include "core/base/error.hpp"
#include "core/operator/applications.hpp"

#include <utility>

namespace gantry {

namespace {

/// The gradient step computed product by product, for operators that do not have a step of their
/// own.
class PlainGradientStep final : public GradientStep {
 public:
  explicit PlainGradientStep(const LinearOperator& A)
      : GradientStep(A),
        A_(A),
        residual_(A.backend(), A.range_size()),
        gradient_(A.backend(), A.domain_size()) {}

 private:
  void do_scale_rows(Array weights) override { row_weight_ = std::move(weights); }

  void do_scale_rows_by_inverse_sums(const Array& ones, float threshold) override {
    row_weight_ = Array(A_.backend(), A_.range_size());
    A_.forward(ones, row_weight_);
    A_.backend().safe_reciprocal(row_weight_, threshold);
  }

  UpdateNorms do_apply(Array& x, const Array& b, const Array& column_weight,
                       StepBounds bounds) override {
    UpdateNorms norms;
    norms.residual_square = A_.residual_adjoint(x, b, row_weight_.empty() ? nullptr : &row_weight_,
                                                residual_, gradient_, A_.all());
    norms.update_square =
        A_.backend().scaled_update(x, bounds.relaxation, column_weight, gradient_, bounds.low);
    return norms;
  }

  const LinearOperator& A_;
  Array row_weight_;  // diagonal of R; empty: the identity
  Array residual_, gradient_;
};

void require_size(const Array& array, std::size_t size, const std::string& what) {
  if (array.size() != size)
    throw ShapeError("gradient step: " + what + " of " + std::to_string(array.size()) +
                     " values given, not of " + std::to_string(size));
}

}  // namespace

void GradientStep::scale_rows(Array weights) {
  require_size(weights, A_.range_size(), "row weights");
  do_scale_rows(std::move(weights));
}

void GradientStep::scale_rows_by_inverse_sums(const Array& ones, float threshold) {
  require_size(ones, A_.domain_size(), "an image of ones");
  const CountedApplications count(A_, 1);
  do_scale_rows_by_inverse_sums(ones, threshold);
  A_.check_interrupt();
}

UpdateNorms GradientStep::apply(Array& x, const Array& b, const Array& column_weight,
                                StepBounds bounds) {
  require_size(x, A_.domain_size(), "an image");
  require_size(column_weight, A_.domain_size(), "column weights");
  require_size(b, A_.range_size(), "data");
  const CountedApplications count(A_, 2);
  return do_apply(x, b, column_weight, bounds);
}

std::unique_ptr<GradientStep> make_gradient_step(const LinearOperator& A) {
  if (const auto* own = dynamic_cast<const MakesGradientSteps*>(&A))
    return own->make_gradient_step();
  return std::make_unique<PlainGradientStep>(A);
}

}  // namespace gantry
