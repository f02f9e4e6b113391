#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters: number, seed, contrast, largest (half axis as part of the body's
/// radius), volume (ellipsoids instead of ellipses), and the body's radius_mm and mu_water.
std::vector<ParamSpec> random_ellipses_params();

/// Returns ellipses or ellipsoids of random position, shape, orientation and density in a round
/// body. Takes resolved Params.
std::unique_ptr<Phantom> make_random_ellipses(const Params& params);

}  // namespace gantry
