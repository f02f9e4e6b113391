#pragma once

#include "gpu/projectors/dd_fan_passes.hpp"

namespace gantry {

/// y = A x on the views of a subset, of the 2D distance-driven pair: queued.
void dd_fan_forward(const DdFanPasses& passes, const float* x, float* y, ViewSubset subset);

}  // namespace gantry
