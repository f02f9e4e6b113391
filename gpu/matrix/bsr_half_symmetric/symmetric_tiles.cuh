#pragma once

// Products of tiles with the images of slices (symmetric_tiles_model.hpp). A slice becomes as many
// operand rows as there are elements, 8 at most (a volume: 16), which is half of a fragment; with
// vectors in two parts, the second part fills the other half. A tile that is not stored costs no
// memory.
//
//   images_forward   group of 32 rays: Shares warps; warp s has pair s / (Shares / 2) of the tiles
//                    (16 rays) and part s % (Shares / 2) of the entries:
//                    D[16 rays x 8 rows] += tiles[16 rays x 16 pixels] eight[16 pixels x 8 rows]
//   images_back      patch of 16 pixels: Shares warps; warp s has part s of the entries: for each
//                    two tiles D[16 rows x 8 pixels] += eights[16 rows x 16 rays] tiles
//   orbits_back      block of 8 warps: an orbit of 8 patches, a warp each, as images_back; then
//                    thread (pixel, patch, s % 2) adds up the elements for every other slice s
//
// Shared memory per warp: the list of tiles to load (PairList, TileList), later its sums
// stage[row][ray or pixel], which are added up over the warps of an item in a fixed order.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half/portion_sums.cuh"
#include "gpu/matrix/bsr_half/tile_mma.cuh"
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles_model.hpp"
#include "gpu/matrix/bsr_half_symmetric/tuning.hpp"

namespace gantry::device {

/// Factors of the sums.
struct SliceScales {
  const float* most;  ///< magnitudes of the operand's slices
  float unit;         ///< unit of the weights, divided by the share of pack_images

  __device__ float of(int slice) const { return unit / half_scale(most[slice]); }
};

/// Loads this lane's part of a tile. Tiles are read once and are not kept in the caches.
__device__ inline uint2 stream_tile(const TileIndex& index, std::size_t tile) {
  return __ldcs(reinterpret_cast<const uint2*>(index.tile) + tile * 32 + lane_of_warp());
}

/// Shape of a launch: warps per block, parts (shares) of an item, and entries or pairs of tiles
/// that are loaded at the same time where there are few rows.
template <int Warps, int Shares, int AtOnce>
struct ImageShape {
  static constexpr int warps = Warps, shares = Shares;
  static __host__ __device__ constexpr int at_once(int eights) {
    return eights <= 2 ? AtOnce : AtOnce * 2 / eights > 1 ? AtOnce * 2 / eights : 1;
  }
};

/// Output where each sum belongs to one ray or pixel: written to the image.
template <class Side>
struct ToImages {
  Side side;
  SliceScales scales;
  float* out;

  using Place = typename Side::Place;
  __device__ Place place(int index) const { return side.place(index); }
  __device__ void store(std::int64_t position, Place at, int row, float sum) const {
    const int slice = side.images.slice(row), element = side.images.element(row);
    if (slice >= side.layout.slices || (side.owned[position] >> element & 1U) == 0) return;
    const Place image = side.image(element, at);
    sum *= scales.of(slice);
    if (side.wanted(image)) out[side.address(image, slice)] = sum;
    if (!side.has_opposite(image)) return;
    const Place opposite = side.opposite(image);
    if (side.wanted(opposite)) out[side.address(opposite, slice)] = sum;
  }
};
/// Output of sums that are added up later (fold_images): [row][position].
template <class Side>
struct ToSums {
  decltype(Side::images) images;
  int slices;
  SliceScales scales;
  std::int64_t positions;
  float* out;

  __device__ int place(int index) const { return index; }
  __device__ void store(std::int64_t position, int, int row, float sum) const {
    const int slice = images.slice(row);
    if (slice < slices) out[row * positions + position] = sum * scales.of(slice);
  }
};

/// The work of a warp. All items of one pass precede those of the next pass, so that the operand of
/// a pass, rather than the matrix, stays in the cache.
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

/// Part `share` of `shares` equal parts of a range.
struct EvenShare {
  std::int64_t begin, end;
  __device__ EvenShare(std::int64_t from, std::int64_t to, int share, int shares)
      : begin(from + (to - from) * share / shares),
        end(from + (to - from) * (share + 1) / shares) {}
};

/// The eights of an operand for one patch.
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
/// The eights of an operand for one tile of rays.
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

/// Returns the number of fragments of 16 rows for so many eights.
__host__ __device__ constexpr int fragments_of(int eights) { return (eights + 1) / 2; }

/// The patches that 16 rays of a group (a pair of tiles) meet in 32 entries; the one or two tiles
/// of a patch form a fragment.
struct PairList {
  static constexpr int behind = 8;
  static constexpr unsigned none = ~0U;
  uint4 item[32 + behind];  ///< indices of the two tiles, patch

  /// Fills the list for pair 0 or 1, followed by some items without tiles; returns the number of
  /// items. All lanes must call it.
  __device__ int fill(unsigned entry, unsigned tile, int pair) {
    const int lane = lane_of_warp();
    const unsigned bits = entry >> 28U, two = bits >> 2 * pair & 3U,
                   one = tile + __popc(bits & ((1U << 2 * pair) - 1)),
                   met = __ballot_sync(whole_warp, two != 0);
    const int all = __popc(met), at = __popc(met & ((1U << lane) - 1));
    __syncwarp();
    if (two != 0)
      item[at] = make_uint4((two & 1U) != 0 ? one : none, (two & 2U) != 0 ? one + (two & 1U) : none,
                            entry & patch_mask, 0);
    if (lane < behind) item[all + lane] = make_uint4(none, none, 0, 0);
    __syncwarp();
    return all;
  }
};

/// Adds to c the entries [begin, end) of a group for one of its two pairs of tiles; `next` is the
/// first entry's tile. The rows of D are rays here, its columns the rows of an eight.
template <int Eights, bool Split, int AtOnce>
__device__ void sum_group(const TileIndex& index, const void* operand, std::int64_t begin,
                          std::int64_t end, unsigned next, int pair, int all, int first_eight,
                          PairList& list, float (&c)[1][Eights][4]) {
  constexpr int U = AtOnce;
  static_assert(U <= PairList::behind);
  const int lane = lane_of_warp();
  PortionSums<Eights * 4, Split> whole;
  for (std::int64_t first = begin; first < end; first += 32) {
    const unsigned mine = first + lane < end ? __ldcs(index.entry + first + lane) : 0;
    const int count = __popc(mine >> 28U), upto = warp_prefix(count);
    const int items = list.fill(mine, next + static_cast<unsigned>(upto - count), pair);
    next += static_cast<unsigned>(__shfl_sync(whole_warp, upto, 31));
    for (int j = 0; j < items; j += U) {
      uint2 w[U][2];
      PixelEights<Eights> x[U];
#pragma unroll
      for (int u = 0; u < U; ++u) {
        const uint4 one = list.item[j + u];
        w[u][0] = w[u][1] = make_uint2(0, 0);
        if (one.x != PairList::none) w[u][0] = stream_tile(index, one.x);
        if (one.y != PairList::none) w[u][1] = stream_tile(index, one.y);
        x[u].load(operand, one.z, all, first_eight);
      }
#pragma unroll
      for (int u = 0; u < U; ++u)
#pragma unroll
        for (int e = 0; e < Eights; ++e)
          mma_16x8x16(c[0][e], w[u][0].x, w[u][1].x, w[u][0].y, w[u][1].y, x[u].eight[e].x,
                      x[u].eight[e].y);
    }
    whole.template take<Eights>(c);
  }
  whole.template put<Eights>(c);
}

/// The tiles of 32 entries of a patch; any two tiles are the 16 rays of a fragment.
struct TileList {
  static constexpr int most = 32 * group_tiles, behind = 16;
  static constexpr unsigned none = ~0U;
  uint2 tile[most + behind];  ///< indices in the matrix, and among all tiles of rays

  /// Fills the list, followed by some items without rays; returns the number of tiles. All lanes
  /// must call it.
  __device__ int fill(uint2 entry) {
    const unsigned bits = entry.x >> 28U;
    const int count = __popc(bits), upto = warp_prefix(count);
    const int all = __shfl_sync(whole_warp, upto, 31);
    int at = upto - count;
    unsigned one = entry.y;
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < group_tiles; ++k)
      if ((bits >> k & 1U) != 0)
        tile[at++] = make_uint2(one++, (entry.x & patch_mask) * group_tiles + k);
    if (lane_of_warp() < behind) tile[all + lane_of_warp()] = make_uint2(0, none);
    __syncwarp();
    return all;
  }
};

/// Adds to c the entries [begin, end) of a patch, AtOnce pairs of tiles at a time.
template <int Eights, bool Split, int AtOnce>
__device__ void sum_patch(const TileIndex& index, const void* operand, std::int64_t begin,
                          std::int64_t end, const unsigned char* met, int all, int first_eight,
                          TileList& list, float (&c)[2][fragments_of(Eights)][4]) {
  constexpr int U = AtOnce, F = fragments_of(Eights);
  static_assert(2 * U <= TileList::behind);
  PortionSums<2 * F * 4, Split> whole;
  for (std::int64_t first = begin; first < end; first += 32) {
    const std::int64_t at = first + lane_of_warp();
    uint2 mine = at < end ? __ldcs(index.patch_entry + at) : make_uint2(0, 0);
    if (met != nullptr && met[mine.x & patch_mask] == 0) mine.x &= patch_mask;
    const int tiles = list.fill(mine);
    for (int j = 0; j < tiles; j += 2 * U) {
      uint2 w[2 * U];
      RayEights<Eights> y[2 * U];
#pragma unroll
      for (int u = 0; u < 2 * U; ++u) {
        const uint2 one = list.tile[j + u];
        w[u] = stream_tile(index, one.x);
        if (one.y != TileList::none)
          y[u].load(operand, one.y, all, first_eight);
        else
          y[u].clear();
      }
#pragma unroll
      for (int u = 0; u < 2 * U; u += 2) {
        const unsigned low[2] = {transpose_8x8(w[u].x), transpose_8x8(w[u + 1].x)},
                       high[2] = {transpose_8x8(w[u].y), transpose_8x8(w[u + 1].y)};
#pragma unroll
        for (int f = 0; f < F; ++f) {
          constexpr bool full = Eights > 1;
          const unsigned a0 = y[u].eight[2 * f], a2 = y[u + 1].eight[2 * f],
                         a1 = full ? y[u].eight[full ? 2 * f + 1 : 0] : 0,
                         a3 = full ? y[u + 1].eight[full ? 2 * f + 1 : 0] : 0;
          mma_16x8x16(c[0][f], a0, a1, a2, a3, low[0], low[1]);
          mma_16x8x16(c[1][f], a0, a1, a2, a3, high[0], high[1]);
        }
      }
    }
    whole.template take<F>(c);
  }
  whole.template put<F>(c);
}

/// Number of operand rows in a fragment's sums, and the first row of fragment f of a pass. The two
/// parts of split vectors are one row.
template <int Eights, bool Split>
struct FragmentRows {
  static constexpr int count = Split || Eights == 1 ? eight : 2 * eight;
  static __device__ int first(int pass, int f) { return (pass * fragments_of(Eights) + f) * count; }
};

/// Writes the sums of lane 4 g + t, columns c and c + 1, to rows g and g + 8 of a warp's stage.
template <int Rows, bool Split, int Width>
__device__ void stage_sums(float (&stage)[Rows][Width], int column, const float (&c)[4]) {
  const int g = lane_of_warp() / 4;
#pragma unroll
  for (int q = 0; q < 2; ++q) {
    stage[g][column + q] = Split ? c[q] + c[2 + q] : c[q];
    if constexpr (Rows == 2 * eight) stage[g + eight][column + q] = c[2 + q];
  }
}

/// Writes the sums of lane 4 g + t, rays g and g + 8 and rows 2 t, 2 t + 1 of the eights of
/// fragment f, to a warp's stage.
template <int Rows, bool Split, int Eights>
__device__ void stage_pair(float (&stage)[Rows][2 * tile_rays + 1], int f,
                           const float (&c)[Eights][4]) {
  const int g = lane_of_warp() / 4, t = lane_of_warp() % 4;
  constexpr bool two = Rows == 2 * eight;
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    const int row = 2 * t + q % 2, ray = g + q / 2 * tile_rays;
    stage[row][ray] = Split ? c[2 * f][q] + c[Split ? 2 * f + 1 : 0][q] : c[2 * f][q];
    if constexpr (two) stage[row + eight][ray] = c[2 * f + 1][q];
  }
}

/// Computes W V. A warp has a part of a group's entries and one pair of tiles.
template <int Eights, bool Split, class Out, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps)
    images_forward(TileIndex index, const void* __restrict__ operand, int passes,
                   const unsigned char* __restrict__ met, Out to) {
  using Rows = FragmentRows<Eights, Split>;
  constexpr int of_pair = Shape::shares / 2;
  static_assert(of_pair > 0);
  union Space {
    PairList list;
    float stage[Rows::count][2 * tile_rays + 1];
  };
  __shared__ __align__(16) Space space[Shape::warps];
  const ImageTask<Shape> task(index.groups);
  const int lane = lane_of_warp();
  const bool there = task.there && (met == nullptr || met[task.item] != 0);
  float c[1][Eights][4] = {};
  if (there) {
    const std::int64_t from = index.group_start[task.item], end = index.group_start[task.item + 1];
    const EvenShare part(from, end, task.share % of_pair, of_pair);
    int before = 0;  // tiles of the parts before
    for (std::int64_t e = from + lane; e < part.begin; e += 32)
      before += __popc(index.entry[e] >> 28U);
    const unsigned next = index.group_tile[task.item] + static_cast<unsigned>(warp_sum(before));
    sum_group<Eights, Split, Shape::at_once(Eights)>(index, operand, part.begin, part.end, next,
                                                     task.share / of_pair, Eights * passes,
                                                     task.pass * Eights, space[task.warp].list, c);
  }
  const int team = task.warp - task.share + lane / (2 * tile_rays) * of_pair;
  const std::int64_t position = std::int64_t{task.item} * group_rays + lane;
  const int ray = there ? index.ray_at[position] : -1;
  const auto at = to.place(ray < 0 ? 0 : ray);
#pragma unroll
  for (int f = 0; f < fragments_of(Eights); ++f) {
    __syncthreads();
    stage_pair<Rows::count, Split>(space[task.warp].stage, f, c[0]);
    __syncthreads();
    if (ray < 0) continue;
    for (int row = task.share; row < Rows::count; row += Shape::shares) {
      float sum = 0;
#pragma unroll
      for (int other = 0; other < of_pair; ++other)
        sum += space[team + other].stage[row][lane % (2 * tile_rays)];
      to.store(position, at, Rows::first(task.pass, f) + row, sum);
    }
  }
}

/// Writes a patch's sums to a warp's stage: column 2 t of the fragments is pixel 4 t (n = 0) or 4 t
/// + 2 (n = 1).
template <int Rows, bool Split, int F>
__device__ void stage_patch(float (&stage)[Rows][patch_pixels + 1], int f,
                            const float (&c)[2][F][4]) {
  const int t = lane_of_warp() % 4;
#pragma unroll
  for (int n = 0; n < 2; ++n) stage_sums<Rows, Split>(stage, 4 * t + 2 * n, c[n][f]);
}

/// Computes W^T V. A warp has a part of a patch's entries.
template <int Eights, bool Split, class Out, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps)
    images_back(TileIndex index, const void* __restrict__ operand, int passes,
                const unsigned char* __restrict__ met, Out to) {
  using Rows = FragmentRows<Eights, Split>;
  union Space {
    TileList list;
    float stage[Rows::count][patch_pixels + 1];
  };
  __shared__ __align__(16) Space space[Shape::warps];
  const ImageTask<Shape> task(index.patches);
  float c[2][fragments_of(Eights)][4] = {};
  if (task.there) {
    const EvenShare part(index.patch_start[task.item], index.patch_start[task.item + 1], task.share,
                         Shape::shares);
    sum_patch<Eights, Split, Shape::at_once(Eights)>(index, operand, part.begin, part.end, met,
                                                     Eights * passes, task.pass * Eights,
                                                     space[task.warp].list, c);
  }
  const int lane = lane_of_warp(), team = task.warp - task.share, pixel = lane % patch_pixels;
  const std::int64_t position = std::int64_t{task.item} * patch_pixels + pixel;
  const int j = task.there ? index.pixel_at[position] : -1;
  const auto at = to.place(j < 0 ? 0 : j);
#pragma unroll
  for (int f = 0; f < fragments_of(Eights); ++f) {
    __syncthreads();
    stage_patch<Rows::count, Split>(space[task.warp].stage, f, c);
    __syncthreads();
    if (j < 0) continue;
    for (int row = 2 * task.share + lane / patch_pixels; row < Rows::count;
         row += 2 * Shape::shares) {
      float sum = 0;
#pragma unroll
      for (int other = 0; other < Shape::shares; ++other)
        sum += space[team + other].stage[row][pixel];
      to.store(position, at, Rows::first(task.pass, f) + row, sum);
    }
  }
}

/// Computes W^T V and folds it, where every element maps patches to patches: a block has a whole
/// orbit, a warp per patch, so that all sums to be added up lie in its shared memory.
template <int Eights, bool Split, int AtOnce>
__global__ void __launch_bounds__(bsr_half_symmetric::orbit_threads)
    orbits_back(TileIndex index, PatchOrbits orbits, const void* __restrict__ operand, int passes,
                const unsigned char* __restrict__ met, SymmetricPixels side, SliceScales scales,
                float* __restrict__ out) {
  using Rows = FragmentRows<Eights, Split>;
  union Space {
    TileList list;
    float stage[Rows::count][patch_pixels + 1];
  };
  __shared__ __align__(16) Space space[most_elements];
  __shared__ int patch[most_elements];
  const int orbit = static_cast<int>(blockIdx.x) % orbits.count,
            pass = static_cast<int>(blockIdx.x) / orbits.count,
            warp = static_cast<int>(threadIdx.x / 32), mine = orbits.patch[orbit * 8 + warp];
  if (lane_of_warp() == 0) patch[warp] = mine;
  float c[2][fragments_of(Eights)][4] = {};
  if (mine >= 0)
    sum_patch<Eights, Split, AtOnce>(index, operand, index.patch_start[mine],
                                     index.patch_start[mine + 1], met, Eights * passes,
                                     pass * Eights, space[warp].list, c);
  const int pixel = static_cast<int>(threadIdx.x) % patch_pixels,
            which = static_cast<int>(threadIdx.x) / patch_pixels % most_elements,
            of_rows = static_cast<int>(threadIdx.x) / (patch_pixels * most_elements);
  // Offset of this pixel's sums in the block's shared memory, for each element: patch in the orbit
  // and pixel in the patch.
  __syncthreads();
  const int j = patch[which] >= 0 ? index.pixel_at[patch[which] * patch_pixels + pixel] : -1;
  const auto at = side.place(j < 0 ? 0 : j);
  int from[most_elements];
#pragma unroll
  for (int e = 0; e < most_elements; ++e) {
    from[e] = 0;
    if (j < 0 || e >= side.images.elements()) continue;
    const int position = orbits.position_of[side.index(side.image(side.images.inverse[e], at))];
    int slot = 0;
#pragma unroll
    for (int s = 1; s < most_elements; ++s)
      if (patch[s] == position / patch_pixels) slot = s;
    from[e] = slot * static_cast<int>(sizeof(Space) / sizeof(float)) + position % patch_pixels;
  }
#pragma unroll
  for (int f = 0; f < fragments_of(Eights); ++f) {
    if (f > 0) __syncthreads();
    stage_patch<Rows::count, Split>(space[warp].stage, f, c);
    __syncthreads();
    if (j < 0) continue;
    const int of_fragment = Rows::count >> side.images.shift,
              first = side.images.slice(Rows::first(pass, f));
    for (int s = of_rows; s < of_fragment; s += 2) {
      if (first + s >= side.layout.slices) break;
      float sum = 0;
#pragma unroll
      for (int e = 0; e < most_elements; ++e)
        if (e < side.images.elements())
          sum += space[0].stage[0][from[e] + ((s << side.images.shift) + e) * (patch_pixels + 1)];
      out[side.address(at, first + s)] = sum * scales.of(first + s);
    }
  }
}

}  // namespace gantry::device
