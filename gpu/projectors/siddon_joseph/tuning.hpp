#pragma once

// Launch shapes of Siddon's and Joseph's kernels. How they were chosen is not recorded;
// tests/bench/RESULTS.md has the times of `gantry-cli bench operators --projector siddon` and
// `--projector joseph` with these shapes.
#include "gpu/projectors/common/tuning.hpp"

namespace gantry::siddon_joseph {

using shapes::RayShape;

/// siddon_joseph_forward, for more than many_rows detector rows, more than few_rows, and others.
/// With few detector rows, the lanes of a warp are divided among several columns.
inline constexpr int many_rows = 64, few_rows = 8;
inline constexpr RayShape forward_many_rows{32, 4}, forward_rows{32, 1}, forward_few_rows{4, 2};
static_assert(is_ray_shape(forward_many_rows) && is_ray_shape(forward_rows) &&
              is_ray_shape(forward_few_rows) && forward_few_rows.rows_of_block() >= few_rows);

/// The rays of a block of the kernels that trace single rays.
inline constexpr int trace_columns = 32, trace_rows = 4, trace_threads = trace_columns * trace_rows;
static_assert(is_block(trace_threads) && shapes::fits_grid(trace_rows));

}  // namespace gantry::siddon_joseph
