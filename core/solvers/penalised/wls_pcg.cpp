#include "core/solvers/penalised/wls_pcg.hpp"

#include "core/base/error.hpp"
#include "core/physics/units.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/column_norms.hpp"
#include "core/solvers/direct/filtered_start.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace gantry {

namespace {

// The gradient cannot be told from rounding below this fraction of the first one.
constexpr double smallest_gradient = 1e-7;
// Voxels of less curvature than this fraction of the mean are hardly seen: they stay.
constexpr double smallest_curvature = 1e-6;
// The line search ends with a step shorter than this fraction of its way.
constexpr double line_tolerance = 1e-4;
constexpr int most_line_steps = 10;

struct Options {
  double strength = 0;
  bool absolute = false;  ///< strength is beta, not a fraction of the data's curvature
  bool filtered = true;   ///< whether to start from the filtered backprojection
};

class WlsPcg final : public Solver, public CarriesState {
 public:
  WlsPcg(Options options, SmoothPriorMaker make_prior, FilteredSumMaker make_sum)
      : Solver(wls_pcg_traits),
        options_(options),
        make_prior_(std::move(make_prior)),
        make_sum_(std::move(make_sum)) {}

  SolverMemory memory(const LinearOperator&) const override { return {7, 2}; }
  std::vector<std::string> notes() const override;
  CarriedState carried() override {
    return {{&x_, &residual_, &last_s_, &p_}, {&residual_norm_, &gamma_, &first_gamma_}};
  }

 private:
  void do_init() override;
  void begin();
  StepReport do_step() override;
  void point_down();
  void choose_direction(double gamma);
  double search(double gain, double square) const;

  /// W y; y itself where there are no weights.
  const Array& weighted(const Array& y) {
    if (weights() == nullptr) return y;
    backend().copy(y, weighted_);
    backend().multiply(*weights(), weighted_);
    return weighted_;
  }
  /// x = D s, D the preconditioner.
  void precondition(Array& x) {
    backend().copy(s_, x);
    backend().multiply(scaling_, x);
  }

  Options options_;
  SmoothPriorMaker make_prior_;
  FilteredSumMaker make_sum_;
  std::unique_ptr<SmoothPrior> prior_;
  double beta_ = 0;
  float smallest_curvature_ = 0;
  bool from_zero_ = false;  // for want of a filtered backprojection
  Array data_curvature_;    // A^T W A 1
  // Of the finished iterate: residual b - A x, ||b - A x||, -grad Phi and <z, s> of the step
  // before.
  Array residual_, last_s_, p_;
  double residual_norm_ = 0, gamma_ = 0, first_gamma_ = 0;
  Array s_, z_, scaling_, q_, weighted_;  // scratch: three images, two sets of rays
};

void WlsPcg::do_init() {
  const VolumeGrid* grid = A().image_grid();
  if (grid == nullptr)
    throw UsageError("the prior needs the neighbours of a voxel, and a stored matrix has none",
                     "solver", "choose a projector");
  // Those of an earlier problem, before the norms of columns ask for memory.
  for (Array* held :
       {&residual_, &q_, &weighted_, &s_, &z_, &scaling_, &data_curvature_, &last_s_, &p_})
    *held = Array();
  beta_ = options_.strength;
  if (!options_.absolute && beta_ > 0) beta_ *= mean_column_square(A(), weights());
  residual_ = rays();
  q_ = rays();
  if (weights() != nullptr) weighted_ = rays();
  s_ = image();
  z_ = image();
  scaling_ = image();
  data_curvature_ = image();
  last_s_ = image();
  p_ = image();
  prior_ = beta_ > 0 ? make_prior_(backend(), *grid) : nullptr;

  backend().fill(z_, 1.0F);
  A().forward(z_, q_);
  A().adjoint(weighted(q_), data_curvature_);  // A^T W A 1
  smallest_curvature_ = static_cast<float>(smallest_curvature * backend().dot(data_curvature_, z_) /
                                           static_cast<double>(z_.size()));
  begin();
  gamma_ = first_gamma_ = 0;
}

void WlsPcg::begin() {
  from_zero_ = false;
  if (!started() && options_.filtered) from_zero_ = !filtered_start(A(), b(), make_sum_, x_);
  A().forward(x_, residual_);
  if (!started()) {
    // min over c of || b - c A x ||_W; 0 where rays that miss the volume are all there is
    const Array& image_rays = weighted(residual_);
    const double overlap = backend().dot(b(), image_rays),
                 square = backend().dot(residual_, image_rays);
    const auto fit = static_cast<float>(square > 0 ? std::max(overlap / square, 0.0) : 0);
    backend().axpby(0, x_, fit, x_);
    backend().axpby(0, residual_, fit, residual_);
  }
  residual_norm_ = std::sqrt(backend().residual(b(), residual_, nullptr));  // r = b - A x
}

/// s = -grad Phi and D, of x and r alone.
void WlsPcg::point_down() {
  A().adjoint(weighted(residual_), s_);  // s = A^T W r
  backend().copy(data_curvature_, scaling_);
  if (prior_ != nullptr) {
    prior_->gradient(x_, z_, scaling_);
    backend().axpby(static_cast<float>(-beta_), z_, 1.0F, s_);  // s -= beta grad R
    backend().axpby(1.0F, data_curvature_, static_cast<float>(beta_), scaling_);
    A().check_interrupt();
  }
  backend().safe_reciprocal(scaling_, smallest_curvature_);
  precondition(z_);
}

/// z = the direction to search along, from z = D s with <z, s> = gamma.
void WlsPcg::choose_direction(double gamma) {
  if (!(gamma_ > 0)) return;
  const double factor = (gamma - backend().dot(z_, last_s_)) / gamma_;
  if (!(factor > 0)) return;
  backend().axpby(static_cast<float>(factor), p_, 1.0F, z_);  // p' = z + factor p
  if (!(backend().dot(z_, s_) > 0)) precondition(z_);
}

/// The a that minimises Phi(x + a z), q = A z; `gain` = <q, W r>, `square` = <q, W q>.
double WlsPcg::search(double gain, double square) const {
  if (prior_ == nullptr) return square > 0 ? gain / square : 0;
  double a = 0;
  for (int k = 0; k < most_line_steps; ++k) {
    const PriorLine line = prior_->along(x_, z_, a);
    const double slope = a * square - gain + beta_ * line.slope,
                 curvature = square + beta_ * line.curvature;
    A().check_interrupt();
    if (!(curvature > 0)) break;
    a -= slope / curvature;
    if (std::abs(slope) <= line_tolerance * curvature * std::abs(a)) break;
  }
  return a;
}

// Everything up to the last product and the line search only touches scratch: an interrupted step
// can be repeated.
StepReport WlsPcg::do_step() {
  StepReport report;
  report.residual_norm = report.new_residual_norm = residual_norm_;
  report.update_norm = 0;
  report.exhausted = true;
  point_down();
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
  return report;
}

std::vector<std::string> WlsPcg::notes() const {
  std::vector<std::string> notes;
  if (beta_ > 0) {
    std::ostringstream text;
    text.precision(4);
    text << "the prior is weighed with β = " << beta_ << " mm²";
    notes.push_back(text.str());
  }
  if (from_zero_) notes.emplace_back("started from zero: this scan has no filtered backprojection");
  return notes;
}

}  // namespace

std::vector<ParamSpec> wls_pcg_params() {
  return {
      {.key = "strength",
       .label = "Prior strength",
       .unit = "",
       .fallback = 10.0,
       .min = 0,
       .max = 1e9,
       .step = 5,
       .help = "How much a smooth image counts against fitting the data: more removes more noise, "
               "and then detail. 0: least squares. Absolute: β of the formula, in mm².",
       .in_names = "strength "},
      {.key = "scale",
       .label = "Strength is",
       .unit = "",
       .fallback = std::string("relative"),
       .choices = {"relative", "absolute"},
       .help = "Relative: β = strength times the mean squared norm of a column of A, ray weights "
               "included, which suits scans of any size and number of views alike: 10 suits "
               "100 000 photons."},
      {.key = "edge",
       .label = "Edge height c",
       .unit = "HU",
       .fallback = 10.0,
       .min = 0.01,
       .max = 1e5,
       .step = 5,
       .help = "Differences between neighbours below this are smoothed as noise, those far above "
               "are kept as edges. 1000 HU are water's 0.02 per mm."},
      {.key = "q",
       .label = "Exponent q (1 … 2)",
       .unit = "",
       .fallback = 1.2,
       .min = 1,
       .max = 2,
       .step = 0.1,
       .help =
           "How edges count: 1 spares them most, as total variation does; 2 smooths all alike."},
      {.key = "start",
       .label = "Start",
       .unit = "",
       .fallback = std::string("fbp"),
       .choices = {"fbp", "zero"},
       .help = "Fbp: the filtered backprojection (for a cone beam FDK), which saves iterations; "
               "where a scan has none, zero."}};
}

std::unique_ptr<Solver> make_wls_pcg_with(const Params& params, const QggmrfMaker& make_prior,
                                          FilteredSumMaker make_sum) {
  Options options;
  options.strength = params.real("strength");
  options.absolute = params.text("scale") == "absolute";
  options.filtered = params.text("start") == "fbp";
  const QggmrfShape shape{params.real("q"), default_mu_water * params.real("edge") / 1000};
  return std::make_unique<WlsPcg>(
      options,
      [make_prior, shape](Backend& backend, const VolumeGrid& grid) {
        return make_prior(backend, grid, shape);
      },
      std::move(make_sum));
}

std::unique_ptr<Solver> make_wls_pcg(const Params& params) {
  return make_wls_pcg_with(params, make_qggmrf, make_cpu_filtered_sum);
}

}  // namespace gantry
