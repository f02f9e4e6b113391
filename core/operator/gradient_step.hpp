#pragma once

#include "core/operator/linear_operator.hpp"

#include <cstddef>
#include <memory>

namespace gantry {

/// Squared norms that an update computes on its way: of b - A x over the views that it used, and of
/// the change of x.
struct UpdateNorms {
  double residual_square = 0, update_square = 0;
};

/// What a gradient step holds beside x, b and the column weights: known before it is made.
struct StepWorkspace {
  int images = 1, ray_sets = 1;       ///< scratch vectors, of the image and of the rays
  std::size_t bytes = 0;              ///< all else that a step takes: tables, portions, norms
  std::size_t row_scaling_bytes = 0;  ///< R by inverse row sums
};

/// The numbers of x <- max(x + relaxation C A^T R (b - A x), low).
struct StepBounds {
  float relaxation = 1, low = 0;
};

/// The step x <- max(x + relaxation C A^T R (b - A x), low) with all views of an operator: a step
/// of SIRT, Landweber, Cimmino and their like. R is diagonal over the rays, C over the voxels. The
/// object owns R, its scratch vectors and what a device has recorded of the step. The operator
/// outlives it.
class GradientStep {
 public:
  virtual ~GradientStep() = default;
  GradientStep(const GradientStep&) = delete;
  GradientStep& operator=(const GradientStep&) = delete;

  /// R = diag(weights), a weight for every ray. Without it, and without
  /// scale_rows_by_inverse_sums(), R is the identity. Throws ShapeError.
  void scale_rows(Array weights);
  /// R = diag(1 / row sums of A), 0 where a sum is not above `threshold`; a device may round it.
  /// `ones`: an image of ones. May throw Interrupted. Throws ShapeError.
  void scale_rows_by_inverse_sums(const Array& ones, float threshold);

  /// Makes the step with C = diag(column_weight). Interrupted, it leaves x as it was. Throws
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

/// What an operator is as well when it makes gradient steps in a way of its own, faster or in less
/// memory than one product after the other.
class MakesGradientSteps {
 public:
  virtual ~MakesGradientSteps() = default;
  virtual std::unique_ptr<GradientStep> make_gradient_step() const = 0;
  virtual StepWorkspace gradient_step_workspace() const = 0;
};

/// The operator's own step where it has one; else one product after the other.
std::unique_ptr<GradientStep> make_gradient_step(const LinearOperator& A);
StepWorkspace gradient_step_workspace(const LinearOperator& A);

}  // namespace gantry
