#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// mu_water, 1/mm for density 1.
std::vector<ParamSpec> forbild_jaw_params();

/// The FORBILD jaw, 120 x 180 x 100 mm: neck, spine, jaws with 32 teeth, mouth and trachea. An
/// unfinished table with a single source, CONRAD. Takes resolved Params.
std::unique_ptr<Phantom> make_forbild_jaw(const Params& params);

}  // namespace gantry
