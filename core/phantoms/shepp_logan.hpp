#pragma once

#include "core/base/params.hpp"
#include "core/phantoms/phantom.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the parameters: size_mm (side of the square in which the phantom is drawn), mu_scale
/// (1/mm for table value 1) and contrast ("modified" or "original").
std::vector<ParamSpec> shepp_logan_params();

/// Returns the 2D Shepp-Logan head: Shepp and Logan, IEEE Trans. Nucl. Sci. 21 (1974) 21, with
/// skull 2, brain 1.02 and ventricles 1.00, or with the contrast of Toft's thesis (1996): skull 1,
/// brain 0.2, ventricles 0. Takes resolved Params.
std::unique_ptr<Phantom> make_shepp_logan(const Params& params);

}  // namespace gantry
