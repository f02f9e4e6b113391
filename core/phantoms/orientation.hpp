#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// size_mm, section and mu_water.
std::vector<ParamSpec> orientation_params();

/// A letter F with other marks on each axis, that looks different from every side: no turn, mirror
/// image or exchange of axes leaves it as it is. Takes resolved Params.
std::unique_ptr<Phantom> make_orientation(const Params& params);

}  // namespace gantry
