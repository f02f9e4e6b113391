#include "core/solvers/penalised/homogeneous.hpp"

#include "core/base/median.hpp"
#include "core/base/text_stream.hpp"
#include "core/operator/projector.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/penalised/one_material.hpp"
#include "core/solvers/penalty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace gantry {

namespace {

// lambda = 16 noise^2 / attenuation for the usual weight of total variation. m = 0.17 |a_j|^2, with
// a_j a column of A, but not more than 10 (noise / attenuation)^2: a stronger term would move whole
// voxels at the object's edge to one of the levels against exact data.
constexpr double lambda_per_variance = 16, usual_weight = 0.015;
constexpr double two_level_per_column_square = 0.17, two_level_per_variance = 10;
constexpr int ramp_stages = 20;
constexpr double misfit_limit = 2;  // of the residual to the noise

struct Options {
  OneMaterialOptions material;
  double two_level = 1;  ///< factor of m
  int ramp = 1;          ///< iterations until m has its full size
};

class Homogeneous final : public Solver, public CarriesState {
 public:
  explicit Homogeneous(Options options) : Solver(homogeneous_traits), options_(options) {}

  /// The corrected data are a ray vector more.
  SolverMemory memory(const OperatorMemory&) const override {
    return {2 + PrimalDual::images, PrimalDual::ray_vectors + 2};
  }
  std::vector<std::string> notes() const override;
  std::optional<Objective> objective() const override { return objective_; }
  CarriedState carried() override {
    CarriedState state{{&x_},
                       {&iterations_, &misfit_, &residual_norm_, &unchanged_, &objective_.data,
                        &objective_.penalty}};
    engine_->carry(state);
    return state;
  }

 private:
  void do_init() override;
  StepReport do_step() override;
  void find_material();
  double two_level() const;
  double scale_of_weights() const;
  void judge();
  bool models() const { return penalty().prior != nullptr && penalty().weight > 0; }

  Options options_;
  OneMaterial material_;
  double lambda_ = 0, full_two_level_ = 0;
  float high_ = 0;
  Array data_;  // corrected
  std::optional<PrimalDual> engine_;
  // What is known of the present iterate: steps made, ||data - A x||_W / (noise sqrt(rays)), ||b -
  // A x||, the objective with m at its full size; whether the last step changed nothing.
  std::int64_t iterations_ = 0;
  double misfit_ = 0, residual_norm_ = 0;
  Objective objective_;
  bool unchanged_ = false;
};

void Homogeneous::do_init() {
  engine_.reset();
  data_ = Array();  // the search for the material needs the memory
  material_ = {};
  lambda_ = full_two_level_ = 0;
  high_ = std::numeric_limits<float>::infinity();
  if (models()) find_material();
  const std::vector<float> corrected = material_.curve.linear(b().to_host());
  data_ = Array::from(backend(), corrected);
  engine_.emplace(A(), A().all(), models() ? penalty().prior : nullptr);
  if (weights() != nullptr) engine_->set_weights(*weights(), scale_of_weights());
  backend().clamp(x_, 0, high_);
  engine_->start(x_);
  iterations_ = 0;
  unchanged_ = false;
  judge();
  misfit_ = 0;
}

double Homogeneous::scale_of_weights() const {
  if (penalty().scale == PenaltyScale::absolute) return 1;
  const float median = upper_median(weights()->to_host());
  return median > 0 ? 1.0 / median : 1;
}

/// Computes what is known of the present iterate.
void Homogeneous::judge() {
  residual_norm_ = engine_->residual_norm(b());
  const double misfit = engine_->weighted_norm(data_);
  const double expected = material_.noise * std::sqrt(static_cast<double>(b().size()));
  misfit_ = expected > 0 ? misfit / expected : 0;
  objective_ = {0.5 * misfit * misfit, 0};
  if (lambda_ > 0) objective_.penalty += lambda_ * penalty().prior->value(x_);
  if (full_two_level_ > 0)
    objective_.penalty += full_two_level_ * engine_->between_levels(x_, high_);
}

void Homogeneous::find_material() {
  const auto* projector = dynamic_cast<const Projector*>(&A());
  const std::size_t columns = projector != nullptr
                                  ? static_cast<std::size_t>(projector->geometry().columns())
                                  : A().cells_per_view();
  const Penalty& by = penalty();
  const bool absolute = by.scale == PenaltyScale::absolute;
  const double factor =
      absolute ? lambda_per_variance : lambda_per_variance * by.weight / usual_weight;
  material_ = find_one_material(A(), b(), columns, *by.prior, factor, options_.material, x_);
  set_to_initial_image(x_);
  high_ = static_cast<float>(material_.attenuation);
  lambda_ = absolute ? by.weight : lambda_of(factor, material_.noise, material_.attenuation);
  const double noise_mm = material_.attenuation > 0 ? material_.noise / material_.attenuation : 0;
  full_two_level_ =
      options_.two_level * std::min(two_level_per_column_square * mean_column_square(A()),
                                    two_level_per_variance * noise_mm * noise_mm);
}

/// Returns m of the next step: 0 during a sixth of the ramp, then in equal stages, each of which
/// has time to settle.
double Homogeneous::two_level() const {
  const double lead = options_.ramp / 6.0;
  const double grown = (static_cast<double>(iterations_) - lead) / (options_.ramp - lead);
  const double share = std::clamp(std::ceil(grown * ramp_stages) / ramp_stages, 0.0, 1.0);
  return share * full_two_level_;
}

StepReport Homogeneous::do_step() {
  StepReport report;
  report.residual_norm = residual_norm_;
  report.update_norm = engine_->step({&data_, lambda_, two_level(), high_}, x_);
  ++iterations_;
  judge();
  report.new_residual_norm = residual_norm_;
  const bool still = report.update_norm == 0;
  report.exhausted = still && unchanged_ && (iterations_ > options_.ramp || !(high_ > 0));
  unchanged_ = still;
  return report;
}

std::vector<std::string> Homogeneous::notes() const {
  if (!models()) return {"without a prior this is least squares: no material is found"};
  if (!(material_.attenuation > 0)) return {"the data show no object"};
  std::vector<std::string> notes = penalty_notes(lambda_, penalty().prior);
  TextStream text;
  text.precision(4);
  text << "one material of " << material_.attenuation << " 1/mm, "
       << (options_.material.attenuation > 0 ? "as given" : "found from the data")
       << "; line integrals b = " << material_.curve.offset + 0.0 << " + p − "  // without a sign
       << material_.curve.curvature << " p², noise " << material_.noise
       << "; the two levels count with " << full_two_level_ << " mm²";
  notes.push_back(text.str());
  if (iterations_ <= options_.ramp)
    notes.push_back("the two levels count fully after " + std::to_string(options_.ramp) +
                    " iterations; stopped before, the image lies between them");
  TextStream fit;
  fit.precision(3);
  if (misfit_ > misfit_limit)
    fit << "the model of one material does not fit: the residual is " << misfit_
        << " times the noise; use another method unless the noise is known to be correlated";
  else if (misfit_ > 0)
    fit << "the model of one material fits: the residual is " << misfit_ << " times the noise";
  if (!fit.str().empty()) notes.push_back(fit.str());
  return notes;
}

}  // namespace

std::vector<ParamSpec> homogeneous_params() {
  return {{.key = "attenuation",
           .label = "Material",
           .unit = "1/mm",
           .fallback = 0.0,
           .min = 0,
           .max = 1000,
           .step = 0.005,
           .help = "Attenuation of the material at low thickness. 0: it is found from the data.",
           .least_means = "found"},
          {.key = "beam_hardening",
           .label = "Beam hardening",
           .unit = "",
           .fallback = true,
           .help = "Whether the data are corrected for the beam hardening of the one material, as "
                   "far as the data show it. Off for a monochromatic beam or corrected data."},
          {.key = "two_level",
           .label = "Two levels",
           .unit = "",
           .fallback = 1.0,
           .min = 0,
           .max = 100,
           .step = 0.25,
           .help = "How much voxels are drawn to 0 or to the material, in units of the usual "
                   "strength. 0: only the bounds hold."},
          {.key = "ramp",
           .label = "Ramp",
           .unit = "iterations",
           .fallback = std::int64_t{400},
           .min = 1,
           .max = 100000,
           .step = 50,
           .help = "Iterations in which that strength grows from 0. More follow the best image "
                   "more closely, in particular over a limited angle. Give some 50 iterations "
                   "more to the run."}};
}

std::unique_ptr<Solver> make_homogeneous(const Params& params) {
  return std::make_unique<Homogeneous>(
      Options{{params.real("attenuation"), params.flag("beam_hardening")},
              params.real("two_level"),
              static_cast<int>(params.integer("ramp"))});
}

}  // namespace gantry
