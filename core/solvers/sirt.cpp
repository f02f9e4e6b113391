#include "core/solvers/sirt.hpp"

#include "core/solvers/common_params.hpp"
#include "core/solvers/weighted_subsets.hpp"

namespace gantry {

namespace {

std::unique_ptr<Solver> make(const Params& params, int subsets) {
  WeightedSubsets::Options options;
  options.subsets = subsets;
  options.relaxation = params.real("relaxation");
  options.nonnegative = params.flag("nonnegative");
  if (params.contains("order")) options.order = parse_view_order(params.text("order"));
  if (params.contains("seed")) options.seed = static_cast<std::uint64_t>(params.integer("seed"));
  return std::make_unique<WeightedSubsets>(options);
}

}  // namespace

std::vector<ParamSpec> sirt_params() { return {relaxation_param(1.9), nonnegative_param()}; }
std::unique_ptr<Solver> make_sirt(const Params& params) { return make(params, 1); }

std::vector<ParamSpec> os_sart_params() {
  return {subsets_param("1 is SIRT, one per view is SART."), relaxation_param(1.0),
          view_order_param(), order_seed_param(), nonnegative_param()};
}
std::unique_ptr<Solver> make_os_sart(const Params& params) {
  return make(params, static_cast<int>(params.integer("subsets")));
}

std::vector<ParamSpec> sart_params() {
  return {relaxation_param(0.5), view_order_param(), order_seed_param(), nonnegative_param()};
}
std::unique_ptr<Solver> make_sart(const Params& params) { return make(params, 0); }

}  // namespace gantry
