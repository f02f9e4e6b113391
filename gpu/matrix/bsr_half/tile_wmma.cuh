#pragma once

// The products by WMMA as in Nourazar and Goossens (2021), section 3.2, for comparison. A block of
// 8, 16 or 32 rays is fragment A of the shape 8.32.16, 16.16.16 or 32.8.16; 32 slices are one, two
// or four fragments B. In the transpose, A is the block read by columns; there is no shape for 8
// rays.
//
//   wmma_forward   warp: group of 32 rays x 32 slices; C: (32 / BlockRays) x (1, 2 or 4) fragments
//   wmma_back      warp: patch of 16 pixels x 32 slices; C: 2 fragments of 16 slices
//   block of 8 warps: 8 neighbouring groups or patches; pass = blockIdx.x % passes (32 slices)
//   shared memory per warp: the sums, out[slice][ray or pixel]
#include "gpu/matrix/bsr_half/tile_products.cuh"
#include "gpu/matrix/bsr_half/tuning.hpp"

#include <mma.h>

namespace gantry::device {

constexpr int wmma_slices = 32;
using bsr_half::wmma_warps;

template <int BlockRays>
struct WmmaShape {
  static constexpr int rays = BlockRays, columns = 256 / BlockRays,  // slices of a fragment
      blocks = group_rays / rays, fragments = wmma_slices / columns;
  template <class Use, class Type, class... Layout>
  using Fragment = nvcuda::wmma::fragment<Use, rays, columns, 16, Type, Layout...>;
  using Weights = Fragment<nvcuda::wmma::matrix_a, __half, nvcuda::wmma::row_major>;
  using Slices = Fragment<nvcuda::wmma::matrix_b, __half, nvcuda::wmma::row_major>;
  using Sums = Fragment<nvcuda::wmma::accumulator, float>;
};

__device__ inline const __half* halves_of(const TileIndex& index, std::size_t tile) {
  return reinterpret_cast<const __half*>(index.tile) + tile * (tile_rays * patch_pixels);
}

/// Computes y = W x; operand [pixel position][slices]. A warp has a group and 32 slices per pass.
template <int BlockRays, bool Filtered>
__global__ void __launch_bounds__(32 * wmma_warps)
    wmma_forward(TileIndex index, const __half* __restrict__ operand, int passes, ViewRange views,
                 TileSums sums) {
  using Shape = WmmaShape<BlockRays>;
  constexpr unsigned tiles = BlockRays / tile_rays, block_bits = (1U << tiles) - 1;
  __shared__ float out[wmma_warps][group_rays * wmma_slices];
  const TileTask<TileShape<wmma_warps, 1, 1>> task(index.groups, passes);
  if (!task.there) return;
  const int lane = lane_of_warp(), ray = index.ray_at[std::int64_t{task.item} * group_rays + lane];
  const bool wanted = ray >= 0 && (!Filtered || views.has(ray));
  if (!__any_sync(whole_warp, wanted)) return;
  const unsigned ld = static_cast<unsigned>(passes) * wmma_slices;
  typename Shape::Sums c[Shape::blocks][Shape::fragments];
  for (auto& block : c)
    for (auto& fragment : block) nvcuda::wmma::fill_fragment(fragment, 0.0F);
  std::size_t tile = index.group_tile[task.item];
  for (std::int64_t e = index.group_start[task.item]; e < index.group_start[task.item + 1]; ++e) {
    const unsigned entry = index.entry[e];
    const __half* x =
        operand + std::size_t{entry & patch_mask} * patch_pixels * ld + task.pass * wmma_slices;
#pragma unroll
    for (int b = 0; b < Shape::blocks; ++b) {
      if ((entry >> (28 + b * tiles) & block_bits) == 0) continue;
      typename Shape::Weights w;
      nvcuda::wmma::load_matrix_sync(w, halves_of(index, tile), patch_pixels);
      tile += tiles;
#pragma unroll
      for (int f = 0; f < Shape::fragments; ++f) {
        typename Shape::Slices slices;
        nvcuda::wmma::load_matrix_sync(slices, x + f * Shape::columns, ld);
        nvcuda::wmma::mma_sync(c[b][f], w, slices, c[b][f]);
      }
    }
  }
#pragma unroll
  for (int b = 0; b < Shape::blocks; ++b)
#pragma unroll
    for (int f = 0; f < Shape::fragments; ++f)
      nvcuda::wmma::store_matrix_sync(
          out[task.warp] + b * BlockRays + f * Shape::columns * group_rays, c[b][f], group_rays,
          nvcuda::wmma::mem_col_major);
  __syncwarp();
  if (!wanted) return;
  for (int row = 0; row < wmma_slices; ++row) {
    const int slice = task.pass * wmma_slices + row;
    if (slice >= sums.layout.slices) break;
    sums.out[sums.layout.ray(ray, slice)] =
        out[task.warp][row * group_rays + lane] * sums.scale(slice);
  }
}

/// Computes x = W^T y by 16.16.16, for blocks of 16 and 32 rays; operand [ray position][slices]. A
/// warp has a patch and 32 slices per pass.
template <bool Filtered>
__global__ void __launch_bounds__(32 * wmma_warps)
    wmma_back(TileIndex index, const __half* __restrict__ operand, int passes,
              const unsigned char* __restrict__ met, TileSums sums) {
  using namespace nvcuda;
  __shared__ float out[wmma_warps][patch_pixels * wmma_slices];
  const TileTask<TileShape<wmma_warps, 1, 1>> task(index.patches, passes);
  if (!task.there) return;
  const unsigned ld = static_cast<unsigned>(passes) * wmma_slices;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2];
  for (auto& fragment : c) wmma::fill_fragment(fragment, 0.0F);
  for (std::int64_t e = index.patch_start[task.item]; e < index.patch_start[task.item + 1]; ++e) {
    const uint2 entry = index.patch_entry[e];
    const std::size_t group = entry.x & patch_mask;
    if (Filtered && met[group] == 0) continue;
    std::size_t tile = entry.y;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if ((entry.x >> (28 + 2 * half) & 3U) == 0) continue;
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> w;
      wmma::load_matrix_sync(w, halves_of(index, tile), patch_pixels);
      tile += 2;
      const __half* y = operand + (group * group_rays + half * 16) * ld + task.pass * wmma_slices;
#pragma unroll
      for (int f = 0; f < 2; ++f) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> slices;
        wmma::load_matrix_sync(slices, y + 16 * f, ld);
        wmma::mma_sync(c[f], w, slices, c[f]);
      }
    }
  }
#pragma unroll
  for (int f = 0; f < 2; ++f)
    wmma::store_matrix_sync(out[task.warp] + 16 * f * patch_pixels, c[f], patch_pixels,
                            wmma::mem_col_major);
  __syncwarp();
  const int lane = lane_of_warp(), pixel = lane % patch_pixels,
            at = index.pixel_at[std::int64_t{task.item} * patch_pixels + pixel];
  if (at < 0) return;
  for (int row = lane / patch_pixels; row < wmma_slices; row += 2) {
    const int slice = task.pass * wmma_slices + row;
    if (slice >= sums.layout.slices) break;
    sums.out[sums.layout.pixel(at, slice)] =
        out[task.warp][row * patch_pixels + pixel] * sums.scale(slice);
  }
}

}  // namespace gantry::device
