#include "core/job/former_settings.hpp"

#include <initializer_list>
#include <utility>

namespace gantry {

namespace {

using Renamed = std::pair<const char*, const char*>;

/// Moves parameters of the solver to the prior, unless the prior has them already.
void move_to_prior(RunSettings& run, std::initializer_list<Renamed> names) {
  Params left;
  for (const auto& [key, value] : run.solver_params.values()) {
    bool is_moved = false;
    for (const auto& [former, present] : names) {
      if (key != former) continue;
      is_moved = true;
      if (!run.prior_params.values().contains(present)) run.prior_params.set(present, value);
    }
    if (!is_moved) left.set(key, value);
  }
  run.solver_params = left;
}

}  // namespace

void update_former_settings(RunSettings& run) {
  if (run.solver == "fista_tv") {
    run.solver = "fista";
    if (run.prior.empty()) run.prior = "tv";
    move_to_prior(run, {{"weight", "weight"}, {"scale", "scale"}});
  } else if (run.solver == "wls_pcg") {
    move_to_prior(run, {{"strength", "weight"}, {"scale", "scale"}, {"edge", "edge"}, {"q", "q"}});
    if (run.prior.empty() && !run.prior_params.values().empty()) run.prior = "qggmrf";
  }
}

}  // namespace gantry
