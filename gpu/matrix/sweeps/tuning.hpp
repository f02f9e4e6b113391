#pragma once

// Launch shapes of sweeps. How the numbers were chosen is not recorded; kernels that have no shape
// here are not tuned: the usual 256 threads (block_shape.hpp).
#include "gpu/device/block_shape.hpp"

namespace gantry::sweeps {

/// Threads of a block of sweep_rays: four warps for a single ray (together = 1), or 32 warps for
/// the 32 rays of a chunk (together = 32), a lane for each ray.
inline constexpr int single_ray_threads = 128, chunk_ray_threads = 1024;
template <class Lines>
constexpr int ray_threads = Lines::together == 1 ? single_ray_threads : chunk_ray_threads;
static_assert(is_block(single_ray_threads) && is_block(chunk_ray_threads));

/// The block that adds up partial sums of norms.
inline constexpr int sum_threads = 256;
static_assert(is_block(sum_threads));

}  // namespace gantry::sweeps
