#pragma once

#include "core/base/params.hpp"

namespace gantry {

/// Returns whether a parameter of a prior is the weight of the penalty. Its name is stated where
/// prior_weight_params() describes it, and nowhere else.
bool is_penalty_weight(const ParamSpec& spec);

/// Returns whether a parameter of a prior has no effect beside the others: the weight where it is
/// found automatically, and the sharpness where it is not.
bool has_no_effect(const ParamSpec& spec, const Params& resolved);

}  // namespace gantry
