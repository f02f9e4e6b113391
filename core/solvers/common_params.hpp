#pragma once

#include "core/base/params.hpp"

#include <string>

namespace gantry {

// Parameters that several solvers share: the same key, words and meaning in each.

/// The relaxation, between 0 and 2. `scale` is the sentence that says what is multiplied by it; by
/// default, the correction.
ParamSpec relaxation_param(double fallback, const std::string& scale = {});
/// The relaxation of methods that correct by all rays at once. The default is 1: the error of
/// smooth images lies along the eigenvectors of the largest eigenvalue, which is near 1 in units of
/// `scale`. Above 1 an iteration overshoots that error, and near 2 the image alternates between two
/// states.
ParamSpec simultaneous_relaxation_param(const std::string& scale = {});
ParamSpec nonnegative_param(bool fallback = true);
ParamSpec subsets_param(
    const std::string& extremes);  ///< the help's last words: what 1 and one per view give
/// Whether a method without x0 starts from the filtered backprojection: "fbp" or "zero".
ParamSpec filtered_start_param();
/// The iterations of a prior's proximal map within a step of the method.
ParamSpec inner_iterations_param(int fallback);
ParamSpec view_order_param();
ParamSpec order_seed_param();

}  // namespace gantry
