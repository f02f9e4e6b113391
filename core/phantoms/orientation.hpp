#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters size_mm, section and mu_water.
std::vector<ParamSpec> orientation_params();

/// Returns a letter F with a different mark on each axis. No rotation, mirror image or exchange of
/// axes maps the object onto itself, so that a wrong orientation of an image is visible. Takes
/// resolved Params.
std::unique_ptr<Phantom> make_orientation(const Params& params);

}  // namespace gantry
