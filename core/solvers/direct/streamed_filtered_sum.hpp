#pragma once

#include "core/solvers/direct/filtered_backprojection.hpp"

namespace gantry {

/// Filtered backprojection whose data and image lie on the host, for streamed projectors: parts of
/// both pass through the devices, where `on_lane` makes the sums of which the image is the sum.
FilteredSumMaker make_streamed_filtered_sum(FilteredSumMaker on_lane);

}  // namespace gantry
