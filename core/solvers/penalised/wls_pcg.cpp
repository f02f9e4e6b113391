#include "core/solvers/penalised/wls_pcg.hpp"

#include "core/solvers/carried_state.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"
#include "core/solvers/penalty.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

// Below this fraction of the first gradient, the gradient consists of rounding errors.
constexpr double smallest_gradient = 1e-7;
// Voxels of less curvature than this fraction of the mean are hardly measured and keep their
// values.
constexpr double smallest_curvature = 1e-6;
// The line search ends when a step is shorter than this fraction of the distance from its start.
constexpr double line_tolerance = 1e-4;
constexpr int most_line_steps = 10;

class WlsPcg final : public Solver, public CarriesState {
 public:
  /// `filtered`: start from the filtered backprojection.
  WlsPcg(bool filtered, FilteredSumMaker make_sum)
      : Solver(wls_pcg_traits), filtered_(filtered), make_sum_(std::move(make_sum)) {}

  SolverMemory memory(const OperatorMemory&) const override { return {7, 2}; }
  std::vector<std::string> notes() const override {
    return penalty_notes(lambda_, penalty().prior, started_from_zero_);
  }
  std::optional<Objective> objective() const override {
    return objective_of(residual_, residual_norm_, weights(), lambda_, penalty().prior, x_);
  }
  CarriedState carried() override {
    CarriedState state{{&x_, &residual_, &last_s_, &p_}, {&residual_norm_, &gamma_, &first_gamma_}};
    carry_edges(lambda_ > 0 ? penalty().prior : nullptr, state);
    return state;
  }

 private:
  void do_init() override;
  void begin();
  StepReport do_step() override;
  void compute_descent();
  void choose_direction(double gamma);
  double search(double gain, double square) const;

  /// Returns W y, or y itself without weights.
  const Array& weighted(const Array& y) {
    if (weights() == nullptr) return y;
    backend().copy(y, weighted_);
    backend().multiply(*weights(), weighted_);
    return weighted_;
  }
  /// Sets x = D s, with D the preconditioner.
  void precondition(Array& x) {
    backend().copy(s_, x);
    backend().multiply(scaling_, x);
  }

  Prior& prior() const { return *penalty().prior; }

  bool filtered_;
  FilteredSumMaker make_sum_;
  double lambda_ = 0;  // of the prior; 0: least squares
  float smallest_curvature_ = 0;
  bool started_from_zero_ = false;  // because the scan has no filtered backprojection
  Array data_curvature_;            // A^T W A 1
  // b - A x and ||b - A x|| belong to the finished iterate; last_s_ = -grad Phi and
  // gamma_ = <z, s> belong to the step before it.
  Array residual_, last_s_, p_;
  double residual_norm_ = 0, gamma_ = 0, first_gamma_ = 0;
  Array s_, z_, scaling_, q_, weighted_;  // scratch: three images, two sets of rays
};

void WlsPcg::do_init() {
  // Free the arrays of an earlier problem before the column norms are computed, which takes memory.
  for (Array* held :
       {&residual_, &q_, &weighted_, &s_, &z_, &scaling_, &data_curvature_, &last_s_, &p_})
    *held = Array();
  lambda_ = penalty_weight(A(), b(), weights(), penalty());
  residual_ = rays();
  q_ = rays();
  if (weights() != nullptr) weighted_ = rays();
  s_ = image();
  z_ = image();
  scaling_ = image();
  data_curvature_ = image();
  last_s_ = image();
  p_ = image();

  backend().fill(z_, 1.0F);
  A().forward(z_, q_);
  A().adjoint(weighted(q_), data_curvature_);  // A^T W A 1
  smallest_curvature_ = static_cast<float>(smallest_curvature * backend().dot(data_curvature_, z_) /
                                           static_cast<double>(z_.size()));
  begin();
  if (lambda_ > 0) prior().start_edges(x_);
  gamma_ = first_gamma_ = 0;
}

void WlsPcg::begin() {
  started_from_zero_ = false;
  if (!started() && filtered_) started_from_zero_ = !filtered_start(A(), b(), make_sum_, x_);
  A().forward(x_, residual_);
  if (!started()) {
    // The factor c that minimises || b - c A x ||_W; 0 if no ray hits the image.
    const Array& image_rays = weighted(residual_);
    const double overlap = backend().dot(b(), image_rays),
                 square = backend().dot(residual_, image_rays);
    const auto fit = static_cast<float>(square > 0 ? std::max(overlap / square, 0.0) : 0);
    backend().axpby(0, x_, fit, x_);
    backend().axpby(0, residual_, fit, residual_);
  }
  residual_norm_ = std::sqrt(backend().residual(b(), residual_, nullptr));  // r = b - A x
}

/// Computes s = -grad Phi and D from x and r.
void WlsPcg::compute_descent() {
  A().adjoint(weighted(residual_), s_);  // s = A^T W r
  backend().copy(data_curvature_, scaling_);
  if (lambda_ > 0) {
    prior().gradient(x_, z_, scaling_);
    backend().axpby(static_cast<float>(-lambda_), z_, 1.0F, s_);  // s -= lambda grad R
    backend().axpby(1.0F, data_curvature_, static_cast<float>(lambda_), scaling_);
    A().check_interrupt();
  }
  backend().safe_reciprocal(scaling_, smallest_curvature_);
  precondition(z_);
}

/// Makes z = D s, with <z, s> = gamma, the search direction.
void WlsPcg::choose_direction(double gamma) {
  if (!(gamma_ > 0)) return;
  const double factor = (gamma - backend().dot(z_, last_s_)) / gamma_;
  if (!(factor > 0)) return;
  backend().axpby(static_cast<float>(factor), p_, 1.0F, z_);  // p' = z + factor p
  if (!(backend().dot(z_, s_) > 0)) precondition(z_);
}

/// Returns the a that minimises Phi(x + a z), with q = A z, `gain` = <q, W r> and `square` = <q, W
/// q>.
double WlsPcg::search(double gain, double square) const {
  if (lambda_ == 0) return square > 0 ? gain / square : 0;
  double a = 0;
  for (int k = 0; k < most_line_steps; ++k) {
    const PriorLine line = prior().along(x_, z_, a);
    const double slope = a * square - gain + lambda_ * line.slope,
                 curvature = square + lambda_ * line.curvature;
    A().check_interrupt();
    if (!(curvature > 0)) break;
    a -= slope / curvature;
    if (std::abs(slope) <= line_tolerance * curvature * std::abs(a)) break;
  }
  return a;
}

// Only scratch changes before the last product and the line search, so that an interrupted step can
// be repeated.
StepReport WlsPcg::do_step() {
  StepReport report;
  report.residual_norm = report.new_residual_norm = residual_norm_;
  report.update_norm = 0;
  report.exhausted = true;
  compute_descent();
  const double gamma = backend().dot(z_, s_);
  if (!std::isfinite(gamma)) report.update_norm = gamma;
  const double first_gamma = first_gamma_ > 0 ? first_gamma_ : gamma;
  if (!(gamma > smallest_gradient * smallest_gradient * first_gamma)) return report;
  choose_direction(gamma);
  A().forward(z_, q_);  // q = A p'
  const Array& weighted_q = weighted(q_);
  const double a = search(backend().dot(weighted_q, residual_), backend().dot(weighted_q, q_));
  if (!(a > 0)) return report;
  std::swap(p_, z_);
  std::swap(last_s_, s_);
  backend().axpby(static_cast<float>(a), p_, 1.0F, x_);  // x += a p
  report.new_residual_norm = residual_norm_ =
      std::sqrt(backend().axpby_norm(static_cast<float>(-a), q_, 1.0F, residual_));  // r -= a q
  gamma_ = gamma;
  first_gamma_ = first_gamma;
  report.update_norm = a * std::sqrt(backend().dot(p_, p_));
  report.exhausted = false;
  if (lambda_ > 0) prior().adapt_edges(x_);
  return report;
}

}  // namespace

std::vector<ParamSpec> wls_pcg_params() { return {filtered_start_param()}; }

std::unique_ptr<Solver> make_wls_pcg_with(const Params& params, FilteredSumMaker make_sum) {
  return std::make_unique<WlsPcg>(params.text("start") == "fbp", std::move(make_sum));
}

std::unique_ptr<Solver> make_wls_pcg(const Params& params) {
  return make_wls_pcg_with(params, make_cpu_filtered_sum);
}

}  // namespace gantry
