#include "core/solvers/penalised/fista_tv.hpp"

#include "core/base/error.hpp"
#include "core/priors/total_variation.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/column_norms.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/power_iteration.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace gantry {

namespace {

constexpr PowerLimits power_limits{.iterations = 20, .tolerance = 1e-3};
constexpr double power_margin = 1.02;  // the power iteration approaches ||A||^2 from below

struct Options {
  double weight = 0;
  bool absolute = false;  ///< weight is lambda, not a fraction of the data
  int inner = 1;
  bool nonnegative = true;
};

class FistaTv final : public Solver, public CarriesState {
 public:
  FistaTv(Options options, RegularizerMaker make_regularizer)
      : Solver(fista_tv_traits),
        options_(options),
        make_regularizer_(std::move(make_regularizer)) {}

  /// The dual vectors of total variation count as three images each, as they are in 3D.
  SolverMemory memory(const LinearOperator&) const override { return {4 + 3 * 3, 3}; }
  std::vector<std::string> notes() const override;
  CarriedState carried() override {
    return {{&x_, &y_, &dual_, &residual_, &extrapolated_},
            {&objective_, &residual_square_, &t_, &still_}};
  }

 private:
  void do_init() override;
  StepReport do_step() override;
  void try_step();
  double extrapolate(Array& x, Array& z, bool accepted, double reach, Array& y) const;
  double objective(const Array& x, double residual_square) const {
    return 0.5 * residual_square + (lambda_ > 0 ? lambda_ * regularizer_->value(x) : 0);
  }

  Options options_;
  RegularizerMaker make_regularizer_;
  std::unique_ptr<Regularizer> regularizer_;
  double lambda_ = 0, lipschitz_ = 0;
  // Of the present iterate: objective, ||b - A x||^2, momentum; whether the last step changed
  // nothing, so that y is x.
  double objective_ = 0, residual_square_ = 0, t_ = 1;
  bool still_ = true;
  Array y_, dual_;                           // image; dual vector that the last step reached
  Array residual_, extrapolated_;            // b - A x and b - A y
  Array z_, gradient_, trial_dual_, trial_;  // scratch: images, dual, b - A z
};

void FistaTv::do_init() {
  const VolumeGrid* grid = A().image_grid();
  if (grid == nullptr)
    throw UsageError(
        "total variation needs the neighbours of a voxel, and a stored matrix has none", "solver",
        "choose a projector");
  lipschitz_ = power_margin * largest_eigenvalue(A(), nullptr, nullptr, power_limits).eigenvalue;
  const double rms = std::sqrt(backend().dot(b(), b()) / static_cast<double>(b().size()));
  lambda_ = options_.weight;
  if (!options_.absolute && lambda_ > 0) lambda_ *= rms * std::sqrt(mean_column_square(A()));
  regularizer_ = make_regularizer_(backend(), *grid);
  dual_ = Array::filled(backend(), regularizer_->dual_size(), 0);
  trial_dual_ = Array(backend(), regularizer_->dual_size());
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
  objective_ = objective(x_, residual_square_);
  t_ = 1;
  still_ = true;
}

/// z, b - A z and the dual that belongs to z, in scratch alone: an interrupted step can be
/// repeated.
void FistaTv::try_step() {
  A().adjoint(extrapolated_, gradient_);  // g = A^T (b - A y)
  const double over_l = lipschitz_ > 0 ? 1 / lipschitz_ : 0;
  backend().axpby(1, y_, static_cast<float>(over_l), gradient_);  // v = y + g / L
  backend().copy(dual_, trial_dual_);
  const float low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  regularizer_->proximal(
      {gradient_, lambda_ * over_l, low, options_.inner, [this] { A().check_interrupt(); }},
      trial_dual_, z_);
  A().forward(z_, trial_);
}

StepReport FistaTv::do_step() {
  try_step();
  StepReport report;
  report.residual_norm = std::sqrt(residual_square_);
  const double trial_square = backend().residual(b(), trial_, nullptr);  // b - A z
  const double trial_objective = objective(z_, trial_square);
  const bool accepted = trial_objective <= objective_;
  const double next_t = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
  // y' = x' + (t / t') (z - x') + ((t - 1) / t') (x' - x): one of the two differences is zero.
  const double reach = (accepted ? t_ - 1 : t_) / next_t;
  const double change_square = extrapolate(x_, z_, accepted, reach, y_);
  extrapolate(residual_, trial_, accepted, reach, extrapolated_);
  std::swap(dual_, trial_dual_);
  if (accepted) {
    objective_ = trial_objective;
    residual_square_ = trial_square;
  }
  t_ = next_t;
  report.new_residual_norm = std::sqrt(residual_square_);
  report.update_norm = std::sqrt(change_square);
  report.exhausted = still_ && change_square == 0;
  still_ = change_square == 0;
  return report;
}

/// y = x' + reach (z - x), x' = z if accepted, else x; x becomes x', and z may hold anything.
/// Returns ||z - x||^2.
double FistaTv::extrapolate(Array& x, Array& z, bool accepted, double reach, Array& y) const {
  backend().copy(x, y);
  const double change_square = backend().residual(z, y, nullptr);  // z - x
  if (accepted) std::swap(x, z);
  backend().axpby(1, x, static_cast<float>(reach), y);
  return change_square;
}

std::vector<std::string> FistaTv::notes() const {
  if (lambda_ == 0) return {};
  std::ostringstream text;
  text.precision(4);
  text << "total variation is weighed with λ = " << lambda_ << " mm";
  return {text.str()};
}

}  // namespace

std::vector<ParamSpec> fista_tv_params() {
  return {
      {.key = "weight",
       .label = "TV weight",
       .unit = "",
       .fallback = 0.015,
       .min = 0,
       .max = 1e6,
       .step = 0.001,
       .help =
           "How much a smooth image counts against fitting the data: more removes more noise, "
           "and then detail. Relative: one to two times the noise's share of the line integrals, "
           "0.015 suits 100 000 photons. Absolute: λ of the formula, in mm.",
       .in_names = "weight "},
      {.key = "scale",
       .label = "Weight is",
       .unit = "",
       .fallback = std::string("relative"),
       .choices = {"relative", "absolute"},
       .help = "Relative: λ = weight times the data's root mean square times the mean norm of "
               "a column of A, which suits scans of any size and number of views alike."},
      {.key = "inner",
       .label = "Inner iterations",
       .unit = "",
       .fallback = std::int64_t{10},
       .min = 1,
       .max = 1000,
       .step = 5,
       .help = "Iterations of the smoothing within each step. They go on from those of the step "
               "before, so few are enough."},
      nonnegative_param()};
}

std::unique_ptr<Solver> make_fista_tv_with(const Params& params, RegularizerMaker regularizer) {
  Options options;
  options.weight = params.real("weight");
  options.absolute = params.text("scale") == "absolute";
  options.inner = static_cast<int>(params.integer("inner"));
  options.nonnegative = params.flag("nonnegative");
  return std::make_unique<FistaTv>(options, std::move(regularizer));
}

std::unique_ptr<Solver> make_fista_tv(const Params& params) {
  return make_fista_tv_with(params, make_total_variation);
}

}  // namespace gantry
