#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// largest_mm and smallest_mm (diameters of the rods), density, and the body's radius_mm,
/// height_mm, mu_water.
std::vector<ParamSpec> resolution_inserts_params();

/// Six sectors of rods in a triangular lattice, two diameters apart, as in Derenzo's phantom. Takes
/// resolved Params.
std::unique_ptr<Phantom> make_resolution_inserts(const Params& params);

}  // namespace gantry
