#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters: coarsest and finest (line pairs per cm), groups, density of the bars
/// (relative to water), and the body's radius_mm, height_mm and mu_water.
std::vector<ParamSpec> bar_pattern_params();

/// Returns groups of four bars whose gaps are as wide as the bars, from coarse to fine. The bars
/// are spaced along x in the upper half (y > 0) and along y in the lower half. Takes resolved
/// Params; throws UsageError if the groups do not fit into the body.
std::unique_ptr<Phantom> make_bar_pattern(const Params& params);

}  // namespace gantry
