#include "core/solvers/row_action/parallel_art.hpp"

#include "core/geometry/symmetry.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/subset_sweep.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/power_iteration.hpp"
#include "core/solvers/sirt_family/cimmino.hpp"
#include "core/solvers/view_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gantry {

namespace {

// Number of views whose eigenvalues are computed; those of the other views hardly differ. Views
// that are images of others by symmetry have equal eigenvalues and are skipped, but at least
// `fewest_sampled` views are used.
constexpr int sampled_views = 16, fewest_sampled = 4;
constexpr PowerLimits power_limits{.iterations = 60, .tolerance = 1e-6};

struct Options {
  double relaxation = 1;
  bool as_printed = false, nonnegative = true;
  ViewOrder order = ViewOrder::golden;
  std::uint64_t seed = 1;
  RowNormMaker norms;

  /// 1 / ||a_i||^2
  Array row_weights(const LinearOperator& A) const {
    return inverse_squared_row_norms_by(require_row_norms(A), norms);
  }
};

/// View level. A step is a view, or several if the operator prefers to get several at once.
class ViewLevelArt final : public Solver, public CarriesState {
 public:
  explicit ViewLevelArt(Options options)
      : Solver(parallel_art_traits), options_(std::move(options)) {}

  int steps_per_iteration() const override { return sequence_.steps_per_iteration(views_of_step_); }
  SolverMemory memory(const OperatorMemory&) const override { return {3, 3}; }
  std::optional<RelaxationRange> admissible() const override { return range_; }
  CarriedState carried() override { return {{&x_}, {&done_}}; }

 private:
  void do_init() override {
    sequence_ = SubsetSequence(A(), A().views(), options_.order, options_.seed);
    done_ = 0;
    sweep_ = nullptr;  // free the sweep of an earlier problem before init allocates
    Array row_weight = options_.row_weights(A());  // 1 / ||a_i||^2
    const auto rays_of_view = static_cast<double>(A().cells_per_view());
    const double s = largest_of_views(row_weight);
    const double half_bound = s > 0 ? rays_of_view / s : 0;  // no ray hits: no correction
    const double lambda = options_.relaxation * (options_.as_printed ? 1 : half_bound);
    range_ = {lambda, 2 * half_bound, {}, "2M/s"};
    SubsetUpdate update;
    update.low = options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
    update.relaxation = static_cast<float>(lambda / rays_of_view);
    update.column_weight = 1;
    sweep_ = make_subset_sweep(A(), std::move(row_weight), update);
    views_of_step_ = std::clamp(sweep_->subsets_at_once(1), 1, A().views());
  }

  double largest_of_views(const Array& row_weight) const {
    const Projector& projector = require_row_norms(A());
    const ScanSymmetry symmetry(projector.geometry(), projector.grid());
    const std::vector<int>& different = symmetry.stored_views();
    const auto wanted = std::max<std::size_t>(
        fewest_sampled,
        (sampled_views * different.size() + static_cast<std::size_t>(A().views()) - 1) /
            static_cast<std::size_t>(A().views()));
    const std::size_t stride = (different.size() + wanted - 1) / wanted;
    double largest = 0;
    for (std::size_t i = 0; i < different.size(); i += stride)
      largest = std::max(
          largest, largest_eigenvalue(A(), {different[i], 1, 1}, nullptr, &row_weight, power_limits)
                       .eigenvalue);
    return largest;
  }

  StepReport do_step() override {
    // x <- max(x + lambda/M A_s^T R_s (b_s - A_s x), low), view after view
    const UpdateNorms norms = sweep_->run(x_, b(), sequence_.step(done_, views_of_step_));
    ++done_;
    StepReport report;
    report.residual_norm = std::sqrt(norms.residual_square);
    report.update_norm = std::sqrt(norms.update_square);
    return report;
  }

  Options options_;
  SubsetSequence sequence_;
  std::int64_t done_ = 0;  // steps
  int views_of_step_ = 1;
  RelaxationRange range_;
  std::unique_ptr<SubsetSweep> sweep_;
};

std::unique_ptr<Solver> global_level_art(const Options& options) {
  SimultaneousUpdate::Method method;
  method.scale = [options](const LinearOperator& A) {
    return averaged_projections(A, options.row_weights(A), options.relaxation, options.as_printed);
  };
  method.nonnegative = options.nonnegative;
  method.traits = parallel_art_traits;
  method.scaling = {3, 3};
  return std::make_unique<SimultaneousUpdate>(std::move(method));
}

}  // namespace

std::vector<ParamSpec> parallel_art_params() {
  return {relaxation_param(1.0, "Step in the unit below."),
          {.key = "scope",
           .label = "Rays at once",
           .unit = "",
           .fallback = std::string("views"),
           .choices = {"views", "all"},
           .help = "views: those of a view, one view after another (view level). all: every ray "
                   "(global level), which is Cimmino's method and takes far more iterations."},
          {.key = "normalisation",
           .label = "Unit of λ",
           .unit = "",
           .fallback = std::string("bound"),
           .choices = {"bound", "printed"},
           .help = "bound: λ is multiplied by M/s, with s the largest eigenvalue of Aᵀ "
                   "diag(1/‖aᵢ‖²) A (power iteration at the start). printed: λ/M as published; "
                   "there values of about a hundred converge, and 1 is very slow."},
          view_order_param(),
          order_seed_param(),
          nonnegative_param()};
}

std::unique_ptr<Solver> make_parallel_art(const Params& params) {
  return make_parallel_art_with(params, squared_row_norms_on_host);
}

std::unique_ptr<Solver> make_parallel_art_with(const Params& params, RowNormMaker norms) {
  Options options;
  options.norms = std::move(norms);
  options.relaxation = params.real("relaxation");
  options.as_printed = params.text("normalisation") == "printed";
  options.nonnegative = params.flag("nonnegative");
  options.order = parse_view_order(params.text("order"));
  options.seed = static_cast<std::uint64_t>(params.integer("seed"));
  if (params.text("scope") == "all") return global_level_art(options);
  return std::make_unique<ViewLevelArt>(options);
}

}  // namespace gantry
