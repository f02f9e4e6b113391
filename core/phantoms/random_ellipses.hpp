#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// number, seed, contrast, largest (half axis), volume (ellipsoids), and the body's radius_mm,
/// mu_water.
std::vector<ParamSpec> random_ellipses_params();

/// Ellipses or ellipsoids of random place, shape, turn and density in a round body. Takes resolved
/// Params.
std::unique_ptr<Phantom> make_random_ellipses(const Params& params);

}  // namespace gantry
