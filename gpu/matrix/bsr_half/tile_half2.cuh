#pragma once

// The products by half2 arithmetic over the tiles, the reference without Tensor Cores of Nourazar
// and Goossens (2021, section 4.3): one instruction multiplies a weight with two slices. Chains of
// eight products are added up as halves, the chains in float32.
//
//   half2_forward   item: group of 32 rays x 32 slices; lane 4 g + t has ray g of each tile of 8
//                   rays, and slices 8 t .. 8 t + 7; a chain: 8 of the 16 pixels of a tile
//   half2_back      item: patch of 16 pixels x 32 slices; lane 4 s + q has pixels 4 q .. 4 q + 3
//                   and slices 4 s .. 4 s + 3; a chain: the 8 rays of a tile
//   block of 8 warps, pass = blockIdx.x % passes (32 slices):
//     Shares = 1:   warp 0: item i   warp 1: item i + 1   ...
//     Shares = 8:   warps 0 .. 7: parts 0 .. 7 of the entries of item i, added up in this order
//
// Operands are [pixel or ray position][slice], as for WMMA. What a lane loads for a tile is about
// as many bytes of weights as of operands, because the cache of the multiprocessor hands out 128
// bytes in each cycle. Tiles are fetched into the cache of the GPU some entries ahead of their use.
// Shared memory holds the sums of the parts.
#include "gpu/matrix/bsr_half/tile_wmma.cuh"

namespace gantry::device {

/// Weights are at most 1 and operands below 2^15 half2_headroom, so that a chain is below 2^14.
constexpr float half2_headroom = 1.0F / 16;

/// Neighbouring halves that one load reads: eight (uint4) or four (uint2).
template <class Word>
struct NeighbouringHalves {
  Word bits;

  static __device__ NeighbouringHalves load(const __half* from) {
    return {__ldg(reinterpret_cast<const Word*>(from))};
  }
  __device__ __half2 pair(int i) const { return reinterpret_cast<const __half2*>(&bits)[i]; }
  __device__ __half2 twice(int i) const {
    return i % 2 == 0 ? __low2half2(pair(i / 2)) : __high2half2(pair(i / 2));
  }
};
using EightHalves = NeighbouringHalves<uint4>;
using FourHalves = NeighbouringHalves<uint2>;

/// Adds a chain of halves for 2 Pairs slices to float32 sums.
template <int Pairs>
__device__ void add_chain(const __half2 (&chain)[Pairs], float (&sum)[2 * Pairs]) {
#pragma unroll
  for (int s = 0; s < Pairs; ++s) {
    const float2 wide = __half22float2(chain[s]);
    sum[2 * s] += wide.x;
    sum[2 * s + 1] += wide.y;
  }
}

/// Starts to fetch part `nth` of a tile, 128 bytes, into the cache of the GPU.
__device__ inline void prefetch_tile(const TileIndex& index, std::size_t tile, int nth) {
  const char* from = reinterpret_cast<const char*>(index.tile) + tile * sizeof(TileSlot) +
                     static_cast<unsigned>(nth) * 128;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}

/// Adds up the sums of the parts of an item and calls write(a, b, total) for the lane's sum [a][b].
/// Where there are parts, each warp has some of the sums.
template <class Shape, int Rows, int Columns, class Write>
__device__ void add_parts(const float (&sum)[Rows][Columns], int share, const Write& write) {
  if constexpr (Shape::shares == 1) {
#pragma unroll
    for (int a = 0; a < Rows; ++a)
#pragma unroll
      for (int b = 0; b < Columns; ++b) write(a, b, sum[a][b]);
  } else {
    static_assert(Shape::shares == Shape::warps);
    __shared__ float parts[Shape::shares][Rows * Columns][32];
    const int lane = lane_of_warp();
#pragma unroll
    for (int i = 0; i < Rows * Columns; ++i) parts[share][i][lane] = sum[i / Columns][i % Columns];
    __syncthreads();
    for (int i = share; i < Rows * Columns; i += Shape::shares) {
      float total = 0;
#pragma unroll
      for (int part = 0; part < Shape::shares; ++part) total += parts[part][i][lane];
      write(i / Columns, i % Columns, total);
    }
  }
}

/// Adds the products of an entry of a group: `weights` points at the lane's ray in the first of the
/// tiles that `bits` marks, `x` at the lane's slices of the patch.
__device__ inline void add_patch(const __half* weights, unsigned bits, const __half* x, unsigned ld,
                                 float (&sum)[group_tiles][8]) {
#pragma unroll
  for (int side = 0; side < patch_pixels; side += 8) {
    EightHalves weight[group_tiles], slices[8];
    const __half* from = weights + side;
#pragma unroll
    for (int k = 0; k < group_tiles; ++k) {
      weight[k] = {};
      if ((bits >> k & 1U) == 0) continue;
      weight[k] = EightHalves::load(from);
      from += tile_rays * patch_pixels;
    }
#pragma unroll
    for (int p = 0; p < 8; ++p) slices[p] = EightHalves::load(x + (side + p) * ld);
#pragma unroll
    for (int k = 0; k < group_tiles; ++k) {
      if ((bits >> k & 1U) == 0) continue;
      __half2 chain[4] = {};
#pragma unroll
      for (int p = 0; p < 8; ++p)
#pragma unroll
        for (int s = 0; s < 4; ++s)
          chain[s] = __hfma2(weight[k].twice(p), slices[p].pair(s), chain[s]);
      add_chain(chain, sum[k]);
    }
  }
}

/// Computes y = W x; operand [pixel position][slices].
template <bool Filtered, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps, Shape::blocks)
    half2_forward(TileIndex index, const __half* __restrict__ operand, int passes, ViewRange views,
                  TileSums sums) {
  const TileTask<Shape> task(index.groups, passes);
  if (!task.there) return;
  const int lane = lane_of_warp(), ray = index.ray_at[std::int64_t{task.item} * group_rays + lane];
  const bool wanted = ray >= 0 && (!Filtered || views.has(ray));
  if (!__any_sync(whole_warp, wanted)) return;
  const unsigned ld = static_cast<unsigned>(passes) * wmma_slices;
  const int first_slice = task.pass * wmma_slices + lane % 4 * 8;
  const std::int64_t from = index.group_start[task.item];
  const EntryShare part(from, index.group_start[task.item + 1], task.share, Shape::shares);
  const auto load = [&](std::int64_t first) {
    return first + lane < part.end ? __ldcs(index.entry + first + lane) : 0;
  };
  const auto tiles_of = [](unsigned entry) {
    return static_cast<unsigned>(warp_sum(__popc(entry >> 28U)));
  };
  std::size_t tile = index.group_tile[task.item] + tiles_between(index, from, part.begin);
  float sum[group_tiles][8] = {};
  unsigned mine = load(part.begin);
  std::size_t known = tile + tiles_of(mine);  // the tiles before this one are those of entries read
  for (std::int64_t first = part.begin; first < part.end; first += 32) {
    const unsigned next = load(first + 32);
    known += tiles_of(next);
    const int count = static_cast<int>(min(part.end - first, std::int64_t{32}));
    for (int i = 0; i < count; ++i) {
      const unsigned entry = __shfl_sync(whole_warp, mine, i), bits = entry >> 28U;
      const std::size_t later = tile + bsr_half::half2_ahead + static_cast<unsigned>(lane / 2);
      if (lane < 2 * __popc(bits) && later < known) prefetch_tile(index, later, lane % 2);
      add_patch(halves_of(index, tile) + lane / 4 * patch_pixels, bits,
                operand + std::size_t{entry & patch_mask} * patch_pixels * ld + first_slice, ld,
                sum);
      tile += static_cast<unsigned>(__popc(bits));
    }
    mine = next;
  }
  add_parts<Shape>(sum, task.share, [&](int k, int s, float total) {
    const int at = __shfl_sync(whole_warp, wanted ? ray : -1, k * tile_rays + lane / 4),
              slice = first_slice + s;
    if (at >= 0 && slice < sums.layout.slices)
      sums.out[sums.layout.ray(at, slice)] = total * sums.scale(slice);
  });
}

/// Adds the products of a tile: `weights` points at the lane's pixels of its first ray, `y` at the
/// lane's slices of that ray.
__device__ inline void add_tile(const __half* weights, const __half* y, unsigned ld,
                                float (&sum)[4][4]) {
  FourHalves weight[tile_rays], slices[tile_rays];
#pragma unroll
  for (int r = 0; r < tile_rays; ++r) {
    weight[r] = FourHalves::load(weights + r * patch_pixels);
    slices[r] = FourHalves::load(y + r * ld);
  }
#pragma unroll
  for (int p = 0; p < 4; ++p) {
    __half2 chain[2] = {};
#pragma unroll
    for (int r = 0; r < tile_rays; ++r)
#pragma unroll
      for (int s = 0; s < 2; ++s)
        chain[s] = __hfma2(weight[r].twice(p), slices[r].pair(s), chain[s]);
    add_chain(chain, sum[p]);
  }
}

/// Computes x = W^T y; operand [ray position][slices]. `met` marks the groups with rays in the
/// subset.
template <bool Filtered, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps, Shape::blocks)
    half2_back(TileIndex index, const __half* __restrict__ operand, int passes,
               const unsigned char* __restrict__ met, TileSums sums) {
  constexpr int entries = 8, lanes = 32 / entries;  // entries read at a time, lanes of each
  const TileTask<Shape> task(index.patches, passes);
  if (!task.there) return;
  const unsigned ld = static_cast<unsigned>(passes) * wmma_slices;
  const int lane = lane_of_warp(), first_pixel = lane % 4 * 4,
            first_slice = task.pass * wmma_slices + lane / 4 * 4;
  const EntryShare part(index.patch_start[task.item], index.patch_start[task.item + 1], task.share,
                        Shape::shares);
  // Reads an entry and starts to fetch its tiles, unless the subset has no ray of its group.
  const auto load = [&](std::int64_t first) {
    const std::int64_t e = first + lane / lanes;
    uint2 entry = e < part.end ? __ldcs(index.patch_entry + e) : make_uint2(0, 0);
    if (Filtered && met[entry.x & patch_mask] == 0) entry.x = 0;
    for (int half = lane % lanes; half < 2 * __popc(entry.x >> 28U); half += lanes)
      prefetch_tile(index, std::size_t{entry.y} + static_cast<unsigned>(half / 2), half % 2);
    return entry;
  };
  float sum[4][4] = {};
  uint2 mine = load(part.begin);
  for (std::int64_t first = part.begin; first < part.end; first += entries) {
    const uint2 next = load(first + entries);
#pragma unroll 1
    for (int i = 0; i < entries; ++i) {
      const unsigned entry = __shfl_sync(whole_warp, mine.x, i * lanes), bits = entry >> 28U;
      const __half* weights =
          halves_of(index, __shfl_sync(whole_warp, mine.y, i * lanes)) + first_pixel;
      const __half* y = operand + std::size_t{entry & patch_mask} * group_rays * ld + first_slice;
#pragma unroll
      for (int k = 0; k < group_tiles; ++k) {
        if ((bits >> k & 1U) == 0) continue;
        add_tile(weights, y + k * tile_rays * ld, ld, sum);
        weights += tile_rays * patch_pixels;
      }
    }
    mine = next;
  }
  add_parts<Shape>(sum, task.share, [&](int p, int s, float total) {
    const int at = index.pixel_at[std::int64_t{task.item} * patch_pixels + first_pixel + p],
              slice = first_slice + s;
    if (at >= 0 && slice < sums.layout.slices)
      sums.out[sums.layout.pixel(at, slice)] = total * sums.scale(slice);
  });
}

}  // namespace gantry::device
