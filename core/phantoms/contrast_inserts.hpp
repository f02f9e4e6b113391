#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// contrast of the strongest group, and the body's radius_mm, height_mm, mu_water.
std::vector<ParamSpec> contrast_inserts_params();

/// Three groups of nine discs, 15 to 2 mm, of falling contrast, on a ring: after the supra-slice
/// targets of the Catphan's low-contrast module. Takes resolved Params.
std::unique_ptr<Phantom> make_contrast_inserts(const Params& params);

}  // namespace gantry
