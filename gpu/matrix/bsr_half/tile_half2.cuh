#pragma once

// The products by half2 arithmetic over the tiles, the reference without Tensor Cores of Nourazar
// and Goossens (2021, section 4.3): one instruction multiplies a weight with two slices. Chains of
// eight products are added up as halves, the chains in float32.
//
//   half2_forward   warp: group of 32 rays x 32 slices; lane 4 g + t has ray g of each tile of 8
//                   rays, and slices 8 t .. 8 t + 7; a chain: 8 of the 16 pixels of a tile
//   half2_back      warp: patch of 16 pixels x 32 slices; lane 16 h + p has pixel p and slices
//                   16 h .. 16 h + 15; a chain: the 8 rays of a tile
//   block of 8 warps: 8 neighbouring groups or patches; pass = blockIdx.x % passes (32 slices)
//
// Operands are [pixel or ray position][slice], as for WMMA. Shared memory is not used.
#include "gpu/matrix/bsr_half/tile_wmma.cuh"

namespace gantry::device {

/// Weights are at most 1 and operands below 2^15 half2_headroom, so that a chain is below 2^14.
constexpr float half2_headroom = 1.0F / 16;

/// Eight neighbouring halves, which one load reads.
struct EightHalves {
  uint4 bits;

  static __device__ EightHalves load(const __half* from) {
    return {__ldg(reinterpret_cast<const uint4*>(from))};
  }
  __device__ __half2 pair(int i) const { return reinterpret_cast<const __half2*>(&bits)[i]; }
  __device__ __half2 twice(int i) const {
    return i % 2 == 0 ? __low2half2(pair(i / 2)) : __high2half2(pair(i / 2));
  }
};

/// Float32 sums of 2 Pairs slices, to which chains of halves are added.
template <int Pairs>
struct ChainSums {
  float sum[2 * Pairs] = {};

  __device__ void add(const __half2 (&chain)[Pairs]) {
#pragma unroll
    for (int s = 0; s < Pairs; ++s) {
      const float2 wide = __half22float2(chain[s]);
      sum[2 * s] += wide.x;
      sum[2 * s + 1] += wide.y;
    }
  }
};

/// Computes y = W x; operand [pixel position][slices].
template <bool Filtered>
__global__ void __launch_bounds__(32 * wmma_warps)
    half2_forward(TileIndex index, const __half* __restrict__ operand, int passes, ViewRange views,
                  TileSums sums) {
  const TileTask<TileShape<wmma_warps, 1, 1>> task(index.groups, passes);
  if (!task.there) return;
  const int lane = lane_of_warp(), ray = index.ray_at[std::int64_t{task.item} * group_rays + lane];
  const bool wanted = ray >= 0 && (!Filtered || views.has(ray));
  if (!__any_sync(whole_warp, wanted)) return;
  const unsigned ld = static_cast<unsigned>(passes) * wmma_slices;
  const int first_slice = task.pass * wmma_slices + lane % 4 * 8;
  ChainSums<4> sum[group_tiles];
  std::size_t tile = index.group_tile[task.item];
  for (std::int64_t e = index.group_start[task.item]; e < index.group_start[task.item + 1]; ++e) {
    const unsigned entry = index.entry[e];
    const __half* x = operand + std::size_t{entry & patch_mask} * patch_pixels * ld + first_slice;
#pragma unroll
    for (int side = 0; side < patch_pixels; side += 8) {
      EightHalves slices[8];
#pragma unroll
      for (int p = 0; p < 8; ++p) slices[p] = EightHalves::load(x + (side + p) * ld);
      const __half* weights = halves_of(index, tile) + lane / 4 * patch_pixels + side;
#pragma unroll
      for (int k = 0; k < group_tiles; ++k) {
        if ((entry >> (28 + k) & 1U) == 0) continue;
        const EightHalves weight = EightHalves::load(weights);
        weights += tile_rays * patch_pixels;
        __half2 chain[4] = {};
#pragma unroll
        for (int p = 0; p < 8; ++p)
#pragma unroll
          for (int s = 0; s < 4; ++s)
            chain[s] = __hfma2(weight.twice(p), slices[p].pair(s), chain[s]);
        sum[k].add(chain);
      }
    }
    tile += static_cast<unsigned>(__popc(entry >> 28U));
  }
  float scale[8];
#pragma unroll
  for (int s = 0; s < 8; ++s) scale[s] = sums.scale(first_slice + s);
#pragma unroll
  for (int k = 0; k < group_tiles; ++k) {
    const int at = __shfl_sync(whole_warp, wanted ? ray : -1, k * tile_rays + lane / 4);
    if (at < 0) continue;
#pragma unroll
    for (int s = 0; s < 8; ++s)
      if (first_slice + s < sums.layout.slices)
        sums.out[sums.layout.ray(at, first_slice + s)] = sum[k].sum[s] * scale[s];
  }
}

/// Computes x = W^T y; operand [ray position][slices]. `met` marks the groups with rays in the
/// subset.
template <bool Filtered>
__global__ void __launch_bounds__(32 * wmma_warps)
    half2_back(TileIndex index, const __half* __restrict__ operand, int passes,
               const unsigned char* __restrict__ met, TileSums sums) {
  const TileTask<TileShape<wmma_warps, 1, 1>> task(index.patches, passes);
  if (!task.there) return;
  const unsigned ld = static_cast<unsigned>(passes) * wmma_slices;
  const int lane = lane_of_warp(), pixel = lane % patch_pixels,
            first_slice = task.pass * wmma_slices + lane / patch_pixels * 16;
  ChainSums<8> sum;
  for (std::int64_t e = index.patch_start[task.item]; e < index.patch_start[task.item + 1]; ++e) {
    const uint2 entry = index.patch_entry[e];
    const std::size_t group = entry.x & patch_mask;
    if (Filtered && met[group] == 0) continue;
    const __half* weights = halves_of(index, entry.y) + pixel;
#pragma unroll
    for (int k = 0; k < group_tiles; ++k) {
      if ((entry.x >> (28 + k) & 1U) == 0) continue;
      const __half* y = operand + (group * group_rays + k * tile_rays) * ld + first_slice;
      __half2 chain[8] = {};
#pragma unroll
      for (int r = 0; r < tile_rays; ++r) {
        const __half2 weight = __half2half2(weights[r * patch_pixels]);
        const EightHalves low = EightHalves::load(y + r * ld),
                          high = EightHalves::load(y + r * ld + 8);
#pragma unroll
        for (int s = 0; s < 4; ++s) {
          chain[s] = __hfma2(weight, low.pair(s), chain[s]);
          chain[4 + s] = __hfma2(weight, high.pair(s), chain[4 + s]);
        }
      }
      weights += tile_rays * patch_pixels;
      sum.add(chain);
    }
  }
  const int at = index.pixel_at[std::int64_t{task.item} * patch_pixels + pixel];
  if (at < 0) return;
#pragma unroll
  for (int s = 0; s < 16; ++s)
    if (first_slice + s < sums.layout.slices)
      sums.out[sums.layout.pixel(at, first_slice + s)] = sum.sum[s] * sums.scale(first_slice + s);
}

}  // namespace gantry::device
