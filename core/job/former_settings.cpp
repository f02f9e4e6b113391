#include "core/job/former_settings.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

namespace {

struct Renamed {
  std::string_view former, present;
};

/// A solver whose parameters of the prior belonged to the solver itself, or had another key.
struct FormerSolver {
  std::string_view key, present_key;
  std::string_view prior;         ///< the prior that it had
  bool always_names_prior;        ///< false: only settings with a parameter of the prior name it
  std::vector<Renamed> to_prior;  ///< parameters of the solver that are the prior's now
};

const std::vector<FormerSolver>& former_solvers() {
  static const std::vector<FormerSolver> all = {
      {"fista_tv", "fista", "tv", true, {{"weight", "weight"}, {"scale", "scale"}}},
      {"wls_pcg",
       "wls_pcg",
       "qggmrf",
       false,
       {{"strength", "weight"}, {"scale", "scale"}, {"edge", "edge"}, {"q", "q"}}}};
  return all;
}

/// Moves parameters of the solver to the prior, unless the prior has them already.
void move_to_prior(RunSettings& run, const std::vector<Renamed>& names) {
  Params left;
  for (const auto& [key, value] : run.solver_params.values()) {
    const auto found = std::ranges::find(names, std::string_view(key), &Renamed::former);
    if (found == names.end()) {
      left.set(key, value);
      continue;
    }
    const std::string present(found->present);
    if (!run.prior_params.values().contains(present)) run.prior_params.set(present, value);
  }
  run.solver_params = left;
}

}  // namespace

void update_former_settings(RunSettings& run) {
  const auto former =
      std::ranges::find(former_solvers(), std::string_view(run.solver), &FormerSolver::key);
  if (former == former_solvers().end()) return;
  run.solver = former->present_key;
  move_to_prior(run, former->to_prior);
  const bool names_prior = former->always_names_prior || !run.prior_params.values().empty();
  if (run.prior.empty() && names_prior) run.prior = former->prior;
}

}  // namespace gantry
