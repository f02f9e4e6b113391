#pragma once

// Launch shapes of the separable-footprint kernels. How they were chosen is not recorded;
// tests/bench/RESULTS.md has the times of `gantry-cli bench operators --projector
// separable_footprint` with these shapes.
#include "gpu/projectors/common/tuning.hpp"

namespace gantry::separable_footprint {

using shapes::RayShape;

/// sf_forward, for more than many_rows detector rows, more than few_rows, and others. With few
/// detector rows, the lanes of a warp are divided among several columns.
inline constexpr int many_rows = 64, few_rows = 8;
inline constexpr RayShape forward_many_rows{32, 8}, forward_rows{32, 2}, forward_few_rows{4, 2};
static_assert(is_ray_shape(forward_many_rows) && is_ray_shape(forward_rows) &&
              is_ray_shape(forward_few_rows) && forward_few_rows.rows_of_block() >= few_rows);

}  // namespace gantry::separable_footprint
