#pragma once

#include "gpu/projectors/distance_driven/fan/dd_fan_passes.hpp"

namespace gantry {

/// y = A x on the views of a subset, of the 2D distance-driven pair: queued.
void dd_fan_forward(const DdFanPasses& passes, const float* x, float* y, ViewSubset subset);

/// The same of the first slice of a stack alone, all views.
void dd_fan_forward_of_slice(const DdFanPasses& passes, const float* x, float* y);

/// A x of a group (DdFanPasses::for_groups), to where the sums of its views are to be: for
/// device::ProjectedRays.
template <class Group>
void dd_fan_project(const DdFanPasses& passes, Group group, const float* x);

}  // namespace gantry
