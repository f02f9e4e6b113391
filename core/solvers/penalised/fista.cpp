#include "core/solvers/penalised/fista.hpp"

#include "core/base/error.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/penalised/proximal_step.hpp"
#include "core/solvers/penalty.hpp"
#include "core/solvers/power_iteration.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace gantry {

namespace {

struct Options {
  int inner = 1;  ///< iterations of the proximal map within a step
  bool nonnegative = true;
};

class Fista final : public Solver, public CarriesState {
 public:
  explicit Fista(Options options) : Solver(fista_traits), options_(options) {}

  /// The prior's dual vectors count as three images each, which is their size in 3D.
  SolverMemory memory(const OperatorMemory&) const override { return {4 + 3 * 3, 3}; }
  std::vector<std::string> notes() const override {
    return penalty_notes(lambda_, penalty().prior);
  }
  std::optional<Objective> objective() const override {
    const double data = 0.5 * residual_square_;
    return Objective{data, objective_ - data};
  }
  CarriedState carried() override {
    return {{&x_, &y_, &proximal_.dual(), &residual_, &extrapolated_},
            {&objective_, &residual_square_, &t_, &unchanged_}};
  }

 private:
  void do_init() override;
  StepReport do_step() override;
  void try_step();
  double extrapolate(Array& x, Array& z, bool accepted, double reach, Array& y) const;
  double objective_at(const Array& x, double residual_square) const {
    return 0.5 * residual_square + (lambda_ > 0 ? lambda_ * penalty().prior->value(x) : 0);
  }

  Options options_;
  double lambda_ = 0, lipschitz_ = 0;
  // The objective, ||b - A x||^2 and t of the present iterate; whether the last step changed
  // nothing, so that y = x.
  double objective_ = 0, residual_square_ = 0, t_ = 1;
  bool unchanged_ = true;
  Array y_;
  ProximalStep proximal_;
  Array residual_, extrapolated_;  // b - A x and b - A y
  Array z_, gradient_, trial_;     // scratch: images, b - A z
};

void Fista::do_init() {
  lipschitz_ = eigenvalue_bound(A(), A().all(), nullptr);
  lambda_ = penalty_weight(A(), b(), nullptr, penalty());
  proximal_.init(A(), lambda_ > 0 ? penalty().prior : nullptr);
  z_ = image();
  gradient_ = image();
  residual_ = rays();
  extrapolated_ = rays();
  trial_ = rays();
  if (options_.nonnegative) backend().clamp(x_, 0, std::numeric_limits<float>::infinity());
  y_ = x_.clone();
  A().forward(x_, residual_);
  residual_square_ = backend().residual(b(), residual_, nullptr);  // b - A x
  backend().copy(residual_, extrapolated_);
  objective_ = objective_at(x_, residual_square_);
  t_ = 1;
  unchanged_ = true;
}

/// Computes z, b - A z and the dual vector of z, in scratch alone, so that an interrupted step can
/// be repeated.
void Fista::try_step() {
  A().adjoint(extrapolated_, gradient_);  // g = A^T (b - A y)
  const double over_l = lipschitz_ > 0 ? 1 / lipschitz_ : 0;
  backend().axpby(1, y_, static_cast<float>(over_l), gradient_);  // v = y + g / L
  const float low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  proximal_.compute(gradient_, lambda_ * over_l, low, options_.inner, z_);
  A().forward(z_, trial_);
}

StepReport Fista::do_step() {
  try_step();
  StepReport report;
  report.residual_norm = std::sqrt(residual_square_);
  const double trial_square = backend().residual(b(), trial_, nullptr);  // b - A z
  const double trial_objective = objective_at(z_, trial_square);
  const bool accepted = trial_objective <= objective_;
  const double next_t = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
  // y' = x' + (t / t') (z - x') + ((t - 1) / t') (x' - x): one of the two differences is zero, and
  // the other is z - x.
  const double reach = (accepted ? t_ - 1 : t_) / next_t;
  const double change_square = extrapolate(x_, z_, accepted, reach, y_);
  extrapolate(residual_, trial_, accepted, reach, extrapolated_);
  proximal_.accept();
  if (accepted) {
    objective_ = trial_objective;
    residual_square_ = trial_square;
  }
  t_ = next_t;
  report.new_residual_norm = std::sqrt(residual_square_);
  report.update_norm = std::sqrt(change_square);
  report.exhausted = unchanged_ && change_square == 0;
  unchanged_ = change_square == 0;
  return report;
}

/// Sets y = x' + reach (z - x) with x' = z if accepted, else x; then sets x = x'. The contents of z
/// are lost. Returns ||z - x||^2.
double Fista::extrapolate(Array& x, Array& z, bool accepted, double reach, Array& y) const {
  backend().copy(x, y);
  const double change_square = backend().residual(z, y, nullptr);  // z - x
  if (accepted) std::swap(x, z);
  backend().axpby(1, x, static_cast<float>(reach), y);
  return change_square;
}

}  // namespace

std::vector<ParamSpec> fista_params() { return {inner_iterations_param(10), nonnegative_param()}; }

std::unique_ptr<Solver> make_fista(const Params& params) {
  return std::make_unique<Fista>(
      Options{static_cast<int>(params.integer("inner")), params.flag("nonnegative")});
}

}  // namespace gantry
