#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameter mu_water (1/mm for density 1).
std::vector<ParamSpec> forbild_jaw_params();

/// Returns the FORBILD jaw, 120 x 180 x 100 mm: neck, spine, jaws with 32 teeth, mouth and trachea.
/// The table is unfinished and has a single source, CONRAD. Takes resolved Params.
std::unique_ptr<Phantom> make_forbild_jaw(const Params& params);

}  // namespace gantry
