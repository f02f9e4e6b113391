#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// mu_water, 1/mm for density 1.
std::vector<ParamSpec> forbild_hip_params();

/// The FORBILD hip, 350 x 150 x 155 mm: legs, femora and pelvis. An unfinished table with a single
/// source, CONRAD. Takes resolved Params.
std::unique_ptr<Phantom> make_forbild_hip(const Params& params);

}  // namespace gantry
