#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters: contrast_percent of the strongest group, and the body's radius_mm,
/// height_mm and mu_water.
std::vector<ParamSpec> contrast_inserts_params();

/// Returns three groups of nine discs, 15 to 2 mm in diameter (in a body of 100 mm radius), on a
/// ring. The contrast falls from group to group, after the supra-slice targets of the Catphan's
/// low-contrast module. Takes resolved Params.
std::unique_ptr<Phantom> make_contrast_inserts(const Params& params);

}  // namespace gantry
