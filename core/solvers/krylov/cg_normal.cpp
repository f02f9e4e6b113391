#include "core/solvers/krylov/cg_normal.hpp"

#include "core/solvers/carried_state.hpp"
#include "core/solvers/penalty.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

// Below this fraction of the first gradient, the gradient consists of rounding errors.
constexpr double smallest_gradient = 1e-7;

class CgNormal final : public Solver, public CarriesState {
 public:
  CgNormal() : Solver(cg_normal_traits) {}

  SolverMemory memory(const OperatorMemory&) const override { return {4, 1}; }
  std::optional<Objective> objective_with(const Array& residual,
                                          double residual_norm) const override {
    return objective_of(residual, residual_norm, nullptr, 0, nullptr, x_);
  }
  CarriedState carried() override {
    return {{&x_, &r_, &p_}, {&phi_, &first_phi_, &residual_square_}};
  }

 private:
  void do_init() override {
    rays_ = rays();
    r_ = image();
    p_ = image();
    q_ = image();
    A().forward(x_, rays_);
    residual_square_ = backend().residual(b(), rays_, nullptr);  // b - A x
    A().adjoint(rays_, r_);
    backend().copy(r_, p_);
    phi_ = first_phi_ = backend().dot(r_, r_);
  }

  // Only scratch changes before the last product, so that an interrupted step can be repeated.
  StepReport do_step() override {
    StepReport report;
    report.residual_norm = std::sqrt(residual_square_);
    report.update_norm = 0;
    report.exhausted = true;
    if (std::isfinite(phi_) && phi_ <= smallest_gradient * smallest_gradient * first_phi_)
      return report;
    A().forward(p_, rays_);
    A().adjoint(rays_, q_);  // q = A^T (A p)
    const double curvature = backend().dot(p_, q_);
    if (curvature <= 0) return report;
    report.exhausted = false;
    const double alpha = phi_ / curvature;
    report.update_norm = std::abs(alpha) * std::sqrt(backend().dot(p_, p_));
    backend().axpby(static_cast<float>(alpha), p_, 1.0F, x_);                           // x += a p
    const double phi = backend().axpby_norm(static_cast<float>(-alpha), q_, 1.0F, r_);  // r -= a q
    backend().axpby(1.0F, r_, static_cast<float>(phi / phi_), p_);  // p = r + beta p
    // ||b - A x||^2 decreases by a phi, known without a product. The difference loses digits when
    // the residual is small; an exact value costs a product (StopRules).
    residual_square_ = std::max(residual_square_ - alpha * phi_, 0.0);
    phi_ = phi;
    return report;
  }

  Array rays_;       // A p
  Array r_, p_, q_;  // images: the gradient, the direction, A^T A p
  double phi_ = 0, first_phi_ = 0, residual_square_ = 0;
};

}  // namespace

std::vector<ParamSpec> cg_normal_params() { return {}; }

std::unique_ptr<Solver> make_cg_normal(const Params&) { return std::make_unique<CgNormal>(); }

}  // namespace gantry
