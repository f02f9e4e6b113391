#pragma once

#include "core/job/experiment.hpp"

namespace gantry {

/// Rewrites settings that an earlier version of Gantry saved, before priors were chosen apart from
/// the solver: the solver "fista_tv" becomes "fista" with the prior "tv", and the parameters of the
/// penalty become parameters of the prior. Other settings stay as they are.
void update_former_settings(RunSettings& run);

}  // namespace gantry
