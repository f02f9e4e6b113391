#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters: length_mm of the trunk, and mu_water (1/mm for density 1).
std::vector<ParamSpec> forbild_abdomen_params();

/// Returns the FORBILD abdomen, 400 x 240 mm: S. Schaller and T. Flohr, 1999. It consists of a
/// liver with rows of lesions in two planes, the spine, a liquid with air above it, ribs, and bars
/// of 10 and 12 line pairs per cm. Takes resolved Params.
std::unique_ptr<Phantom> make_forbild_abdomen(const Params& params);

}  // namespace gantry
