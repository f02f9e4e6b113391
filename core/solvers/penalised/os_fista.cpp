#include "core/solvers/penalised/os_fista.hpp"

#include "core/solvers/carried_state.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/penalised/proximal_step.hpp"
#include "core/solvers/penalty.hpp"
#include "core/solvers/power_iteration.hpp"
#include "core/solvers/view_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gantry {

namespace {

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
  /// The three dual vectors of the prior count as three images each, their size in 3D.
  SolverMemory memory(const OperatorMemory&) const override { return {4 + 3 * 3, 1}; }
  std::vector<std::string> notes() const override {
    return penalty_notes(lambda_, penalty().prior);
  }
  std::optional<Objective> objective_with(const Array& residual,
                                          double residual_norm) const override {
    return objective_of(residual, residual_norm, weights(), lambda_, penalty().prior, x_);
  }
  CarriedState carried() override { return {{&x_, &y_, &proximal_.dual()}, {&t_, &done_}}; }

 private:
  void do_init() override;
  StepReport do_step() override;
  float lowest() const {
    return options_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  }

  Options options_;
  SubsetSequence sequence_;
  double lambda_ = 0, lipschitz_ = 0, t_ = 1;
  std::int64_t done_ = 0;  // steps done
  Array y_;
  ProximalStep proximal_;
  Array r_, z_, gradient_;  // scratch: rays; images
};

void OsFista::do_init() {
  const int subsets = std::clamp(options_.subsets, 1, A().views());
  sequence_ = SubsetSequence(A(), subsets, options_.order, options_.seed);
  const ViewSubset first = ViewSubset::interleaved(0, subsets, A().views());
  lipschitz_ = subsets * eigenvalue_bound(A(), first, weights());
  lambda_ = penalty_weight(A(), b(), weights(), penalty());
  proximal_.init(A(), lambda_ > 0 ? penalty().prior : nullptr);
  r_ = rays();
  z_ = image();
  gradient_ = image();
  backend().clamp(x_, lowest(), std::numeric_limits<float>::infinity());
  y_ = x_.clone();
  t_ = 1;
  done_ = 0;
}

StepReport OsFista::do_step() {
  const ViewSubset subset = sequence_.step(done_, 1).front();
  StepReport report;
  report.residual_norm = std::sqrt(A().residual_adjoint(y_, b(), weights(), r_, gradient_, subset));
  const double over_l = lipschitz_ > 0 ? 1 / lipschitz_ : 0;
  // z = prox(y + M g / L), in scratch alone, so that an interrupted step can be repeated.
  backend().axpby(1, y_, static_cast<float>(over_l * sequence_.subsets()), gradient_);
  proximal_.compute(gradient_, lambda_ * over_l, lowest(), options_.inner, z_);
  const double next_t = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
  const auto reach = static_cast<float>((t_ - 1) / next_t);
  // y' = x' + reach (x' - x) with x' = z.
  backend().copy(z_, y_);
  backend().axpby(-reach, x_, 1 + reach, y_);
  std::swap(x_, z_);
  report.update_norm = std::sqrt(backend().residual(x_, z_, nullptr));
  proximal_.accept();
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
  return {subsets, inner_iterations_param(5), view_order_param(), order_seed_param(),
          nonnegative_param()};
}

std::unique_ptr<Solver> make_os_fista(const Params& params) {
  return std::make_unique<OsFista>(Options{
      static_cast<int>(params.integer("subsets")), static_cast<int>(params.integer("inner")),
      params.flag("nonnegative"), parse_view_order(params.text("order")),
      static_cast<std::uint64_t>(params.integer("seed"))});
}

}  // namespace gantry
