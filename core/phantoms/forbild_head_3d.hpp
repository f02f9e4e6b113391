#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters: ear (the right ear with its 317 air cells), resolution (the pattern of
/// small ellipsoids in the left ear) and mu_water (1/mm for density 1).
std::vector<ParamSpec> forbild_head_3d_params();

/// Returns the FORBILD head, 192 x 240 x 250 mm: G. Lauritsch and H. Bruder, FORBILD phantom
/// definitions. Densities relative to water: brain 1.05, bone 1.8, air 0. Takes resolved Params.
std::unique_ptr<Phantom> make_forbild_head_3d(const Params& params);

}  // namespace gantry
