#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Replaces bright or dark values of single views, as scattered photons and cosmic rays leave them
/// in single cells or spots of 2 x 2 cells, by the median of those of the 3 x 3 cells about them
/// that do not stand out. The excess of a value is the least of its differences to the median of 5
/// x 5 cells (of one or two rows 7 columns), of which a spot is less than half, and to the same
/// cell in the views before and after, 0 where their signs differ. A value is replaced if its
/// excess is above `threshold` standard deviations; of two, the larger one counts: that of all
/// differences to the median, and that of 3 x 3 cells in the three views, both by the median
/// absolute deviation. A cell that is off in two views in turn is left as it is: bad_cells finds
/// it.
std::vector<ParamSpec> zingers_params();
std::unique_ptr<Correction> make_zingers(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
