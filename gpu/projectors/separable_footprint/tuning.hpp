#pragma once

// Launch shapes of the separable-footprint kernels. How they were chosen is not recorded;
// tests/bench/RESULTS.md has the times of `gantry-cli bench operators --projector
// separable_footprint` with these shapes.
#include "gpu/projectors/common/tuning.hpp"

namespace gantry::separable_footprint {

using shapes::LineShape, shapes::RayShape;

/// sf_forward, for more than many_rows detector rows, more than few_rows, and others. With few
/// detector rows, the lanes of a warp are divided among several columns.
inline constexpr int many_rows = 64, few_rows = 8;
inline constexpr RayShape forward_many_rows{32, 8}, forward_rows{32, 2}, forward_few_rows{4, 2};
static_assert(is_ray_shape(forward_many_rows) && is_ray_shape(forward_rows) &&
              is_ray_shape(forward_few_rows) && forward_few_rows.rows_of_block() >= few_rows);

/// sf_adjoint, for more than many_slices slices, more than few_slices, and others.
inline constexpr int many_slices = 64, few_slices = 8;
inline constexpr LineShape adjoint_many_slices{32, 4, 4, 2}, adjoint_slices{32, 1, 4, 2},
    adjoint_few_slices{4, 2, 8, 8};
static_assert(is_line_shape(adjoint_many_slices) && is_line_shape(adjoint_slices) &&
              is_line_shape(adjoint_few_slices) && shapes::fits_grid(adjoint_slices.lines_y) &&
              shapes::fits_grid(adjoint_many_slices.lines_y) &&
              shapes::fits_grid(adjoint_few_slices.lines_y) &&
              adjoint_few_slices.lanes * adjoint_few_slices.voxels >= few_slices);

}  // namespace gantry::separable_footprint
