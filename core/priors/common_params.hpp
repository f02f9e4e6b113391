#pragma once

#include "core/base/params.hpp"

#include <vector>

namespace gantry {

/// The parameters "weight", "scale" and "sharpness", which every prior has: the weight of the prior
/// relative to the data, in the unit given at penalty_weight (core/solvers/penalty.hpp), or the
/// sharpness from which it follows (core/solvers/automatic_weight.hpp).
std::vector<ParamSpec> prior_weight_params(double fallback, const std::string& help);

/// The parameter "edge", in HU: smaller differences are smoothed as noise, larger ones are kept as
/// edges.
ParamSpec prior_edge_param(const std::string& help);
/// Returns the value of "edge" in 1/mm.
double prior_edge(const Params& params);

}  // namespace gantry
