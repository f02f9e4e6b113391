#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Replaces bright or dark values of single views, which scattered photons and cosmic rays cause in
/// single cells or spots of 2 x 2 cells. The excess of a value is the smallest of three
/// differences: from the median of 5 x 5 cells (on detectors of one or two rows, of 7 columns), of
/// which a spot is less than half, and from the same cell in the view before and in the view after;
/// 0 where their signs differ. A value is replaced if its excess is above `threshold` standard
/// deviations, by the median of those of the 3 x 3 cells about it whose values are not replaced.
/// The standard deviation is the larger one of two, both by the median absolute deviation: that of
/// all differences from the median, and that of 3 x 3 cells in the three views. A cell that is
/// wrong in two successive views is left as it is: bad_cells finds it.
std::vector<ParamSpec> zingers_params();
std::unique_ptr<Correction> make_zingers(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
