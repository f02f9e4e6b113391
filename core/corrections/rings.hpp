#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Removes the stripes that unequal cells leave in the sinogram of each detector row, and with them
/// the rings of the image: see remove_stripes(). Several rows are worked on at the same time.
std::vector<ParamSpec> rings_params();
std::unique_ptr<Correction> make_rings(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
