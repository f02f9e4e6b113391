#pragma once

#include "core/solvers/direct/filtered_backprojection.hpp"

namespace gantry {

/// Returns a maker for streamed projectors, whose data and image lie on the host: parts of both are
/// streamed through the devices, where `on_worker` makes the filtered sum of each part.
FilteredSumMaker make_streamed_filtered_sum(FilteredSumMaker on_worker);

}  // namespace gantry
