#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameter mu_water (1/mm for density 1).
std::vector<ParamSpec> forbild_thorax_params();

/// Returns the FORBILD thorax, 500 x 200 x 500 mm with the arms: 271 solids for lungs, heart,
/// aorta, spine, ribs and shoulders. Takes resolved Params.
std::unique_ptr<Phantom> make_forbild_thorax(const Params& params);

}  // namespace gantry
