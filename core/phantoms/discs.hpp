#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters: number, disc_radius_mm and contrast of the discs, and the body's
/// radius_mm, height_mm and mu_water.
std::vector<ParamSpec> discs_params();

/// Returns equal discs at equal angles on a ring of 0.6 of the body's radius, the first on +x.
/// Takes resolved Params; throws UsageError if the discs overlap.
std::unique_ptr<Phantom> make_discs(const Params& params);

}  // namespace gantry
