#include "core/job/run_prior.hpp"

#include "core/base/error.hpp"

namespace gantry {

std::string prior_of(const RunSettings& run, const Catalog& catalog) {
  return run.prior.empty() ? std::string(catalog.solvers.at(run.solver).traits.usual_prior)
                           : run.prior;
}

std::string priors_for(const SolverTraits& solver, const Catalog& catalog) {
  return catalog.priors.keys_that([&](const auto& entry) { return solver.takes(entry.traits); });
}

void require_suitable_prior(const RunSettings& run, const Catalog& catalog) {
  const SolverTraits& solver = catalog.solvers.at(run.solver).traits;
  if (run.prior.empty() && run.prior_params.values().empty()) return;
  if (solver.prior == PriorUse::none) {
    const std::string others = catalog.solvers.keys_that(
        [](const auto& entry) { return entry.traits.prior != PriorUse::none; });
    throw UsageError("the solver " + run.solver + " takes no prior", "prior",
                     "leave the prior out, or use a solver that takes one: " + others);
  }
  const std::string key = prior_of(run, catalog);
  if (solver.takes(catalog.priors.at(key).traits)) return;
  throw UsageError("the solver " + run.solver + " cannot work with the prior " + key, "prior",
                   "use one of " + priors_for(solver, catalog));
}

void drop_unsuitable_prior(RunSettings& run, const Catalog& catalog) {
  const SolverTraits& solver = catalog.solvers.at(run.solver).traits;
  if (!run.prior.empty() && solver.takes(catalog.priors.at(run.prior).traits)) return;
  run.prior.clear();
  run.prior_params = {};
}

Params resolved_prior_params(const RunSettings& run, const Catalog& catalog) {
  const auto& entry = catalog.priors.at(prior_of(run, catalog));
  return resolve_params(run.prior_params, entry.params, entry.key);
}

}  // namespace gantry
