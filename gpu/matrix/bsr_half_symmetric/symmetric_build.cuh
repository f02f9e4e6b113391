#pragma once

// Counts the nonzeros of stored tiles. A warp owns a group of 32 rays; lane 4 g + t has pixels 4 t
// .. 4 t + 3 of ray g of each tile; 8 warps per block.
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles_model.hpp"

namespace gantry::device {

/// Counts the nonzeros of all of A: each stored nonzero counts once for every element that owns
/// both its ray and its pixel, and twice where the ray has an opposite ray. A warp per group, 8 per
/// block.
template <class Rays, class Owned>
__global__ void __launch_bounds__(usual_threads)
    count_images(TileIndex index, Rays rays, const Owned* __restrict__ pixels,
                 unsigned long long* __restrict__ sum) {
  const int group = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32),
            lane = lane_of_warp();
  if (group >= index.groups) return;
  unsigned tile = index.group_tile[group];
  int count = 0;
  for (std::int64_t e = index.group_start[group]; e < index.group_start[group + 1]; ++e) {
    const unsigned entry = index.entry[e];
    for (int k = 0; k < group_tiles; ++k) {
      if ((entry >> (28 + k) & 1U) == 0) continue;
      const TileWeights w = index.tile[std::size_t{tile++} * 32 + lane];
      const std::int64_t position = std::int64_t{group} * group_rays + k * tile_rays + lane / 4;
      const unsigned ray = rays.owned[position];
      const int times = ray != 0 && rays.has_opposite(rays.place(rays.at[position])) ? 2 : 1;
      const auto* of = pixels + std::size_t{entry & patch_mask} * patch_pixels + lane % 4 * 4;
      if ((w.low & 0xFFFFU) != 0) count += times * __popc(ray & of[0]);
      if ((w.low >> 16U) != 0) count += times * __popc(ray & of[1]);
      if ((w.high & 0xFFFFU) != 0) count += times * __popc(ray & of[2]);
      if ((w.high >> 16U) != 0) count += times * __popc(ray & of[3]);
    }
  }
  count = warp_sum(count);
  if (lane == 0) atomicAdd(sum, static_cast<unsigned long long>(count));
}

}  // namespace gantry::device
