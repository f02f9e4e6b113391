#pragma once

// Products of tiles with the images of slices (symmetric_tiles_model.hpp). A slice is as many rows
// of a fragment as there are elements, 8 at best, so that one slice fills half of it; with vectors
// of two parts the other half is the second part. A tile that is not there costs no memory.
#include "gpu/kernels/portion_sums.cuh"
#include "gpu/kernels/symmetric_tiles_model.hpp"
#include "gpu/kernels/tile_mma.cuh"
#include "gpu/kernels/warp.cuh"

namespace gantry::device {

/// What sums are multiplied by.
struct SliceScales {
  const float* most;  ///< magnitudes of the operand's slices
  float unit;         ///< of the weights, and of the operand's share

  __device__ float of(int slice) const { return unit / half_scale(most[slice]); }
};

/// The t-th tile of an entry, zeros where it has none. What goes by once is not kept in the caches.
__device__ inline TileWeights stream_tile(const TileIndex& index, unsigned tiles, unsigned first,
                                          int t) {
  if ((tiles >> t & 1U) == 0) return {0, 0};
  const unsigned tile = first + __popc(tiles & ((1U << t) - 1));
  const uint2 w =
      __ldcs(reinterpret_cast<const uint2*>(index.tile) + std::size_t{tile} * 32 + lane_of_warp());
  return {w.x, w.y};
}

/// Warps of a block; the parts that entries are shared out in; entries of which loads are under way
/// at once.
template <int Warps, int Shares, int AtOnce>
struct ImageShape {
  static constexpr int warps = Warps, shares = Shares, at_once = AtOnce;
};

/// Each sum is one ray's or pixel's.
template <class Side>
struct ToImages {
  Side side;
  SliceScales scales;
  float* out;

  __device__ void store(std::int64_t position, int at, int row, float sum) const {
    const int slice = side.images.slice(row), element = side.images.element(row);
    if (slice >= side.layout.slices || (side.owned[position] >> element & 1U) == 0) return;
    const int index = side.image(element, at);
    const int twin = side.twin(index);
    sum *= scales.of(slice);
    if (side.wanted(index)) out[side.place(index, slice)] = sum;
    if (twin >= 0 && side.wanted(twin)) out[side.place(twin, slice)] = sum;
  }
};
/// Sums that are to be added up: [row][position].
template <class Side>
struct ToSums {
  SymmetricImages images;
  int slices;
  SliceScales scales;
  std::int64_t positions;
  float* out;

  __device__ void store(std::int64_t position, int, int row, float sum) const {
    const int slice = images.slice(row);
    if (slice < slices) out[row * positions + position] = sum * scales.of(slice);
  }
};

/// Pass after pass over all items: the operand of one, rather than the matrix, stays in the cache.
template <class Shape>
struct ImageTask {
  static constexpr int items_at_once = Shape::warps / Shape::shares;
  int warp = static_cast<int>(threadIdx.x / 32), share = warp % Shape::shares, pass, item;
  bool there;

  __device__ explicit ImageTask(int items) {
    const int of_pass = (items + items_at_once - 1) / items_at_once;
    pass = static_cast<int>(blockIdx.x) / of_pass;
    item = static_cast<int>(blockIdx.x) % of_pass * items_at_once + warp / Shape::shares;
    there = item < items;
  }
};

/// An even share of a range.
struct EvenShare {
  std::int64_t begin, end;
  __device__ EvenShare(std::int64_t from, std::int64_t to, int share, int shares)
      : begin(from + (to - from) * share / shares),
        end(from + (to - from) * (share + 1) / shares) {}
};

/// Eights of an operand for one patch.
template <int Eights>
struct PixelEights {
  uint2 eight[Eights];

  __device__ void load(const void* operand, std::size_t patch, int all, int first) {
    if constexpr (Eights == 1) {
      eight[0] = __ldg(static_cast<const uint2*>(operand) + patch * 32 + lane_of_warp());
    } else {
#pragma unroll
      for (int pair = 0; pair < Eights / 2; ++pair) {
        const uint4 x = __ldg(static_cast<const uint4*>(operand) +
                              (patch * (all / 2) + first / 2 + pair) * 32 + lane_of_warp());
        eight[2 * pair] = make_uint2(x.x, x.y);
        eight[2 * pair + 1] = make_uint2(x.z, x.w);
      }
    }
  }
};
/// Of one tile of rays.
template <int Eights>
struct RayEights {
  static constexpr int together = eights_together(Eights, 4);
  unsigned eight[Eights];

  __device__ void load(const void* operand, std::size_t tile, int all, int first) {
    const auto* from = static_cast<const unsigned*>(operand) +
                       ((tile * (all / together) + first / together) * 32 + lane_of_warp()) *
                           std::size_t{together};
    if constexpr (Eights == 1) {
      eight[0] = __ldg(from);
    } else if constexpr (Eights == 2) {
      const uint2 y = __ldg(reinterpret_cast<const uint2*>(from));
      eight[0] = y.x, eight[1] = y.y;
    } else {
#pragma unroll
      for (int four = 0; four < Eights; four += 4) {
        const uint4 y = __ldg(reinterpret_cast<const uint4*>(from + four * 32));
        eight[four] = y.x, eight[four + 1] = y.y, eight[four + 2] = y.z, eight[four + 3] = y.w;
      }
    }
  }
  __device__ void clear() {
#pragma unroll
    for (unsigned& word : eight) word = 0;
  }
};

/// Fragments of 16 rows that so many eights are.
__host__ __device__ constexpr int fragments_of(int eights) { return (eights + 1) / 2; }

/// c += the entries [begin, end) of a group; `next` is the first one's tile.
template <int Eights, bool Split, int AtOnce>
__device__ void sum_group(const TileIndex& index, const void* operand, std::int64_t begin,
                          std::int64_t end, unsigned next, int all, int first_eight,
                          float (&c)[group_tiles][fragments_of(Eights)][4]) {
  constexpr int U = AtOnce, F = fragments_of(Eights);
  const int lane = lane_of_warp();
  PortionSums<group_tiles * F * 4, Split> whole;
  for (std::int64_t first = begin; first < end; first += 32) {
    const unsigned mine = first + lane < end ? __ldcs(index.entry + first + lane) : 0;
    const int count = __popc(mine >> 28U), upto = warp_prefix(count);
    const unsigned my_tile = next + static_cast<unsigned>(upto - count);
    next += static_cast<unsigned>(__shfl_sync(whole_warp, upto, 31));
    const int entries = static_cast<int>(min(end - first, std::int64_t{32}));
    for (int j = 0; j < entries; j += U) {
      TileWeights w[U][group_tiles];
      PixelEights<Eights> x[U];
#pragma unroll
      for (int u = 0; u < U; ++u) {
        const unsigned entry = __shfl_sync(whole_warp, mine, j + u),
                       tile = __shfl_sync(whole_warp, my_tile, j + u);
#pragma unroll
        for (int k = 0; k < group_tiles; ++k) w[u][k] = stream_tile(index, entry >> 28U, tile, k);
        x[u].load(operand, entry & patch_mask, all, first_eight);
      }
#pragma unroll
      for (int u = 0; u < U; ++u)
#pragma unroll
        for (int k = 0; k < group_tiles; ++k)
#pragma unroll
          for (int f = 0; f < F; ++f) {
            constexpr bool full = Eights > 1;
            const uint2 low = x[u].eight[2 * f],
                        high = full ? x[u].eight[full ? 2 * f + 1 : 0] : make_uint2(0, 0);
            mma_16x8x16(c[k][f], low.x, high.x, low.y, high.y, w[u][k].low, w[u][k].high);
          }
    }
    whole.template take<F>(c);
  }
  whole.template give<F>(c);
}

/// c += the entries [begin, end) of a patch.
template <int Eights, bool Split, int AtOnce>
__device__ void sum_patch(const TileIndex& index, const void* operand, std::int64_t begin,
                          std::int64_t end, const unsigned char* met, int all, int first_eight,
                          float (&c)[2][fragments_of(Eights)][4]) {
  constexpr int U = AtOnce, F = fragments_of(Eights);
  const int lane = lane_of_warp();
  PortionSums<2 * F * 4, Split> whole;
  for (std::int64_t first = begin; first < end; first += 32) {
    uint2 mine = first + lane < end ? __ldcs(index.patch_entry + first + lane) : make_uint2(0, 0);
    if (met != nullptr && met[mine.x & patch_mask] == 0) mine.x &= patch_mask;
    const int entries = static_cast<int>(min(end - first, std::int64_t{32}));
    for (int j = 0; j < entries; j += U) {
      TileWeights w[U][group_tiles];
      RayEights<Eights> y[U][group_tiles];
#pragma unroll
      for (int u = 0; u < U; ++u) {
        const unsigned entry = __shfl_sync(whole_warp, mine.x, j + u),
                       tile = __shfl_sync(whole_warp, mine.y, j + u);
#pragma unroll
        for (int k = 0; k < group_tiles; ++k) {
          w[u][k] = stream_tile(index, entry >> 28U, tile, k);
          if ((entry >> (28 + k) & 1U) != 0)
            y[u][k].load(operand, std::size_t{entry & patch_mask} * group_tiles + k, all,
                         first_eight);
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
          for (int f = 0; f < F; ++f) {
            constexpr bool full = Eights > 1;
            const unsigned a0 = y[u][k].eight[2 * f], a2 = y[u][k + 1].eight[2 * f],
                           a1 = full ? y[u][k].eight[full ? 2 * f + 1 : 0] : 0,
                           a3 = full ? y[u][k + 1].eight[full ? 2 * f + 1 : 0] : 0;
            mma_16x8x16(c[0][f], a0, a1, a2, a3, low[0], low[1]);
            mma_16x8x16(c[1][f], a0, a1, a2, a3, high[0], high[1]);
          }
        }
    }
    whole.template take<F>(c);
  }
  whole.template give<F>(c);
}

/// How many rows a fragment's sums are, and which is the first of fragment f of a pass: eights of
/// two parts are one.
template <int Eights, bool Split>
struct FragmentRows {
  static constexpr int count = Split || Eights == 1 ? eight : 2 * eight;
  static __device__ int first(int pass, int f) { return (pass * fragments_of(Eights) + f) * count; }
};

/// Lane 4 g + t's sums of columns c, c + 1 into rows g and g + 8 of a warp's stage.
template <int Rows, bool Split, int Width>
__device__ void stage_sums(float (&stage)[Rows][Width], int column, const float (&c)[4]) {
  const int g = lane_of_warp() / 4;
#pragma unroll
  for (int q = 0; q < 2; ++q) {
    stage[g][column + q] = Split ? c[q] + c[2 + q] : c[q];
    if constexpr (Rows == 2 * eight) stage[g + eight][column + q] = c[2 + q];
  }
}

/// W V. A warp has a share of a group's entries.
template <int Eights, bool Split, class Out, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps)
    images_forward(TileIndex index, const void* __restrict__ operand, int passes,
                   const unsigned char* __restrict__ met, Out to) {
  using Rows = FragmentRows<Eights, Split>;
  __shared__ float stage[Shape::warps][Rows::count][group_rays + 1];
  const ImageTask<Shape> task(index.groups);
  const int lane = lane_of_warp(), t = lane % 4;
  const bool there = task.there && (met == nullptr || met[task.item] != 0);
  float c[group_tiles][fragments_of(Eights)][4] = {};
  if (there) {
    const std::int64_t from = index.group_start[task.item], end = index.group_start[task.item + 1];
    const EvenShare part(from, end, task.share, Shape::shares);
    int before = 0;  // tiles of the shares before
    for (std::int64_t e = from + lane; e < part.begin; e += 32)
      before += __popc(index.entry[e] >> 28U);
    const unsigned next = index.group_tile[task.item] +
                          (Shape::shares > 1 ? static_cast<unsigned>(warp_sum(before)) : 0U);
    sum_group<Eights, Split, Shape::at_once>(index, operand, part.begin, part.end, next,
                                             Eights * passes, task.pass * Eights, c);
  }
  const int team = task.warp - task.share;
  const std::int64_t position = std::int64_t{task.item} * group_rays + lane;
  const int ray = there ? index.ray_at[position] : -1;
#pragma unroll
  for (int f = 0; f < fragments_of(Eights); ++f) {
    __syncthreads();
#pragma unroll
    for (int k = 0; k < group_tiles; ++k)
      stage_sums<Rows::count, Split>(stage[task.warp], k * tile_rays + 2 * t, c[k][f]);
    __syncthreads();
    if (ray < 0) continue;
    for (int row = task.share; row < Rows::count; row += Shape::shares) {
      float sum = 0;
#pragma unroll
      for (int other = 0; other < Shape::shares; ++other) sum += stage[team + other][row][lane];
      to.store(position, ray, Rows::first(task.pass, f) + row, sum);
    }
  }
}

/// A patch's sums into a warp's stage: column 2 t of the fragments is pixel 4 t, or 4 t + 2.
template <int Rows, bool Split, int F>
__device__ void stage_patch(float (&stage)[Rows][patch_pixels + 1], int f,
                            const float (&c)[2][F][4]) {
  const int t = lane_of_warp() % 4;
#pragma unroll
  for (int n = 0; n < 2; ++n) stage_sums<Rows, Split>(stage, 4 * t + 2 * n, c[n][f]);
}

/// W^T V. A warp has a share of a patch's entries.
template <int Eights, bool Split, class Out, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps)
    images_back(TileIndex index, const void* __restrict__ operand, int passes,
                const unsigned char* __restrict__ met, Out to) {
  using Rows = FragmentRows<Eights, Split>;
  __shared__ float stage[Shape::warps][Rows::count][patch_pixels + 1];
  const ImageTask<Shape> task(index.patches);
  float c[2][fragments_of(Eights)][4] = {};
  if (task.there) {
    const EvenShare part(index.patch_start[task.item], index.patch_start[task.item + 1], task.share,
                         Shape::shares);
    sum_patch<Eights, Split, Shape::at_once>(index, operand, part.begin, part.end, met,
                                             Eights * passes, task.pass * Eights, c);
  }
  const int lane = lane_of_warp(), team = task.warp - task.share, pixel = lane % patch_pixels;
  const std::int64_t position = std::int64_t{task.item} * patch_pixels + pixel;
  const int at = task.there ? index.pixel_at[position] : -1;
#pragma unroll
  for (int f = 0; f < fragments_of(Eights); ++f) {
    __syncthreads();
    stage_patch<Rows::count, Split>(stage[task.warp], f, c);
    __syncthreads();
    if (at < 0) continue;
    for (int row = 2 * task.share + lane / patch_pixels; row < Rows::count;
         row += 2 * Shape::shares) {
      float sum = 0;
#pragma unroll
      for (int other = 0; other < Shape::shares; ++other) sum += stage[team + other][row][pixel];
      to.store(position, at, Rows::first(task.pass, f) + row, sum);
    }
  }
}

/// W^T V and its fold in one, where every element takes patches to patches: a block has all of an
/// orbit, a warp each, so that what is added up is there.
template <int Eights, bool Split, int AtOnce>
__global__ void __launch_bounds__(256)
    orbits_back(TileIndex index, PatchOrbits orbits, const void* __restrict__ operand, int passes,
                const unsigned char* __restrict__ met, SymmetricPixels side, SliceScales scales,
                float* __restrict__ out) {
  using Rows = FragmentRows<Eights, Split>;
  __shared__ float stage[most_elements][Rows::count][patch_pixels + 1];
  __shared__ int patch[most_elements];
  const int orbit = static_cast<int>(blockIdx.x) % orbits.count,
            pass = static_cast<int>(blockIdx.x) / orbits.count,
            warp = static_cast<int>(threadIdx.x / 32), mine = orbits.patch[orbit * 8 + warp];
  if (lane_of_warp() == 0) patch[warp] = mine;
  float c[2][fragments_of(Eights)][4] = {};
  if (mine >= 0)
    sum_patch<Eights, Split, AtOnce>(index, operand, index.patch_start[mine],
                                     index.patch_start[mine + 1], met, Eights * passes,
                                     pass * Eights, c);
  const int pixel = static_cast<int>(threadIdx.x) % patch_pixels,
            which = static_cast<int>(threadIdx.x) / patch_pixels % most_elements,
            of_rows = static_cast<int>(threadIdx.x) / (patch_pixels * most_elements);
  // Where the sums of this pixel lie: element by element, four bits of pixel and three of patch.
  __syncthreads();
  const int at = patch[which] >= 0 ? index.pixel_at[patch[which] * patch_pixels + pixel] : -1;
  int from[most_elements];
#pragma unroll
  for (int e = 0; e < most_elements; ++e) {
    from[e] = 0;
    if (at < 0 || e >= side.images.elements()) continue;
    const int position = orbits.position_of[side.image(side.images.inverse[e], at)];
    int slot = 0;
#pragma unroll
    for (int s = 1; s < most_elements; ++s)
      if (patch[s] == position / patch_pixels) slot = s;
    from[e] = slot * (Rows::count * (patch_pixels + 1)) + position % patch_pixels;
  }
#pragma unroll
  for (int f = 0; f < fragments_of(Eights); ++f) {
    if (f > 0) __syncthreads();
    stage_patch<Rows::count, Split>(stage[warp], f, c);
    __syncthreads();
    if (at < 0) continue;
    const int of_fragment = Rows::count >> side.images.shift,
              first = side.images.slice(Rows::first(pass, f));
    for (int s = of_rows; s < of_fragment; s += 2) {
      if (first + s >= side.layout.slices) break;
      float sum = 0;
#pragma unroll
      for (int e = 0; e < most_elements; ++e)
        if (e < side.images.elements())
          sum += stage[0][0][from[e] + ((s << side.images.shift) + e) * (patch_pixels + 1)];
      out[side.place(at, first + s)] = sum * scales.of(first + s);
    }
  }
}

}  // namespace gantry::device
