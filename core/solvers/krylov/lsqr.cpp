#include "core/solvers/krylov/lsqr.hpp"

#include "core/solvers/carried_state.hpp"

#include <cmath>
#include <utility>

namespace gantry {

namespace {

// Below this fraction of the first gradient, the gradient consists of rounding errors.
constexpr double smallest_gradient = 1e-7;

// Names and equations are those of the paper: u and v are the orthonormal vectors of the
// bidiagonalisation
//   beta_k+1 u_k+1 = A v_k - alpha_k u_k,   alpha_k+1 v_k+1 = A^T u_k+1 - beta_k+1 v_k  (3.1),
// and the rotation (c, s) of each step eliminates the new beta from the bidiagonal matrix (section
// 4).
class Lsqr final : public Solver, public CarriesState {
 public:
  Lsqr() : Solver(lsqr_traits) {}

  SolverMemory memory(const OperatorMemory&) const override { return {4, 2}; }
  std::optional<Objective> objective() const override {
    return Objective{0.5 * phi_bar_ * phi_bar_, 0};
  }
  CarriedState carried() override {
    return {{&x_, &u_, &v_, &w_}, {&alpha_, &rho_bar_, &phi_bar_, &gradient_, &first_gradient_}};
  }

 private:
  void do_init() override {
    u_ = rays();
    next_u_ = rays();
    v_ = image();
    next_v_ = image();
    w_ = image();
    A().forward(x_, u_);
    phi_bar_ = std::sqrt(backend().residual(b(), u_, nullptr));  // beta_1 u_1 = b - A x
    divide(u_, phi_bar_);
    A().adjoint(u_, v_);  // alpha_1 v_1 = A^T u_1
    alpha_ = rho_bar_ = std::sqrt(backend().dot(v_, v_));
    divide(v_, alpha_);
    backend().copy(v_, w_);
    gradient_ = first_gradient_ = phi_bar_ * alpha_;
  }

  // Only next_u_ and next_v_ change before the last product, so that an interrupted step can be
  // repeated.
  StepReport do_step() override {
    StepReport report;
    report.residual_norm = report.new_residual_norm = phi_bar_;
    report.update_norm = 0;
    if (std::isfinite(gradient_) && gradient_ <= smallest_gradient * first_gradient_) {
      report.exhausted = true;
      return report;
    }
    A().forward(v_, next_u_);  // beta u' = A v - alpha u
    const double beta =
        std::sqrt(backend().axpby_norm(static_cast<float>(-alpha_), u_, 1.0F, next_u_));
    divide(next_u_, beta);
    A().adjoint(next_u_, next_v_);  // alpha' v' = A^T u' - beta v
    alpha_ = std::sqrt(backend().axpby_norm(static_cast<float>(-beta), v_, 1.0F, next_v_));
    divide(next_v_, alpha_);
    std::swap(u_, next_u_);
    std::swap(v_, next_v_);

    const double rho = std::hypot(rho_bar_, beta), c = rho_bar_ / rho, s = beta / rho;
    const double theta = s * alpha_, phi = c * phi_bar_;
    rho_bar_ = -c * alpha_;
    phi_bar_ *= s;                                // ||b - A x||
    gradient_ = phi_bar_ * alpha_ * std::abs(c);  // ||A^T (b - A x)||
    report.update_norm = std::abs(phi / rho) * std::sqrt(backend().dot(w_, w_));
    backend().axpby(static_cast<float>(phi / rho), w_, 1.0F, x_);     // x += (phi / rho) w
    backend().axpby(1.0F, v_, static_cast<float>(-theta / rho), w_);  // w' = v' - (theta / rho) w
    report.new_residual_norm = phi_bar_;
    return report;
  }

  /// Normalises a vector. One of norm 0 stays as it is: the minimum has been reached.
  void divide(Array& vector, double norm) {
    if (norm > 0) backend().axpby(0.0F, vector, static_cast<float>(1 / norm), vector);
  }

  Array u_, next_u_;      // rays
  Array v_, next_v_, w_;  // images
  double alpha_ = 0, rho_bar_ = 0, phi_bar_ = 0, gradient_ = 0, first_gradient_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_lsqr(const Params&) { return std::make_unique<Lsqr>(); }

}  // namespace gantry
