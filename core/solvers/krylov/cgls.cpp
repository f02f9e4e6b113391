#include "core/solvers/krylov/cgls.hpp"

#include "core/solvers/carried_state.hpp"
#include "core/solvers/penalty.hpp"

#include <cmath>
#include <utility>

namespace gantry {

namespace {

// Below this fraction of the first gradient, the gradient consists of rounding errors.
constexpr double smallest_gradient = 1e-7;

class Cgls final : public Solver, public CarriesState {
 public:
  explicit Cgls(double damping) : Solver(cgls_traits), damping_(damping) {}

  SolverMemory memory(const OperatorMemory&) const override { return {3, 2}; }
  std::optional<Objective> objective() const override {
    Objective at = objective_of(residual_, residual_norm_, weights(), 0, nullptr, x_);
    at.penalty = 0.5 * damping_ * backend().dot(x_, x_);
    return at;
  }
  CarriedState carried() override {
    return {{&x_, &residual_, &p_}, {&residual_norm_, &gamma_, &first_gamma_}};
  }

 private:
  void do_init() override {
    residual_ = rays();
    q_ = rays();
    if (weights() != nullptr) weighted_ = rays();
    p_ = Array::filled(backend(), A().domain_size(), 0.0F);
    s_ = image();
    A().forward(x_, residual_);
    residual_norm_ = std::sqrt(backend().residual(b(), residual_, nullptr));  // r = b - A x
    gamma_ = first_gamma_ = 0;
  }

  // Only scratch changes before the last product, so that an interrupted step can be repeated.
  StepReport do_step() override {
    StepReport report;
    report.residual_norm = report.new_residual_norm = residual_norm_;
    report.update_norm = 0;
    A().adjoint(weighted(residual_), s_);                                            // s = A^T W r
    if (damping_ > 0) backend().axpby(static_cast<float>(-damping_), x_, 1.0F, s_);  // s -= mu x
    const double gamma = backend().dot(s_, s_);
    const double first_gamma = first_gamma_ > 0 ? first_gamma_ : gamma;
    if (std::isfinite(gamma) && gamma <= smallest_gradient * smallest_gradient * first_gamma) {
      report.exhausted = true;
      return report;
    }
    const double beta = gamma_ > 0 ? gamma / gamma_ : 0;
    const double direction =
        backend().axpby_norm(static_cast<float>(beta), p_, 1.0F, s_);  // p' = s + beta p
    A().forward(s_, q_);                                               // q = A p'
    double delta = backend().dot(q_, weighted(q_));                    // <q, W q>
    delta += damping_ * direction;                                     // + mu <p', p'>
    if (delta == 0) {
      report.exhausted = true;
      return report;
    }
    const double alpha = gamma / delta;
    std::swap(p_, s_);
    backend().axpby(static_cast<float>(alpha), p_, 1.0F, x_);  // x += alpha p
    // The recurrence gives the residual, so that stopping rules need no further product.
    report.new_residual_norm = residual_norm_ = std::sqrt(
        backend().axpby_norm(static_cast<float>(-alpha), q_, 1.0F, residual_));  // r -= alpha q
    gamma_ = gamma;
    first_gamma_ = first_gamma;
    report.update_norm = alpha * std::sqrt(direction);
    return report;
  }

  /// Returns W y, or y itself without weights.
  const Array& weighted(const Array& y) {
    if (weights() == nullptr) return y;
    backend().copy(y, weighted_);
    backend().multiply(*weights(), weighted_);
    return weighted_;
  }

  double damping_;                 // mu
  Array residual_, q_, weighted_;  // rays
  Array p_, s_;                    // images
  double residual_norm_ = 0, gamma_ = 0, first_gamma_ = 0;
};

}  // namespace

std::vector<ParamSpec> cgls_params() {
  return {{.key = "damping",
           .label = "Damping μ",
           .unit = "mm²",
           .fallback = 0.0,
           .min = 0,
           .max = 1e12,
           .help =
               "Minimises ‖A x − b‖² + μ ‖x‖² (Tikhonov): damps noise, and contrast with it. 0: "
               "least squares."}};
}

std::unique_ptr<Solver> make_cgls(const Params& params) {
  return std::make_unique<Cgls>(params.real("damping"));
}

}  // namespace gantry
