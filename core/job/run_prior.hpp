#pragma once

#include "core/catalog/catalog.hpp"
#include "core/job/experiment.hpp"

#include <string>

namespace gantry {

/// Returns the key of the prior that a run reconstructs with: the prior of its settings, or the
/// solver's default if the settings name none. Empty if the solver uses no prior.
std::string prior_of(const RunSettings& run, const Catalog& catalog);

/// Returns the keys of the priors that a solver takes, "tv, huber".
std::string priors_for(const SolverTraits& solver, const Catalog& catalog);

/// Throws UsageError if the run's solver cannot work with the prior of the run's settings, and
/// names the priors with which the solver can.
void require_suitable_prior(const RunSettings& run, const Catalog& catalog);

/// Removes the prior from settings whose solver has been changed to one that does not take it, and
/// the parameters of a prior that the settings do not name.
void drop_unsuitable_prior(RunSettings& run, const Catalog& catalog);

/// Returns the settings of the run's prior, checked and completed. The run must have a prior.
/// Throws UsageError as resolve_params() does.
Params resolved_prior_params(const RunSettings& run, const Catalog& catalog);

}  // namespace gantry
