#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Multiplies all line integrals by a factor, as for a file that holds them in another unit:
/// logarithms to the base 10 need ln 10 = 2.302585.
std::vector<ParamSpec> scale_params();
std::unique_ptr<Correction> make_scale(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
