#pragma once

#include "core/base/params.hpp"

#include <string>

namespace gantry {

// Parameters that several solvers share: the same key, words and meaning in each.

/// Between 0 and 2; `scale` says of what it is a share, where not of the correction.
ParamSpec relaxation_param(double fallback, const std::string& scale = {});
ParamSpec nonnegative_param(bool fallback = true);
ParamSpec subsets_param(
    const std::string& extremes);  ///< help ends with what 1 and one per view are
ParamSpec view_order_param();
ParamSpec order_seed_param();

}  // namespace gantry
