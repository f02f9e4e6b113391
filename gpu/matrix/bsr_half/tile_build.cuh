#pragma once

// Kernels that cut the rows of a matrix into tiles. A thread block owns a group of 32 rays and goes
// through the patches in portions of 16384, in the order of PatchWalk ("step" of a patch). For each
// portion, bit maps in shared memory (TilePortion) say for each of the group's four tiles of rays
// which patches the rays meet.
//
//   thread block b:  group b
//   warp w:          rays w, w + 8, w + 16, w + 24 of the group; lanes take nonzeros l, l + 32, ...
//   thread t:        words 2 t, 2 t + 1 of the bit maps when entries and tiles are counted
//                    (find_portion), words t, t + 256 when entries are written (fill_tiles)
//
//   shared memory:   met[4][512]   bit p of met[k]: tile k of the group meets patch p
//                    entries[512], tiles[512]   number of entries and tiles before each word
//
// The kernels after fill_tiles have a thread per entry (or group) and no shared memory.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half/slice_halves.cuh"
#include "gpu/matrix/bsr_half/tile_model.hpp"
#include "gpu/matrix/bsr_half/tuning.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"

namespace gantry::device {

using bsr_half::build_threads, bsr_half::portion_words, bsr_half::portion_patches;

/// Matrix rows in natural order, and the positions of their rays and pixels.
struct TileSource {
  SparseRows rows;
  const int* row_at;    ///< [32 group + i] row, or -1
  const int* position;  ///< [by rows][pixel] 16 times step of its patch + pixel in it, or -1
  const int* patch_at;  ///< [by rows][step] patch
  const unsigned char* by_rows;  ///< [group]
  int pixels, patches, block_rays;
  float scale;  ///< factor of the weights

  __device__ const int* positions(int group) const {
    return position + by_rows[group] * std::int64_t{pixels};
  }
  __device__ int patch(int group, int turn) const {
    return patch_at[by_rows[group] * std::int64_t{patches} + turn];
  }
};

/// The index and tiles that the kernels write.
struct TileTarget {
  std::int64_t *entries, *tiles;  ///< [group] counts, later starts
  unsigned *entry, *first_tile, *group_of;
  __half* weight;  ///< initialised to 0
  unsigned long long* nonzeros;
};

/// The tiles that rays meet in a portion of the patches, in the order of steps, and the number of
/// entries and of tiles before each word.
struct TilePortion {
  unsigned met[group_tiles][portion_words];
  int entries[portion_words], tiles[portion_words];

  __device__ unsigned any(int word) const {
    return met[0][word] | met[1][word] | met[2][word] | met[3][word];
  }
  __device__ int tiles_below(int word, unsigned mask) const {
    int count = 0;
#pragma unroll
    for (int k = 0; k < group_tiles; ++k) count += __popc(met[k][word] & mask);
    return count;
  }
  /// Returns the index, within the portion, of the tile of patch `patch` and of the k-th tile of
  /// rays.
  __device__ int place(int patch, int k) const {
    const int word = patch / 32;
    int place = tiles[word] + tiles_below(word, (1U << patch % 32) - 1);
    for (int other = 0; other < k; ++other)
      place += static_cast<int>(met[other][word] >> patch % 32 & 1U);
    return place;
  }
};

/// Calls visit(ray of the group, patch of the portion, pixel of the patch, weight) for the nonzeros
/// of a group in a portion.
template <class Visit>
__device__ void visit_portion(const TileSource& from, int group, int first_patch,
                              const Visit& visit) {
  const int* const positions = from.positions(group);
  for (int i = static_cast<int>(threadIdx.x / 32); i < group_rays; i += build_threads / 32) {
    const int row = from.row_at[std::int64_t{group} * group_rays + i];
    if (row < 0) continue;
    for (std::int64_t p = from.rows.start[row] + lane_of_warp(); p < from.rows.start[row + 1];
         p += 32) {
      const int position = positions[from.rows.index[p]],
                patch = position / patch_pixels - first_patch;
      if (position >= 0 && patch >= 0 && patch < portion_patches)
        visit(i, patch, position % patch_pixels, from.rows.weight[p]);
    }
  }
}

/// Sets the bits of the tiles with nonzeros, completes blocks of 16 or 32 rays, and counts. Returns
/// the numbers of entries (x) and tiles (y) of the portion.
__device__ inline int2 find_portion(const TileSource& from, int group, int first_patch,
                                    TilePortion& portion) {
  __shared__ int sums[2][build_threads / 32];
  for (int i = static_cast<int>(threadIdx.x); i < group_tiles * portion_words; i += build_threads)
    portion.met[i / portion_words][i % portion_words] = 0;
  __syncthreads();
  visit_portion(from, group, first_patch, [&](int ray, int patch, int, float) {
    atomicOr(&portion.met[ray / tile_rays][patch / 32], 1U << patch % 32);
  });
  __syncthreads();
  constexpr int each = portion_words / build_threads;
  const int first = static_cast<int>(threadIdx.x) * each;
  int entries = 0, tiles = 0;
  for (int word = first; word < first + each; ++word) {
    unsigned m[group_tiles];
    for (int k = 0; k < group_tiles; ++k) m[k] = portion.met[k][word];
    if (from.block_rays >= 16) m[0] = m[1] = m[0] | m[1], m[2] = m[3] = m[2] | m[3];
    if (from.block_rays >= 32) m[0] = m[1] = m[2] = m[3] = m[0] | m[2];
    for (int k = 0; k < group_tiles; ++k) portion.met[k][word] = m[k];
    portion.entries[word] = entries;
    portion.tiles[word] = tiles;
    entries += __popc(portion.any(word));
    tiles += portion.tiles_below(word, ~0U);
  }
  const int upto_entries = warp_prefix(entries), upto_tiles = warp_prefix(tiles),
            warp = static_cast<int>(threadIdx.x / 32);
  if (lane_of_warp() == 31) sums[0][warp] = upto_entries, sums[1][warp] = upto_tiles;
  __syncthreads();
  int2 before{0, 0}, all{0, 0};
  for (int other = 0; other < build_threads / 32; ++other) {
    if (other < warp) before.x += sums[0][other], before.y += sums[1][other];
    all.x += sums[0][other], all.y += sums[1][other];
  }
  for (int word = first; word < first + each; ++word) {
    portion.entries[word] += before.x + upto_entries - entries;
    portion.tiles[word] += before.y + upto_tiles - tiles;
  }
  __syncthreads();
  return all;
}

/// Counts the entries and tiles of each group. A thread block per group.
__global__ void __launch_bounds__(build_threads) count_tiles(TileSource from, TileTarget to) {
  __shared__ TilePortion portion;
  const int group = static_cast<int>(blockIdx.x);
  std::int64_t entries = 0, tiles = 0;
  for (int first = 0; first < from.patches; first += portion_patches) {
    const int2 found = find_portion(from, group, first, portion);
    entries += found.x, tiles += found.y;
    __syncthreads();
  }
  if (threadIdx.x == 0) to.entries[group] = entries, to.tiles[group] = tiles;
}

/// Writes entries, first tiles and weights of each group; a stored nonzero is never 0. A thread
/// block per group.
__global__ void __launch_bounds__(build_threads) fill_tiles(TileSource from, TileTarget to) {
  __shared__ TilePortion portion;
  const int group = static_cast<int>(blockIdx.x);
  std::int64_t entry = to.entries[group], tile = to.tiles[group];
  int nonzeros = 0;
  for (int first = 0; first < from.patches; first += portion_patches) {
    const int2 found = find_portion(from, group, first, portion);
    for (int word = static_cast<int>(threadIdx.x); word < portion_words; word += build_threads) {
      std::int64_t at = entry + portion.entries[word];
      for (unsigned left = portion.any(word); left != 0; left &= left - 1, ++at) {
        const int bit = __ffs(static_cast<int>(left)) - 1;
        unsigned tiles = 0;
        for (int k = 0; k < group_tiles; ++k) tiles |= (portion.met[k][word] >> bit & 1U) << k;
        to.entry[at] =
            static_cast<unsigned>(from.patch(group, first + word * 32 + bit)) | tiles << 28U;
        to.first_tile[at] = static_cast<unsigned>(tile + portion.place(word * 32 + bit, 0));
        to.group_of[at] = static_cast<unsigned>(group);
      }
    }
    visit_portion(from, group, first, [&](int ray, int patch, int pixel, float weight) {
      const std::int64_t of = tile + portion.place(patch, ray / tile_rays);
      to.weight[(of * tile_rays + ray % tile_rays) * patch_pixels + pixel] =
          half_weight(weight * from.scale);
      ++nonzeros;
    });
    entry += found.x, tile += found.y;
    __syncthreads();
  }
  nonzeros = warp_sum(nonzeros);
  if (lane_of_warp() == 0) atomicAdd(to.nonzeros, static_cast<unsigned long long>(nonzeros));
}

// patch[i] = patch of entry i, number[i] = i, as keys and values of a sort. A thread per entry.
__global__ void patches_of_entries(const unsigned* __restrict__ entry, std::int64_t count,
                                   int* __restrict__ patch, unsigned* __restrict__ number) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= count) return;
  patch[i] = static_cast<int>(entry[i] & patch_mask);
  number[i] = static_cast<unsigned>(i);
}

/// Writes the entries sorted by patch: (group and tile bits, first tile). A thread per entry.
__global__ void order_entries(TileTarget made, const unsigned* __restrict__ number,
                              std::int64_t count, uint2* __restrict__ ordered) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= count) return;
  const unsigned e = number[i];
  ordered[i] = make_uint2(made.group_of[e] | (made.entry[e] & ~patch_mask), made.first_tile[e]);
}

// narrow[i] = start[i] in 32 bits. A thread per start.
__global__ void narrow_starts(const std::int64_t* __restrict__ start, int count,
                              unsigned* __restrict__ narrow) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) narrow[i] = static_cast<unsigned>(start[i]);
}

}  // namespace gantry::device
