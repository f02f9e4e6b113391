#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// coarsest and finest (line pairs per cm), groups, density of the bars, and the body's radius_mm,
/// height_mm, mu_water.
std::vector<ParamSpec> bar_pattern_params();

/// Groups of four bars whose gaps are as wide as they are, from coarse to fine: across x in the
/// upper half, across y in the lower one. Takes resolved Params.
std::unique_ptr<Phantom> make_bar_pattern(const Params& params);

}  // namespace gantry
