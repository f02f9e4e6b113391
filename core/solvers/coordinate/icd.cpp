#include "core/solvers/coordinate/icd.hpp"

#include "core/base/named_value.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/coordinate/coordinate_descent.hpp"
#include "core/solvers/divergence_cure.hpp"
#include "core/solvers/printed_rate.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gantry {

namespace {

enum class StepRule { bound, newton, printed };

struct Options {
  StepRule rule = StepRule::bound;
  int spacing = 4;
  PrintedRate printed;
};

class Icd final : public CoordinateDescent, public CuresDivergence {
 public:
  Icd(Options options, CoordinateStart start)
      : CoordinateDescent(icd_traits, std::move(start)), options_(std::move(options)) {}

  /// Images: x, its change, the curvature, the gradient and the curvature of the prior. Rays: b - A
  /// x, and scratch of init. The columns are read, with an image of ones, while no product is
  /// computed.
  SolverMemory memory(const OperatorMemory& A) const override {
    return {5, 2, A.between_products(A.columns_bytes + A.domain_size * sizeof(float))};
  }
  std::optional<RelaxationRange> admissible() const override {
    if (options_.rule != StepRule::bound) return std::nullopt;
    return RelaxationRange{relaxation(), 2, {}, {}};
  }
  std::string cure() const override {
    if (options_.rule == StepRule::newton)
      return "Newton's step overshoots where the voxels that are changed together share many rays: "
             "use a larger spacing (solver.spacing above " +
             std::to_string(options_.spacing) + ") or solver.step=bound";
    return options_.rule == StepRule::printed ? "use a smaller printed rate (solver.rate)" : "";
  }

 private:
  void do_init() override;
  StepReport do_step() override;
  void find_curvature();

  Options options_;
  Array curvature_, change_;
  std::int64_t rate_of_ = -1;  // the iteration whose printed rate curvature_ holds; -1: none
};

void Icd::do_init() {
  begin(options_.spacing);
  change_ = Array::filled(backend(), A().domain_size(), 0);
  find_curvature();
  begin_residual();
}

/// Computes c_j of the rule, colour by colour.
void Icd::find_curvature() {
  curvature_ = image();
  rate_of_ = -1;
  if (options_.rule == StepRule::printed) return;
  if (options_.rule == StepRule::newton) {
    compute_squares(curvature_);
    return;
  }
  Array sums = rays();
  const Array ones = Array::filled(backend(), A().domain_size(), 1);
  for (const VoxelLattice& colour : colours()) {
    A().check_interrupt();
    backend().fill(sums, 0.0F);
    columns().add(ones, 1, colour, sums);
    if (weights() != nullptr) backend().multiply(*weights(), sums);
    columns().sums(sums, colour, curvature_);
  }
  A().count_applications(2);
  count_unseen(curvature_);
}

StepReport Icd::do_step() {
  begin_step();
  const bool printed = options_.rule == StepRule::printed;
  // A run that continues from a checkpoint may begin in the middle of an iteration.
  if (const std::int64_t iteration = done() / steps_per_iteration();
      printed && rate_of_ != iteration) {
    backend().fill(curvature_,
                   static_cast<float>(1 / options_.printed.at(iteration, columns().grid())));
    rate_of_ = iteration;
  }
  CoordinateStep step = step_of(curvature_, !printed);
  if (printed) step.relaxation = 1;
  const double square = columns().update(step, colour(), x_, change_);
  columns().add(change_, -1, colour(), residual());
  return end_step(square);
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
      {.key = "worker",
       .label = "Worker",
       .unit = "",
       .fallback = std::string("automatic"),
       .choices = {"automatic", "thread", "warp"},
       .study_choices = {"thread", "warp"},
       .help = "On a GPU, the threads that project a voxel: one, or the 32 of a warp, which divide "
               "its views. Automatic: as many as keep the GPU busy."},
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
  options.printed = printed_rate(params);
  CoordinateStart start = coordinate_start(params, std::move(make_sum));
  start.worker =
      named_value<ColumnWorker>(params.text("worker"), {{"automatic", ColumnWorker::automatic},
                                                        {"thread", ColumnWorker::thread},
                                                        {"warp", ColumnWorker::warp}});
  return std::make_unique<Icd>(std::move(options), std::move(start));
}

std::unique_ptr<Solver> make_icd(const Params& params) {
  return make_icd_with(params, make_cpu_filtered_sum);
}

}  // namespace gantry
