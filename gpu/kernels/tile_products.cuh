#pragma once

// Products with W in tiles by mma.sync. Slices are the rows of D, rays (W x) or pixels (W^T y) its
// columns, so that a tile is fragment B and what a warp keeps is as narrow as a tile: a tile that
// is not there costs no memory. A warp sums a part of the entries of its group or patch; the parts
// are added in order, so that no sum depends on when threads run.
#include "gpu/kernels/portion_sums.cuh"
#include "gpu/kernels/row_selection.hpp"
#include "gpu/kernels/tile_mma.cuh"
#include "gpu/kernels/tile_model.hpp"
#include "gpu/kernels/warp.cuh"

namespace gantry::device {

/// Warps of a block; the parts that entries are shared out in; entries of which loads are under way
/// at once.
template <int Warps, int Shares, int AtOnce>
struct TileShape {
  static constexpr int warps = Warps, shares = Shares, at_once = AtOnce;
};

struct TileSums {
  const int* bits;  ///< magnitudes of the operand's slices
  float unit;       ///< of the weights
  SliceLayout layout;
  float* out;

  __device__ float scale(int slice) const { return unit / half_scale(__int_as_float(bits[slice])); }
};

/// Tiles of a matrix that goes by once are not kept in the caches, where operands lie.
__device__ inline TileWeights load_tile(const TileIndex& index, unsigned tile) {
  const auto* from = reinterpret_cast<const uint2*>(index.tile) + std::size_t{tile} * 32;
  const uint2 w = __ldcs(from + lane_of_warp());
  return {w.x, w.y};
}

/// The t-th tile of an entry, zeros where it has none.
__device__ inline TileWeights tile_of_entry(const TileIndex& index, unsigned tiles, unsigned first,
                                            int t) {
  if ((tiles >> t & 1U) == 0) return {0, 0};
  return load_tile(index, first + __popc(tiles & ((1U << t) - 1)));
}

/// Part `share` of `shares` of a range, in whole portions of 32 but for the last.
struct EntryShare {
  std::int64_t begin, end;

  __device__ EntryShare(std::int64_t from, std::int64_t to, int share, int shares) {
    const std::int64_t portions = (to - from + 31) / 32;
    begin = from + portions * share / shares * 32;
    end = from + portions * (share + 1) / shares * 32;
    if (end > to) end = to;
  }
};

/// What the warps of a block do: shares of some items (groups or patches), of one pass through the
/// slices. Passes over an item are neighbours, and read its tiles at about the same time.
template <class Shape>
struct TileTask {
  int warp = static_cast<int>(threadIdx.x / 32), share = warp % Shape::shares, pass, item;
  bool there;

  __device__ TileTask(int items, int passes)
      : pass(static_cast<int>(blockIdx.x) % passes),
        item(static_cast<int>(blockIdx.x) / passes * (Shape::warps / Shape::shares) +
             warp / Shape::shares),
        there(item < items) {}
};

/// y = W x, of 16 SliceTiles slices a pass; of each part of x as many.
template <int SliceTiles, int Parts, bool Filtered, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps)
    tiles_forward(TileIndex index, const uint4* __restrict__ operand, int passes, ViewRange views,
                  TileSums sums) {
  constexpr int U = Shape::at_once;
  __shared__ float out[Shape::warps][slice_tile][33];
  const TileTask<Shape> task(index.groups, passes);
  const int lane = lane_of_warp(), g = lane / 4, t = lane % 4, tiles = passes * SliceTiles;
  const int ray = task.there ? index.ray_at[std::int64_t{task.item} * group_rays + lane] : -1;
  const bool wanted = ray >= 0 && (!Filtered || views.has(ray));
  float c[group_tiles][SliceTiles][4] = {};
  PortionSums<group_tiles * SliceTiles * 4, Parts == 2> whole;
  if (task.there && (!Filtered || __any_sync(whole_warp, wanted))) {
    const std::int64_t from = index.group_start[task.item], to = index.group_start[task.item + 1];
    const EntryShare part(from, to, task.share, Shape::shares);
    unsigned next = index.group_tile[task.item];
    if (Shape::shares > 1) {  // those of the shares before
      int before = 0;
      for (std::int64_t e = from + lane; e < part.begin; e += 32)
        before += __popc(index.entry[e] >> 28U);
      next += static_cast<unsigned>(warp_sum(before));
    }
    for (std::int64_t first = part.begin; first < part.end; first += 32) {
      const unsigned mine = first + lane < part.end ? __ldcs(index.entry + first + lane) : 0;
      const int count = __popc(mine >> 28U), upto = warp_prefix(count);
      const unsigned my_tile = next + static_cast<unsigned>(upto - count);
      next += static_cast<unsigned>(__shfl_sync(whole_warp, upto, 31));
      const int entries = static_cast<int>(min(part.end - first, std::int64_t{32}));
      for (int j = 0; j < entries; j += U) {
        TileWeights w[U][group_tiles];
        uint4 x[U][Parts][SliceTiles];
#pragma unroll
        for (int u = 0; u < U; ++u) {
          const unsigned entry = __shfl_sync(whole_warp, mine, j + u),
                         tile = __shfl_sync(whole_warp, my_tile, j + u);
#pragma unroll
          for (int k = 0; k < group_tiles; ++k)
            w[u][k] = tile_of_entry(index, entry >> 28U, tile, k);
          const uint4* from_patch =
              operand +
              (std::size_t{entry & patch_mask} * (Parts * tiles) + task.pass * SliceTiles) * 32 +
              lane;
#pragma unroll
          for (int p = 0; p < Parts; ++p)
#pragma unroll
            for (int s = 0; s < SliceTiles; ++s)
              x[u][p][s] = __ldg(from_patch + (p * tiles + s) * 32);
        }
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
          for (int k = 0; k < group_tiles; ++k)
#pragma unroll
            for (int s = 0; s < SliceTiles; ++s)
#pragma unroll
              for (int p = 0; p < Parts; ++p)
                mma_16x8x16(c[k][s], x[u][p][s].x, x[u][p][s].z, x[u][p][s].y, x[u][p][s].w,
                            w[u][k].low, w[u][k].high);
      }
      whole.template take<SliceTiles>(c);
    }
  }
  whole.template give<SliceTiles>(c);
  // The shares' sums, a slice tile at a time; each warp of an item writes some of its slices.
  const int team = task.warp - task.share;
#pragma unroll
  for (int s = 0; s < SliceTiles; ++s) {
    __syncthreads();
#pragma unroll
    for (int k = 0; k < group_tiles; ++k)
#pragma unroll
      for (int q = 0; q < 4; ++q)
        out[task.warp][g + q / 2 * 8][k * tile_rays + 2 * t + q % 2] = c[k][s][q];
    __syncthreads();
    if (!wanted) continue;
    for (int row = task.share; row < slice_tile; row += Shape::shares) {
      const int slice = (task.pass * SliceTiles + s) * slice_tile + row;
      if (slice >= sums.layout.slices) break;
      float sum = 0;
#pragma unroll
      for (int other = 0; other < Shape::shares; ++other) sum += out[team + other][row][lane];
      sums.out[sums.layout.ray(ray, slice)] = sum * sums.scale(slice);
    }
  }
}

/// Fragments of y for one tile of rays: {a0, a1} of each slice tile.
template <int Fragments>
struct RayFragments {
  unsigned word[2 * Fragments];

  __device__ void load(const void* operand, std::size_t rays, int tiles, int first) {
    if constexpr (Fragments == 1) {
      const uint2 y = __ldg(static_cast<const uint2*>(operand) + rays * 32 + lane_of_warp());
      word[0] = y.x, word[1] = y.y;
    } else {
#pragma unroll
      for (int pair = 0; pair < Fragments / 2; ++pair) {
        const uint4 y = __ldg(static_cast<const uint4*>(operand) +
                              (rays * (tiles / 2) + first / 2 + pair) * 32 + lane_of_warp());
        word[4 * pair] = y.x, word[4 * pair + 1] = y.y;
        word[4 * pair + 2] = y.z, word[4 * pair + 3] = y.w;
      }
    }
  }
};

/// All parts of y for one tile of rays of a pass.
template <int SliceTiles, int Parts>
struct RayParts {
  // One slice tile has its parts beside each other; otherwise a part's slice tiles are.
  static constexpr bool together = SliceTiles == 1;
  RayFragments<together ? Parts : SliceTiles> part[together ? 1 : Parts];

  __device__ void load(const void* operand, std::size_t rays, int tiles, int pass) {
#pragma unroll
    for (int p = 0; p < (together ? 1 : Parts); ++p)
      part[p].load(operand, rays, Parts * tiles, p * tiles + pass * SliceTiles);
  }
  __device__ void clear() {
#pragma unroll
    for (auto& one : part)
#pragma unroll
      for (unsigned& word : one.word) word = 0;
  }
  __device__ unsigned word(int p, int s, int row) const {
    return together ? part[0].word[2 * p + row] : part[p].word[2 * s + row];
  }
};

/// x = W^T y, of 16 SliceTiles slices a pass. `met`, where filtered: the groups that have rays.
template <int SliceTiles, int Parts, bool Filtered, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps)
    tiles_back(TileIndex index, const void* __restrict__ operand, int passes,
               const unsigned char* __restrict__ met, TileSums sums) {
  constexpr int U = Shape::at_once, columns = 2;  // fragments of 8 pixels
  __shared__ float out[Shape::warps][slice_tile][patch_pixels + 1];
  const TileTask<Shape> task(index.patches, passes);
  const int lane = lane_of_warp(), g = lane / 4, t = lane % 4, tiles = passes * SliceTiles;
  float c[columns][SliceTiles][4] = {};
  PortionSums<columns * SliceTiles * 4, Parts == 2> whole;
  if (task.there) {
    const EntryShare part(index.patch_start[task.item], index.patch_start[task.item + 1],
                          task.share, Shape::shares);
    for (std::int64_t first = part.begin; first < part.end; first += 32) {
      uint2 mine =
          first + lane < part.end ? __ldcs(index.patch_entry + first + lane) : make_uint2(0, 0);
      if (Filtered && met[mine.x & patch_mask] == 0) mine.x &= patch_mask;
      const int entries = static_cast<int>(min(part.end - first, std::int64_t{32}));
      for (int j = 0; j < entries; j += U) {
        TileWeights w[U][group_tiles];
        RayParts<SliceTiles, Parts> y[U][group_tiles];
#pragma unroll
        for (int u = 0; u < U; ++u) {
          const unsigned entry = __shfl_sync(whole_warp, mine.x, j + u),
                         tile = __shfl_sync(whole_warp, mine.y, j + u);
#pragma unroll
          for (int k = 0; k < group_tiles; ++k) {
            w[u][k] = tile_of_entry(index, entry >> 28U, tile, k);
            if ((entry >> (28 + k) & 1U) != 0)
              y[u][k].load(operand, std::size_t{entry & patch_mask} * group_tiles + k, tiles,
                           task.pass);
            else
              y[u][k].clear();
          }
        }
#pragma unroll
        for (int u = 0; u < U; ++u)
#pragma unroll
          for (int k = 0; k < group_tiles; k += 2) {
            const unsigned low[2] = {turn_8x8(w[u][k].low), turn_8x8(w[u][k + 1].low)},
                           high[2] = {turn_8x8(w[u][k].high), turn_8x8(w[u][k + 1].high)};
#pragma unroll
            for (int s = 0; s < SliceTiles; ++s)
#pragma unroll
              for (int p = 0; p < Parts; ++p) {
                const unsigned a0 = y[u][k].word(p, s, 0), a1 = y[u][k].word(p, s, 1),
                               a2 = y[u][k + 1].word(p, s, 0), a3 = y[u][k + 1].word(p, s, 1);
                mma_16x8x16(c[0][s], a0, a1, a2, a3, low[0], low[1]);
                mma_16x8x16(c[1][s], a0, a1, a2, a3, high[0], high[1]);
              }
          }
      }
      whole.template take<SliceTiles>(c);
    }
  }
  whole.template give<SliceTiles>(c);
  const int team = task.warp - task.share, pixel = lane % patch_pixels;
  const int at = task.there ? index.pixel_at[std::int64_t{task.item} * patch_pixels + pixel] : -1;
#pragma unroll
  for (int s = 0; s < SliceTiles; ++s) {
    __syncthreads();
#pragma unroll
    for (int n = 0; n < columns; ++n)
#pragma unroll
      for (int q = 0; q < 4; ++q)  // column 2 t of the fragment is pixel 4 t, or 4 t + 2
        out[task.warp][g + q / 2 * 8][4 * t + 2 * n + q % 2] = c[n][s][q];
    __syncthreads();
    if (at < 0) continue;
    for (int row = 2 * task.share + lane / patch_pixels; row < slice_tile;
         row += 2 * Shape::shares) {
      const int slice = (task.pass * SliceTiles + s) * slice_tile + row;
      if (slice >= sums.layout.slices) break;
      float sum = 0;
#pragma unroll
      for (int other = 0; other < Shape::shares; ++other) sum += out[team + other][row][pixel];
      sums.out[sums.layout.pixel(at, slice)] = sum * sums.scale(slice);
    }
  }
}

}  // namespace gantry::device
