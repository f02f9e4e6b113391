#include "core/solvers/coordinate/icd.hpp"

#include "core/base/named_value.hpp"
#include "core/operator/column_access.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/penalty.hpp"
#include "core/solvers/printed_rate.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace gantry {

namespace {

enum class StepRule { bound, newton, printed };

struct Options {
  StepRule rule = StepRule::bound;
  int spacing = 4;
  bool nonnegative = true, filtered = true;
  double relaxation = 1;
  PrintedRate printed;
  FilteredSumMaker make_sum;
};

class Icd final : public Solver, public CarriesState {
 public:
  explicit Icd(Options options) : Solver(icd_traits), options_(std::move(options)) {}

  int steps_per_iteration() const override { return static_cast<int>(colours_.size()); }
  /// Images: x, its change, the curvature, the gradient and the curvature of the prior. Rays: b - A
  /// x, and scratch of init.
  SolverMemory memory(const OperatorMemory& A) const override {
    return {6, 2, A.product_bytes + A.columns_bytes};
  }
  std::vector<std::string> notes() const override {
    return penalty_notes(lambda_, penalty().prior, started_from_zero_);
  }
  std::optional<Objective> objective() const override {
    return objective_of(residual_, residual_norm_, weights(), lambda_, penalty().prior, x_);
  }
  bool repeatable() const override { return A().repeatable() && columns_->repeatable(); }
  std::optional<RelaxationRange> admissible() const override {
    if (options_.rule != StepRule::bound) return std::nullopt;
    return RelaxationRange{options_.relaxation, 2, {}, {}};
  }
  CarriedState carried() override {
    CarriedState state{{&x_, &residual_}, {&done_, &residual_norm_}};
    carry_edges(lambda_ > 0 ? penalty().prior : nullptr, state);
    return state;
  }

 private:
  void do_init() override;
  StepReport do_step() override;
  void find_curvature();
  const VoxelLattice& colour() const {
    return colours_[static_cast<std::size_t>(done_) % colours_.size()];
  }
  float low() const {
    return options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  }
  Prior& prior() const { return *penalty().prior; }

  Options options_;
  std::unique_ptr<ColumnAccess> columns_;
  std::vector<VoxelLattice> colours_;
  double lambda_ = 0, residual_norm_ = 0;
  std::int64_t done_ = 0;  // steps
  Array residual_;         // b - A x
  Array curvature_, change_, slope_, bend_;
  bool started_from_zero_ = false;
};

void Icd::do_init() {
  columns_ = nullptr;  // free those of an earlier problem before others are made
  columns_ = make_columns(A());
  // Neighbours have a term of the prior in common, and are of different colours from stride 2 on.
  colours_ = voxel_colours(columns_->grid(), std::max(2, options_.spacing));
  lambda_ = penalty_weight(A(), b(), weights(), penalty());
  change_ = Array::filled(backend(), A().domain_size(), 0);
  residual_ = rays();
  slope_ = lambda_ > 0 ? image() : Array();
  bend_ = lambda_ > 0 ? image() : Array();
  find_curvature();
  started_from_zero_ = false;
  if (!started() && options_.filtered)
    started_from_zero_ = !filtered_start(A(), b(), options_.make_sum, x_);
  backend().clamp(x_, low(), std::numeric_limits<float>::infinity());
  A().forward(x_, residual_);
  residual_norm_ = std::sqrt(backend().residual(b(), residual_, nullptr));
  if (lambda_ > 0) prior().start_edges(x_);
  done_ = 0;
}

/// Computes c_j of the rule, colour by colour.
void Icd::find_curvature() {
  curvature_ = image();
  if (options_.rule == StepRule::printed) return;
  Array sums = options_.rule == StepRule::bound ? rays() : Array();
  Array ones = Array::filled(backend(), A().domain_size(), 1);
  for (const VoxelLattice& colour : colours_) {
    A().check_interrupt();
    if (options_.rule == StepRule::newton) {
      columns_->squares(weights(), colour, curvature_);
      continue;
    }
    backend().fill(sums, 0.0F);
    columns_->add(ones, 1, colour, sums);
    if (weights() != nullptr) backend().multiply(*weights(), sums);
    columns_->sums(sums, colour, curvature_);
  }
  A().count_applications(options_.rule == StepRule::newton ? 1 : 2);
}

// Nothing is interrupted after the first change of x, so that x and b - A x always fit.
StepReport Icd::do_step() {
  A().check_interrupt();
  const bool printed = options_.rule == StepRule::printed;
  const std::int64_t steps = steps_per_iteration();
  if (printed && done_ % steps == 0)
    backend().fill(curvature_,
                   static_cast<float>(1 / options_.printed.at(done_ / steps, columns_->grid())));
  const bool penalised = lambda_ > 0;
  if (penalised) prior().gradient_at(x_, colour(), slope_, bend_);
  const double square =
      columns_->update({.residual = residual_,
                        .weights = weights(),
                        .curvature = curvature_,
                        .slope = penalised ? &slope_ : nullptr,
                        .bend = penalised && !printed ? &bend_ : nullptr,
                        .lambda = static_cast<float>(lambda_),
                        .relaxation = static_cast<float>(printed ? 1 : options_.relaxation),
                        .low = low()},
                       colour(), x_, change_);
  columns_->add(change_, -1, colour(), residual_);
  A().count_applications(2.0 / static_cast<double>(steps));
  ++done_;
  if (penalised && done_ % steps == 0) prior().adapt_edges(x_);
  StepReport report;
  report.residual_norm = residual_norm_;
  report.update_norm = std::sqrt(square);
  report.new_residual_norm = residual_norm_ = std::sqrt(backend().dot(residual_, residual_));
  return report;
}

}  // namespace

std::vector<ParamSpec> icd_params() {
  std::vector<ParamSpec> params = {
      {.key = "step",
       .label = "Step",
       .unit = "",
       .fallback = std::string("bound"),
       .choices = {"bound", "newton", "printed"},
       .study_choices = {"printed"},
       .help = "Bound: never increases the objective. Newton: the step of a single voxel, which "
               "may overshoot where the voxels changed together share rays.",
       .study_help = "Printed: a falling learning rate, as published for cuMBIR."},
      {.key = "spacing",
       .label = "Spacing",
       .unit = "voxels",
       .fallback = std::int64_t{4},
       .min = 2,
       .max = 64,
       .step = 1,
       .help = "Distance between voxels that are changed together. Voxels further apart share "
               "fewer rays and take longer steps, but fewer are changed at a time."},
      filtered_start_param(),
      relaxation_param(1.0),
      nonnegative_param()};
  std::ranges::move(printed_rate_params(), std::back_inserter(params));
  return params;
}

std::unique_ptr<Solver> make_icd_with(const Params& params, FilteredSumMaker make_sum) {
  Options options;
  options.rule = named_value<StepRule>(
      params.text("step"),
      {{"bound", StepRule::bound}, {"newton", StepRule::newton}, {"printed", StepRule::printed}});
  options.spacing = static_cast<int>(params.integer("spacing"));
  options.filtered = params.text("start") == "fbp";
  options.relaxation = params.real("relaxation");
  options.printed = printed_rate(params);
  options.nonnegative = params.flag("nonnegative");
  options.make_sum = std::move(make_sum);
  return std::make_unique<Icd>(std::move(options));
}

std::unique_ptr<Solver> make_icd(const Params& params) {
  return make_icd_with(params, make_cpu_filtered_sum);
}

}  // namespace gantry
