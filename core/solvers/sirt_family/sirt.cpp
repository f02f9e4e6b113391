#include "core/solvers/sirt_family/sirt.hpp"

#include "core/solvers/common_params.hpp"
#include "core/solvers/sirt_family/weighted_subsets.hpp"

namespace gantry {

namespace {

std::unique_ptr<Solver> make(const Params& params, int subsets, const SolverTraits& traits) {
  return std::make_unique<WeightedSubsets>(WeightedSubsets::Options::of(params, subsets), traits);
}

/// The relaxation of methods that correct by some of the views at a time.
ParamSpec subset_relaxation_param(double fallback) {
  ParamSpec relaxation = relaxation_param(fallback);
  relaxation.help =
      "Fraction of the correction that is applied; smaller values give less noise per iteration. "
      "From 0 to 2 is usual, but unlike SIRT's no value is sure to converge: each group of views "
      "weighs errors by column sums of its own. Where the residual grows, take SIRT, or fewer "
      "subsets.";
  return relaxation;
}

}  // namespace

std::vector<ParamSpec> sirt_params() {
  return {simultaneous_relaxation_param(), nonnegative_param()};
}
std::unique_ptr<Solver> make_sirt(const Params& params) { return make(params, 1, sirt_traits); }

std::vector<ParamSpec> os_sart_params() {
  return {subsets_param("1 is SIRT, one per view is SART."), subset_relaxation_param(1.0),
          view_order_param(), order_seed_param(), nonnegative_param()};
}
std::unique_ptr<Solver> make_os_sart(const Params& params) {
  return make(params, static_cast<int>(params.integer("subsets")), sart_traits);
}

std::vector<ParamSpec> sart_params() {
  return {subset_relaxation_param(0.5), view_order_param(), order_seed_param(),
          nonnegative_param()};
}
std::unique_ptr<Solver> make_sart(const Params& params) { return make(params, 0, sart_traits); }

}  // namespace gantry
