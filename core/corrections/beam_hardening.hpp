#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Beam hardening of one material by a polynomial: p <- a1 p + a2 p^2 + a3 p^3. A polychromatic
/// beam loses its soft part first, so that the measured line integral grows slower than the path;
/// the polynomial maps it to the line integral of a monochromatic beam. Its coefficients come from
/// a step wedge or a phantom of that material.
/// Herman, "Correction for beam hardening in computed tomography", Physics in Medicine and Biology
/// 24 (1979) 81.
std::vector<ParamSpec> beam_hardening_params();
std::unique_ptr<Correction> make_beam_hardening(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
