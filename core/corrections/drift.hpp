#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Drift of the beam's intensity: from all line integrals of a view the median of its air cells is
/// subtracted, those of the outermost columns at both sides, in all rows, which no object shades;
/// or each of some bands of its rows has a median of its own. A beam of the intensity c I0 adds -ln
/// c to all line integrals of its view. Making it throws UsageError if there are no air columns, or
/// more than the detector has.
std::vector<ParamSpec> drift_params();
std::unique_ptr<Correction> make_drift(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
