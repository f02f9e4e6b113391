#include "core/solvers/statistical/mlem.hpp"

#include "core/solvers/common_params.hpp"
#include "core/solvers/statistical/expectation_maximisation.hpp"

namespace gantry {

std::vector<ParamSpec> mlem_params() { return {}; }

std::unique_ptr<Solver> make_mlem(const Params&) {
  return std::make_unique<ExpectationMaximisation>(ExpectationMaximisation::Options{});
}

std::vector<ParamSpec> osem_params() {
  return {subsets_param("1 is MLEM; many are fast at first but never settle."), view_order_param(),
          order_seed_param()};
}

std::unique_ptr<Solver> make_osem(const Params& params) {
  ExpectationMaximisation::Options options;
  options.subsets = static_cast<int>(params.integer("subsets"));
  options.order = parse_view_order(params.text("order"));
  options.seed = static_cast<std::uint64_t>(params.integer("seed"));
  return std::make_unique<ExpectationMaximisation>(options);
}

}  // namespace gantry
