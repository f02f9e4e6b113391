#pragma once

#include "core/operator/linear_operator.hpp"
#include "core/operator/operator_memory.hpp"

#include <memory>

namespace gantry {

/// Squared norms that an update yields as by-products: of b - A x over the views that it used, and
/// of the change of x.
struct UpdateNorms {
  double residual_square = 0, update_square = 0;
};

/// The parameters of x <- max(x + relaxation C A^T R (b - A x), low).
struct StepBounds {
  float relaxation = 1, low = 0;
};

/// The step x <- max(x + relaxation C A^T R (b - A x), low) with all views of an operator, which is
/// the step of SIRT, Landweber, Cimmino and similar methods. R is diagonal over the rays, C over
/// the voxels. The object owns R, its scratch vectors and a device's recording of the step. The
/// operator must outlive it.
class GradientStep {
 public:
  virtual ~GradientStep() = default;
  GradientStep(const GradientStep&) = delete;
  GradientStep& operator=(const GradientStep&) = delete;

  /// Sets R = diag(weights), one weight per ray. R is the identity until this function or
  /// scale_rows_by_inverse_sums() is called. Throws ShapeError.
  void scale_rows(Array weights);
  /// Sets R = diag(1 / row sums of A), with 0 for sums up to `threshold`; a device may store R with
  /// rounding. `ones` is an image of ones. Throws ShapeError and Interrupted.
  void scale_rows_by_inverse_sums(const Array& ones, float threshold);

  /// Makes the step with C = diag(column_weight). Throws Interrupted, with x unchanged, and
  /// ShapeError.
  UpdateNorms apply(Array& x, const Array& b, const Array& column_weight, StepBounds bounds);

 protected:
  explicit GradientStep(const LinearOperator& A) : A_(A) {}

 private:
  virtual void do_scale_rows(Array weights) = 0;
  virtual void do_scale_rows_by_inverse_sums(const Array& ones, float threshold) = 0;
  virtual UpdateNorms do_apply(Array& x, const Array& b, const Array& column_weight,
                               StepBounds bounds) = 0;

  const LinearOperator& A_;
};

/// Interface of operators that have a gradient step of their own, which is faster or takes less
/// memory than computing product by product.
class MakesGradientSteps {
 public:
  virtual ~MakesGradientSteps() = default;
  virtual std::unique_ptr<GradientStep> make_gradient_step() const = 0;
  virtual StepWorkspace gradient_step_workspace() const = 0;
};

/// Returns the operator's own step if it has one, else a step that computes product by product.
std::unique_ptr<GradientStep> make_gradient_step(const LinearOperator& A);

}  // namespace gantry
