#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters: largest_mm and smallest_mm (diameters of the rods), density (relative to
/// water), and the body's radius_mm, height_mm and mu_water.
std::vector<ParamSpec> resolution_inserts_params();

/// Returns six sectors of rods in a triangular lattice with a pitch of two diameters, as in
/// Derenzo's phantom. Takes resolved Params.
std::unique_ptr<Phantom> make_resolution_inserts(const Params& params);

}  // namespace gantry
