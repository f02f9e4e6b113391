#pragma once

#include "core/base/params.hpp"

#include <vector>

namespace gantry {

/// "weight" and "scale", which every prior has: how much the prior counts against the data
/// (penalty_weight in core/solvers/penalty.hpp says in what unit).
std::vector<ParamSpec> prior_weight_params(double fallback, const std::string& help);

/// "edge", in HU: which differences are smoothed as noise and which are kept as edges.
ParamSpec prior_edge_param(const std::string& help);
/// The value of "edge" in 1/mm.
double prior_edge(const Params& params);

}  // namespace gantry
