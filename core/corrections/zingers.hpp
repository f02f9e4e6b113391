#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Replaces single bright or dark values of single views, as scattered photons and cosmic rays
/// leave them, by the median of the 3 x 3 cells about them. The excess of a value is the least of
/// its differences to that median and to the same cell in the views before and after, 0 where their
/// signs differ. A value is replaced if its excess is above `threshold` standard deviations; of
/// two, the larger one counts: that of all differences to the median, and that of these cells in
/// the three views, both by the median absolute deviation. A cell that is off in two views in turn
/// is left as it is: bad_cells finds it.
std::vector<ParamSpec> zingers_params();
std::unique_ptr<Correction> make_zingers(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
