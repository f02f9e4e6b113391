#include "studies/branchless_dd/reconstruction.hpp"

#include "core/base/error.hpp"
#include "core/catalog/made_penalty.hpp"
#include "core/solvers/run.hpp"

#include <algorithm>

namespace gantry::branchless_dd {

namespace {

/// Returns those of the parameters that the solver has.
Params known(const Params& wanted, const std::vector<ParamSpec>& specs) {
  Params params;
  for (const auto& [key, value] : wanted.values())
    if (std::ranges::find(specs, key, &ParamSpec::key) != specs.end()) params.set(key, value);
  return params;
}

Array optional_array(Backend& backend, const std::vector<float>& values) {
  return values.empty() ? Array() : Array::from(backend, values);
}

Reconstructed run(const BranchlessContext& context, const Method& method, const Scanned& scanned,
                  const Recipe& recipe) {
  const auto& entry = context.catalog().solvers.at(recipe.solver, method.backend);
  const auto solver = entry.make(method.backend, known(recipe.params, entry.params));
  const auto projector = context.make(method, scanned.setting);
  Backend& backend = projector->backend();
  const Array b = Array::from(backend, scanned.data);
  const Array weights = optional_array(backend, scanned.weights),
              start = optional_array(backend, recipe.start);
  const bool weighted = !weights.empty() && entry.traits.uses_ray_weights;
  const MadePenalty penalty = make_penalty(context.catalog(), std::string(entry.traits.usual_prior),
                                           method.backend, backend, projector->grid());
  StopRules rules;
  rules.iterations = recipe.iterations;
  SolverRun loop(*solver,
                 {projector.get(), &b, start.empty() ? nullptr : &start,
                  weighted ? &weights : nullptr, penalty.penalty, recipe.insists_on_pair},
                 rules);
  while (!loop.finished()) {
    context.check_interrupt();
    loop.advance();
  }
  return {solver->solution().to_host(), loop.seconds() / std::max(1, loop.iterations()), {}};
}

}  // namespace

bool has_solver(const BranchlessContext& context, const std::string& key, const Method& method) {
  return context.catalog().solvers.has(key, method.backend);
}

Reconstructed reconstruct(const BranchlessContext& context, const Method& method,
                          const Scanned& scanned, const Recipe& recipe) {
  Reconstructed found;
  found.problem = why_refused([&] { found = run(context, method, scanned, recipe); });
  return found;
}

}  // namespace gantry::branchless_dd
