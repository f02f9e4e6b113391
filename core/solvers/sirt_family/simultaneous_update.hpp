#pragma once

#include "core/operator/gradient_step.hpp"
#include "core/solvers/penalty.hpp"
#include "core/solvers/solver.hpp"

#include <functional>
#include <memory>

namespace gantry {

/// The common form of the methods that correct all voxels by all rays at once,
///   x <- max(x + D A^T R (b - A x), low),
/// with diagonal matrices D over the voxels (relaxation included) and R over the rays. The methods
/// differ in D and R alone.
class SimultaneousUpdate final : public Solver {
 public:
  struct Scaling {
    Array column;  ///< diagonal of D
    Array row;     ///< diagonal of R; empty: the identity
    RelaxationRange range;
  };
  struct Method {
    std::function<Scaling(const LinearOperator& A)> scale;  ///< called once, in init
    bool nonnegative = true;                                ///< low = 0, else none
    SolverTraits traits{.needs_exact_pair = true};          ///< otherwise no bound holds
    bool weights_rays = true;                               ///< false if R is the identity
    SolverMemory scaling{2, 1};                             ///< during `scale`
  };
  explicit SimultaneousUpdate(Method method) : Solver(method.traits), method_(std::move(method)) {}

  SolverMemory memory(const OperatorMemory& A) const override;
  std::optional<RelaxationRange> admissible() const override { return range_; }
  /// Of methods with R = I, which minimise 1/2 ||b - A x||^2. The others weigh the rays by R, which
  /// belongs to the step and may be rounded.
  std::optional<Objective> objective_with(const Array& residual,
                                          double residual_norm) const override {
    if (method_.weights_rays) return std::nullopt;
    return objective_of(residual, residual_norm, nullptr, 0, nullptr, x_);
  }

 private:
  void do_init() override;
  StepReport do_step() override;

  Method method_;
  Array column_weight_;  // diagonal of D
  RelaxationRange range_;
  std::unique_ptr<GradientStep> step_;
};

}  // namespace gantry
