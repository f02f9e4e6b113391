#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameter mu_water (1/mm for density 1).
std::vector<ParamSpec> forbild_hip_params();

/// Returns the FORBILD hip, 350 x 150 x 155 mm: legs, femora and pelvis. The table is unfinished
/// and has a single source, CONRAD. Takes resolved Params.
std::unique_ptr<Phantom> make_forbild_hip(const Params& params);

}  // namespace gantry
