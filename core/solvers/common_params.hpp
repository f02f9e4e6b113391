#pragma once

#include "core/base/params.hpp"

#include <string>

namespace gantry {

// Parameters that several solvers share: the same key, words and meaning in each.

/// Between 0 and 2; `scale` says of what it is a share, where not of the correction.
ParamSpec relaxation_param(double fallback, const std::string& scale = {});
/// Of the methods that correct by all rays at once. 1, since the error of smooth images lies along
/// the largest eigenvalue, which is near 1 in units of `scale`: a larger relaxation overshoots that
/// error in each iteration, and near 2 the whole picture flickers from one iteration to the next.
ParamSpec simultaneous_relaxation_param(const std::string& scale = {});
ParamSpec nonnegative_param(bool fallback = true);
ParamSpec subsets_param(
    const std::string& extremes);  ///< help ends with what 1 and one per view are
ParamSpec view_order_param();
ParamSpec order_seed_param();

}  // namespace gantry
