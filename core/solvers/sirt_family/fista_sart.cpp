#include "core/solvers/sirt_family/fista_sart.hpp"

#include "core/solvers/common_params.hpp"
#include "core/solvers/sirt_family/weighted_subsets.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

class FistaSart final : public WeightedSubsets {
 public:
  explicit FistaSart(const Options& options) : WeightedSubsets(options, fista_sart_traits) {}

  SolverMemory memory(const OperatorMemory& A) const override {
    SolverMemory memory = WeightedSubsets::memory(A);
    memory.images += 2;
    return memory;
  }
  std::optional<RelaxationRange> admissible() const override { return std::nullopt; }
  CarriedState carried() override {
    CarriedState state = WeightedSubsets::carried();
    state.arrays.push_back(&last_);
    state.numbers.emplace_back(&t_);
    return state;
  }

 private:
  void do_init() override {
    WeightedSubsets::do_init();
    last_ = x_.clone();
    y_ = image();
    t_ = 0;
  }

  StepReport do_step() override {
    return steps_done() % steps_per_iteration() == 0 ? begin_sweep() : WeightedSubsets::do_step();
  }

  /// Starts a sweep from y, which is made in scratch, so that an interrupted step can be repeated.
  StepReport begin_sweep() {
    const double next_t = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_)),
                 reach = std::max(t_ - 1, 0.0) / next_t;
    backend().copy(x_, y_);
    backend().axpby(static_cast<float>(-reach), last_, static_cast<float>(1 + reach), y_);
    StepReport report;
    report.residual_norm = std::sqrt(update(y_).residual_square);
    // Copies, because an operator may have recorded the step with the addresses of its operands.
    backend().copy(x_, last_);
    backend().copy(y_, x_);
    report.update_norm = std::sqrt(backend().residual(last_, y_, nullptr));
    t_ = next_t;
    count_step();
    return report;
  }

  Array last_, y_;  // x_{k-1}; scratch
  double t_ = 0;
};

}  // namespace

std::vector<ParamSpec> fista_sart_params() {
  ParamSpec relaxation = relaxation_param(1.0);
  relaxation.max = 1;
  relaxation.help =
      "Fraction of the correction that is applied; smaller values give less noise per iteration. "
      "With momentum more than 1 does not converge.";
  return {subsets_param("With 1 it is SIRT with momentum."), relaxation, view_order_param(),
          order_seed_param(), nonnegative_param()};
}

std::unique_ptr<Solver> make_fista_sart(const Params& params) {
  return std::make_unique<FistaSart>(
      WeightedSubsets::Options::of(params, static_cast<int>(params.integer("subsets"))));
}

}  // namespace gantry
