#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Drift of the beam's intensity: the median of a view's air cells is subtracted from all line
/// integrals of the view, because a beam of the intensity c I0 adds -ln c to them. Air cells are
/// the cells, in all rows, of the outermost columns at both sides, which no object covers. The view
/// may be divided into bands of rows, each with a median of its own. The maker throws UsageError if
/// there are no air columns, or more than the detector has.
std::vector<ParamSpec> drift_params();
std::unique_ptr<Correction> make_drift(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
