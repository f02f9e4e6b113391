#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters: ear (the right ear with its air cells), resolution (the pattern of small
/// discs in the left ear) and mu_water (1/mm for density 1).
std::vector<ParamSpec> forbild_head_params();

/// Returns the central section of the FORBILD head, 192 x 240 mm: Yu, Noo, Dennerlein, Wunderlich,
/// Lauritsch and Hornegger, "Simulation tools for two-dimensional experiments in x-ray computed
/// tomography using the FORBILD head phantom", Phys. Med. Biol. 57 (2012) N237. Densities relative
/// to water: brain 1.05, bone 1.8, air 0. Takes resolved Params.
std::unique_ptr<Phantom> make_forbild_head(const Params& params);

}  // namespace gantry
