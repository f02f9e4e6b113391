#pragma once

#include "core/base/params.hpp"

namespace gantry {

// Parameters that several solvers share: the same key, words and meaning in each.

ParamSpec nonnegative_param(bool fallback = true);
ParamSpec subsets_param(
    const std::string& extremes);  ///< help ends with what 1 and one per view are
ParamSpec view_order_param();
ParamSpec order_seed_param();

}  // namespace gantry
