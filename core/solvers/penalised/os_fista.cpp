#include "core/solvers/penalised/os_fista.hpp"

#include "core/solvers/carried_state.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/penalty.hpp"
#include "core/solvers/power_iteration.hpp"
#include "core/solvers/view_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gantry {

namespace {

constexpr PowerLimits power_limits{.iterations = 20, .tolerance = 1e-3};
constexpr double power_margin = 1.02;  // the power iteration approaches the eigenvalue from below

struct Options {
  int subsets = 1;
  int inner = 1;  ///< iterations of the proximal map within a step
  bool nonnegative = true;
  ViewOrder order = ViewOrder::golden;
  std::uint64_t seed = 1;  ///< of the random order
};

class OsFista final : public Solver, public CarriesState {
 public:
  explicit OsFista(Options options) : Solver(os_fista_traits), options_(options) {}

  int steps_per_iteration() const override { return sequence_.subsets(); }
  /// The prior's dual vectors count as three images each, which is their size in 3D.
  SolverMemory memory(const OperatorMemory&) const override { return {4 + 2 * 3, 1}; }
  std::vector<std::string> notes() const override {
    return penalty_notes(lambda_, penalty().prior);
  }
  CarriedState carried() override { return {{&x_, &y_, &dual_}, {&t_, &done_}}; }

 private:
  void do_init() override;
  StepReport do_step() override;
  void take_step(double over_l);
  float lowest() const {
    return options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  }

  Options options_;
  SubsetSequence sequence_;
  double lambda_ = 0, lipschitz_ = 0, t_ = 1;
  std::int64_t done_ = 0;   // steps done
  Array y_, dual_;          // image; dual vector at which the last step ended
  Array r_, z_, gradient_;  // scratch: rays; images
  Array trial_dual_;        // scratch
};

void OsFista::do_init() {
  const int subsets = std::clamp(options_.subsets, 1, A().views());
  sequence_ = SubsetSequence(A(), subsets, options_.order, options_.seed);
  const ViewSubset first = ViewSubset::interleaved(0, subsets, A().views());
  lipschitz_ = power_margin * subsets *
               largest_eigenvalue(A(), first, nullptr, weights(), power_limits).eigenvalue;
  lambda_ = penalty_weight(A(), b(), weights(), penalty());
  const std::size_t dual_size = lambda_ > 0 ? penalty().prior->dual_size() : 0;
  dual_ = dual_size > 0 ? Array::filled(backend(), dual_size, 0) : Array();
  trial_dual_ = dual_size > 0 ? Array(backend(), dual_size) : Array();
  r_ = rays();
  z_ = image();
  gradient_ = image();
  backend().clamp(x_, lowest(), std::numeric_limits<float>::infinity());
  y_ = x_.clone();
  t_ = 1;
  done_ = 0;
}

/// Computes z = prox(y + M g / L) from the gradient g = A_s^T W (b_s - A_s y), and the dual vector
/// of z, in scratch alone, so that an interrupted step can be repeated.
void OsFista::take_step(double over_l) {
  const auto step = static_cast<float>(over_l * sequence_.subsets());
  backend().axpby(1, y_, step, gradient_);
  if (lambda_ > 0) {
    backend().copy(dual_, trial_dual_);
    penalty().prior->proximal(
        {gradient_, lambda_ * over_l, lowest(), options_.inner, [this] { A().check_interrupt(); }},
        trial_dual_, z_);
  } else {
    backend().copy(gradient_, z_);
    backend().clamp(z_, lowest(), std::numeric_limits<float>::infinity());
  }
}

StepReport OsFista::do_step() {
  const ViewSubset subset = sequence_.step(done_, 1).front();
  StepReport report;
  report.residual_norm = std::sqrt(A().residual_adjoint(y_, b(), weights(), r_, gradient_, subset));
  take_step(lipschitz_ > 0 ? 1 / lipschitz_ : 0);
  const double next_t = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
  const auto reach = static_cast<float>((t_ - 1) / next_t);
  // y' = x' + reach (x' - x) with x' = z.
  backend().copy(z_, y_);
  backend().axpby(-reach, x_, 1 + reach, y_);
  std::swap(x_, z_);
  report.update_norm = std::sqrt(backend().residual(x_, z_, nullptr));
  std::swap(dual_, trial_dual_);
  t_ = next_t;
  ++done_;
  return report;
}

}  // namespace

std::vector<ParamSpec> os_fista_params() {
  ParamSpec subsets = subsets_param(
      "With 1 it is FISTA; with fewer than about nine views in a subset the "
      "momentum makes it diverge.");
  subsets.fallback = std::int64_t{5};
  return {subsets,
          {.key = "inner",
           .label = "Inner iterations",
           .unit = "",
           .fallback = std::int64_t{5},
           .min = 1,
           .max = 1000,
           .step = 5,
           .help = "Iterations of the prior's proximal map within each step. They start from the "
                   "result of the previous step, so that a few are enough."},
          view_order_param(),
          order_seed_param(),
          nonnegative_param()};
}

std::unique_ptr<Solver> make_os_fista(const Params& params) {
  return std::make_unique<OsFista>(Options{
      static_cast<int>(params.integer("subsets")), static_cast<int>(params.integer("inner")),
      params.flag("nonnegative"), parse_view_order(params.text("order")),
      static_cast<std::uint64_t>(params.integer("seed"))});
}

}  // namespace gantry
