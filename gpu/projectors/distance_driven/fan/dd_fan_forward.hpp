#pragma once

#include "gpu/projectors/distance_driven/fan/dd_fan_passes.hpp"

namespace gantry {

/// Queues y = A x of the 2D distance-driven pair, on the views of a subset.
void dd_fan_forward(const DdFanPasses& passes, const float* x, float* y, ViewSubset subset);

/// Queues A x of the first slice of a stack, for all views; y has the rays of one slice.
void dd_fan_forward_of_slice(const DdFanPasses& passes, const float* x, float* y);

/// Queues A x of a group of DdFanPasses::for_groups. The result goes to the memory of the group's
/// prefix sums of views, where device::ProjectedRays reads it.
template <class Group>
void dd_fan_forward_to_sums(const DdFanPasses& passes, Group group, const float* x);

}  // namespace gantry
