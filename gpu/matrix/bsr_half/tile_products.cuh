#pragma once

// Products with W in tiles by mma.sync (tile_mma.cuh). D has slices as rows, and rays (W x) or
// pixels (W^T y) as columns, so that a tile is fragment B and sums are as narrow as a tile: a tile
// that is not stored costs no memory.
//
//   tiles_forward   warp: group of 32 rays x 16 SliceTiles slices; for each entry (patch) and tile
//                   k = 0 .. 3:      D[16 slices x 8 rays] += x^T[16 slices x 16 pixels] tile k
//   tiles_back      warp: patch of 16 pixels x 16 SliceTiles slices; for each two tiles and pixels
//                   0 .. 7, 8 .. 15: D[16 slices x 8 pixels] += y^T[16 slices x 16 rays] tiles
//
//   block of Warps warps, pass = blockIdx.x % passes (slices 16 SliceTiles pass ..):
//     Shares = 1:   warp 0: item i   warp 1: item i + 1   ...       (item: group or patch)
//     Shares = 4:   warps 0 .. 3: parts 0 .. 3 of the entries of item i, added up in this order
//
//   shared memory per warp: the queue of tiles (tile_queue.cuh), later the sums out[slice][column]
//
// No sum depends on the timing of threads. The warps of a block have neighbouring groups or patches
// and go through their entries in the same direction and pace, so that operands are found in the
// cache of the multiprocessor.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half/portion_sums.cuh"
#include "gpu/matrix/bsr_half/tile_mma.cuh"
#include "gpu/matrix/bsr_half/tile_model.hpp"
#include "gpu/matrix/bsr_half/tile_queue.cuh"
#include "gpu/matrix/rows/row_selection.hpp"

namespace gantry::device {

/// Shape of a launch: warps per block, parts (shares) into which the entries of an item are
/// divided, blocks per multiprocessor, and steps by which tiles are fetched ahead.
template <int Warps, int Shares, int Blocks = 1, int Steps = 2>
struct TileShape {
  static constexpr int warps = Warps, shares = Shares, blocks = Blocks, steps = Steps;

  /// Synchronises the warps of an item, before and after they read each other's sums.
  static __device__ void sync_item() {
    if constexpr (Shares > 1)
      __syncthreads();
    else
      __syncwarp();
  }
};

struct TileSums {
  const int* bits;  ///< magnitudes of the operand's slices
  float unit;       ///< unit of the weights
  SliceLayout layout;
  float* out;

  __device__ float scale(int slice) const {
    return slice < layout.slices ? unit / half_scale(__int_as_float(bits[slice])) : 0;
  }
};

/// Part `share` of `shares` of a range, in whole portions of 32 except for the last.
struct EntryShare {
  std::int64_t begin, end;

  __device__ EntryShare(std::int64_t from, std::int64_t to, int share, int shares) {
    const std::int64_t portions = (to - from + 31) / 32;
    begin = from + portions * share / shares * 32;
    end = from + portions * (share + 1) / shares * 32;
    if (end > to) end = to;
  }
};

/// Returns the number of tiles of entries first .. last - 1 of a group, for a whole warp.
__device__ inline unsigned tiles_between(const TileIndex& index, std::int64_t first,
                                         std::int64_t last) {
  int tiles = 0;
  for (std::int64_t e = first + lane_of_warp(); e < last; e += 32)
    tiles += __popc(index.entry[e] >> 28U);
  return static_cast<unsigned>(warp_sum(tiles));
}

/// The work of a warp: a part of an item (group or patch), for one pass over the slices. The passes
/// of an item are neighbouring blocks, which read its tiles at about the same time.
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

/// Entries of a group whose tiles are being fetched, and the tiles themselves: each in the slot of
/// its index among the four, with zeros where no tile is stored.
template <int Slots>
struct GroupQueue {
  static constexpr unsigned length = 64;
  TileSlot slot[Slots][group_tiles];
  uint4 tile[length];  ///< indices of the four tiles in the matrix
  unsigned patch[length];

  /// Appends 32 entries, one per lane, at index `at`. `next` is the first tile of these entries,
  /// and becomes that of the following ones.
  __device__ void put(unsigned at, unsigned entry, unsigned& next) {
    const unsigned bits = entry >> 28U;
    const int tiles = __popc(bits), upto = warp_prefix(tiles);
    unsigned one = next + static_cast<unsigned>(upto - tiles);
    next += static_cast<unsigned>(__shfl_sync(whole_warp, upto, 31));
    uint4 numbers;
    numbers.x = (bits & 1U) != 0 ? one++ : no_tile;
    numbers.y = (bits & 2U) != 0 ? one++ : no_tile;
    numbers.z = (bits & 4U) != 0 ? one++ : no_tile;
    numbers.w = (bits & 8U) != 0 ? one : no_tile;
    tile[at % length + lane_of_warp()] = numbers;
    patch[at % length + lane_of_warp()] = entry & patch_mask;
  }
  /// Fetches the tiles of entries `place`, `place` + 1, ... into as many slots from `to` on.
  template <int Entries>
  __device__ void fetch(const TileCopies& copies, unsigned place, int to) {
    const int lane = lane_of_warp();
    const auto* numbers = reinterpret_cast<const unsigned*>(tile + place) + lane / 16;
    unsigned number[2 * Entries];
#pragma unroll
    for (int i = 0; i < 2 * Entries; ++i) number[i] = numbers[2 * i];
#pragma unroll
    for (int i = 0; i < 2 * Entries; ++i)
      copies.copy(&slot[to + i / 2][i % 2 * 2 + lane / 16][lane % 16], number[i]);
    end_step();
  }
};

/// Shared memory of one warp.
template <class Shape>
union ForwardSharedMemory {
  GroupQueue<2 * Shape::steps> queue;
  float out[slice_tile][33];
};

/// Writes y of the rays of a group: each lane writes that of its ray (-1: none).
template <int SliceTiles, class Shape>
__device__ void write_rays(const float (&c)[group_tiles][SliceTiles][4],
                           ForwardSharedMemory<Shape>* space, const TileTask<Shape>& task, int ray,
                           const TileSums& sums) {
  const int lane = lane_of_warp(), g = lane / 4, t = lane % 4;
  // The sums of all parts, a slice tile at a time; each warp of an item adds up and writes some of
  // the slices.
  const int team = task.warp - task.share;
#pragma unroll
  for (int s = 0; s < SliceTiles; ++s) {
    Shape::sync_item();
#pragma unroll
    for (int k = 0; k < group_tiles; ++k)
#pragma unroll
      for (int q = 0; q < 4; ++q)
        space[task.warp].out[g + q / 2 * 8][k * tile_rays + 2 * t + q % 2] = c[k][s][q];
    Shape::sync_item();
    const int first = (task.pass * SliceTiles + s) * slice_tile;
    const float scale = sums.scale(first + lane % slice_tile);
    for (int row = task.share; row < slice_tile; row += Shape::shares) {
      const int slice = first + row;
      const float scale_of_row = __shfl_sync(whole_warp, scale, row);
      if (ray < 0 || slice >= sums.layout.slices) continue;
      float sum = 0;
#pragma unroll
      for (int other = 0; other < Shape::shares; ++other) sum += space[team + other].out[row][lane];
      sums.out[sums.layout.ray(ray, slice)] = sum * scale_of_row;
    }
  }
}

/// Computes y = W x for 16 SliceTiles slices per pass; with two parts, x has as many slice tiles of
/// each part.
template <int SliceTiles, int Parts, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps, Shape::blocks)
    tiles_forward(TileIndex index, const uint4* __restrict__ operand, int passes, ViewRange views,
                  bool filtered, TileSums sums) {
  constexpr int at_once = SliceTiles * Parts <= 2 ? 2 : 1, slots = Shape::steps * 2,
                steps = slots / at_once;
  using Space = ForwardSharedMemory<Shape>;
  extern __shared__ uint4 shared_memory[];
  auto* const space = reinterpret_cast<Space*>(shared_memory);
  const TileTask<Shape> task(index.groups, passes);
  GroupQueue<slots>& queue = space[task.warp].queue;
  const int lane = lane_of_warp();
  const auto tiles = static_cast<unsigned>(passes * SliceTiles);
  const int ray = task.there ? index.ray_at[std::int64_t{task.item} * group_rays + lane] : -1;
  const bool wanted = ray >= 0 && (!filtered || views.has(ray));
  float c[group_tiles][SliceTiles][4] = {};
  PortionSums<group_tiles * SliceTiles * 4, Parts == 2> whole;
  if (task.there && (!filtered || __any_sync(whole_warp, wanted))) {
    const std::int64_t from = index.group_start[task.item], to = index.group_start[task.item + 1];
    const EntryShare part(from, to, task.share, Shape::shares);
    unsigned next = index.group_tile[task.item];
    if (Shape::shares > 1) next += tiles_between(index, from, part.begin);
    const auto load = [&](std::int64_t first) {
      return first + lane < part.end ? __ldcs(index.entry + first + lane) : 0;
    };
    const TileCopies copies(index);
    const char* x_of_lane =
        reinterpret_cast<const char*>(operand + task.pass * SliceTiles * 32 + lane);
    const unsigned patch_bytes = tiles * (Parts * 32 * sizeof(uint4));
    queue.put(0, load(part.begin), next);
    unsigned ahead = load(part.begin + 32);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < slots; i += at_once) queue.template fetch<at_once>(copies, i, i);
    const auto count = static_cast<unsigned>(part.end - part.begin);
    for (unsigned first = 0; first < count; first += 32) {
      queue.put(first + 32, ahead, next);
      ahead = load(part.begin + first + 64);
      __syncwarp();
      const unsigned stop = min(count, first + 32);
      for (unsigned i = first; i < stop; i += slots) {  // entries after the last have no tiles
        const unsigned* patch = queue.patch + i % queue.length;
        const unsigned behind = (i + slots) % queue.length;
#pragma unroll
        for (int step = 0; step < slots; step += at_once) {
          uint4 x[at_once][Parts][SliceTiles];
#pragma unroll
          for (int u = 0; u < at_once; ++u) {
            const auto* from_patch = reinterpret_cast<const uint4*>(
                x_of_lane + std::size_t{patch[step + u]} * patch_bytes);
#pragma unroll
            for (int p = 0; p < Parts; ++p)
#pragma unroll
              for (int s = 0; s < SliceTiles; ++s)
                x[u][p][s] = __ldg(from_patch + (p * tiles + s) * 32);
          }
          wait_steps<steps - 1>();
#pragma unroll
          for (int u = 0; u < at_once; ++u)
#pragma unroll
            for (int k = 0; k < group_tiles; ++k) {
              const uint2 w = reinterpret_cast<const uint2*>(queue.slot[step + u][k])[lane];
#pragma unroll
              for (int s = 0; s < SliceTiles; ++s)
#pragma unroll
                for (int p = 0; p < Parts; ++p)
                  mma_16x8x16(c[k][s], x[u][p][s].x, x[u][p][s].y, x[u][p][s].z, x[u][p][s].w, w.x,
                              w.y);
            }
          __syncwarp();
          queue.template fetch<at_once>(copies, behind + step, step);
        }
      }
      whole.template take<SliceTiles>(c);
    }
    wait_steps<0>();
  }
  whole.template put<SliceTiles>(c);
  write_rays(c, space, task, wanted ? ray : -1, sums);
}

/// The tiles of a patch, one after the other irrespective of their entries: any two tiles make the
/// 16 rays that one instruction sums over.
template <int Steps>
struct PatchQueue {
  static constexpr int steps = Steps, step_tiles = 4,
                       entries = 16;  ///< entries that are expanded to tiles at a time
  static constexpr unsigned ahead = steps * step_tiles, length = 128;
  TileSlot slot[steps][step_tiles];
  unsigned tile[length], rays[length];  ///< indices of the tiles in the matrix, and among all tiles
                                        ///< of rays

  __device__ void fetch(const TileCopies& copies, unsigned place, int step) {
    const int lane = lane_of_warp();
    unsigned number[step_tiles / 2];
#pragma unroll
    for (int i = 0; i < step_tiles / 2; ++i) number[i] = tile[place + 2 * i + lane / 16];
#pragma unroll
    for (int i = 0; i < step_tiles / 2; ++i)
      copies.copy(&slot[step][2 * i + lane / 16][transposed_chunk(lane % 16)], number[i]);
    end_step();
  }
};

/// The entries of a patch, which append() expands to tiles of a queue.
template <class Queue>
struct PatchEntries {
  const uint2* entry;
  int count;
  const unsigned char* met;  ///< [group] 0: the group has no ray in the subset; null: all have
  int next = 0;
  unsigned made = 0;
  uint2 mine = make_uint2(0, 0);

  __device__ void load() {
    const int lane = lane_of_warp(), i = next + lane;
    mine = lane < Queue::entries && i < count ? __ldcs(entry + i) : make_uint2(0, 0);
    next += Queue::entries;
  }
  __device__ bool left() const { return next - Queue::entries < count; }
  __device__ void append(Queue& queue) {
    unsigned tiles = mine.x >> 28U;
    const unsigned group = mine.x & patch_mask;
    if (tiles != 0 && met != nullptr && met[group] == 0) tiles = 0;
    const int upto = warp_prefix(__popc(tiles));
    unsigned at = made + static_cast<unsigned>(upto - __popc(tiles));
    unsigned one = mine.y;
#pragma unroll
    for (unsigned k = 0; k < group_tiles; ++k)
      if ((tiles >> k & 1U) != 0) {
        queue.tile[at % Queue::length] = one++;
        queue.rays[at++ % Queue::length] = group * group_tiles + k;
      }
    made += static_cast<unsigned>(__shfl_sync(whole_warp, upto, 31));
    load();
  }
  /// Appends empty tiles after the last one.
  __device__ void append_none(Queue& queue) const {
    const unsigned lane = threadIdx.x % 32, at = (made + lane) % Queue::length;
    if (lane < 2 * Queue::ahead) queue.tile[at] = no_tile, queue.rays[at] = 0;
  }
};

constexpr int pixel_tiles = 2;  // fragments of 8 pixels

template <class Shape>
union BackSharedMemory {
  PatchQueue<Shape::steps> queue;
  float out[slice_tile][patch_pixels + 1];
};

/// Writes x of the pixels of a patch: half of the lanes write those of one slice, the others those
/// of the next slice.
template <int SliceTiles, class Shape>
__device__ void write_pixels(const float (&c)[pixel_tiles][SliceTiles][4],
                             BackSharedMemory<Shape>* space, const TileTask<Shape>& task,
                             const TileIndex& index, const TileSums& sums) {
  const int lane = lane_of_warp(), g = lane / 4, t = lane % 4, pixel = lane % patch_pixels,
            team = task.warp - task.share;
  const int at = task.there ? index.pixel_at[std::int64_t{task.item} * patch_pixels + pixel] : -1;
#pragma unroll
  for (int s = 0; s < SliceTiles; ++s) {
    Shape::sync_item();
#pragma unroll
    for (int n = 0; n < pixel_tiles; ++n)
#pragma unroll
      for (int q = 0; q < 4; ++q)
        space[task.warp].out[g + q / 2 * 8][8 * n + 2 * t + q % 2] = c[n][s][q];
    Shape::sync_item();
    const int first_slice = (task.pass * SliceTiles + s) * slice_tile;
    const float scale = sums.scale(first_slice + lane % slice_tile);
    for (int rows = 2 * task.share; rows < slice_tile; rows += 2 * Shape::shares) {
      const int row = rows + lane / patch_pixels, slice = first_slice + row;
      const float scale_of_row = __shfl_sync(whole_warp, scale, row);
      if (at < 0 || slice >= sums.layout.slices) continue;
      float sum = 0;
#pragma unroll
      for (int other = 0; other < Shape::shares; ++other)
        sum += space[team + other].out[row][pixel];
      sums.out[sums.layout.pixel(at, slice)] = sum * scale_of_row;
    }
  }
}

/// Computes x = W^T y for 16 SliceTiles slices per pass. `met` marks the groups with rays in the
/// subset; null: all.
template <int SliceTiles, int Parts, class Shape>
__global__ void __launch_bounds__(32 * Shape::warps, Shape::blocks)
    tiles_back(TileIndex index, const uint2* __restrict__ operand, int passes,
               const unsigned char* __restrict__ met, TileSums sums) {
  using Queue = PatchQueue<Shape::steps>;
  using Space = BackSharedMemory<Shape>;
  extern __shared__ uint4 shared_memory[];
  auto* const space = reinterpret_cast<Space*>(shared_memory);
  const TileTask<Shape> task(index.patches, passes);
  Queue& queue = space[task.warp].queue;
  const int lane = lane_of_warp();
  const auto tiles = static_cast<unsigned>(passes * SliceTiles);
  const char* y_of_lane =
      reinterpret_cast<const char*>(operand + task.pass * SliceTiles * 32 + lane);
  float c[pixel_tiles][SliceTiles][4] = {};
  PortionSums<pixel_tiles * SliceTiles * 4, Parts == 2> whole;
  if (task.there) {
    const EntryShare part(index.patch_start[task.item], index.patch_start[task.item + 1],
                          task.share, Shape::shares);
    PatchEntries<Queue> entries{index.patch_entry + part.begin,
                                static_cast<int>(part.end - part.begin), met};
    entries.load();
    const TileCopies copies(index);
    const unsigned ray_bytes = tiles * (Parts * 32 * sizeof(uint2));
    unsigned used = 0;
    for (bool more = true, begun = false; more; begun = true) {
      while (entries.left() && entries.made - used < 2 * Queue::ahead) entries.append(queue);
      more = entries.left();
      if (!more) entries.append_none(queue);
      __syncwarp();
#pragma unroll
      for (int step = 0; step < Queue::steps; ++step)
        if (!begun) queue.fetch(copies, step * Queue::step_tiles, step);
      const unsigned stop = more ? entries.made - 2 * Queue::ahead + 1 : entries.made;
      for (; used < stop; used += Queue::ahead) {
        const unsigned place = used % Queue::length, behind = (used + Queue::ahead) % Queue::length;
#pragma unroll
        for (int step = 0; step < Queue::steps; ++step) {
          const unsigned* rays = queue.rays + place + step * Queue::step_tiles;
          uint2 y[Queue::step_tiles][Parts][SliceTiles];
#pragma unroll
          for (int k = 0; k < Queue::step_tiles; ++k) {
            const auto* from_rays =
                reinterpret_cast<const uint2*>(y_of_lane + std::size_t{rays[k]} * ray_bytes);
#pragma unroll
            for (int p = 0; p < Parts; ++p)
#pragma unroll
              for (int s = 0; s < SliceTiles; ++s)
                y[k][p][s] = __ldg(from_rays + (p * tiles + s) * 32);
          }
          wait_steps<Queue::steps - 1>();
#pragma unroll
          for (int k = 0; k < Queue::step_tiles; k += 2) {
            const uint4 w = load_transposed(queue.slot[step] + k);
#pragma unroll
            for (int s = 0; s < SliceTiles; ++s)
#pragma unroll
              for (int p = 0; p < Parts; ++p) {
                const uint2 low = y[k][p][s], high = y[k + 1][p][s];
                mma_16x8x16(c[0][s], low.x, low.y, high.x, high.y, w.x, w.z);
                mma_16x8x16(c[1][s], low.x, low.y, high.x, high.y, w.y, w.w);
              }
          }
          __syncwarp();
          queue.fetch(copies, behind + step * Queue::step_tiles, step);
        }
      }
      whole.template take<SliceTiles>(c);
    }
    wait_steps<0>();
  }
  whole.template put<SliceTiles>(c);
  write_pixels(c, space, task, index, sums);
}

}  // namespace gantry::device
