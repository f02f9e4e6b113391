#pragma once

// Products with the tiles of the stored views (scsr_tiles.cuh).
//
//   scsr_forward: a block of 512 threads for each (tile, part of its segments, slice of a stack)
//
//     shared memory   X[slot, g]: the pixels of the tile under all elements, and the spare slot
//
//     segments    s        s + 1    s + 2    s + 3  |  s + 4 ..       s + 63  |  s + 64 ..
//     octets      0        1        2        3      |  4 ..           63      |  0 ..
//                 ( warp 0                          |  warp 1 ..      warp 15 )
//     The 8 lanes of an octet read a segment (scsr_octets.cuh), each with sums of all elements.
//     When it ends, they exchange sums, and 8 / Count lanes each get the sum of one element, which
//     one of them writes to partial[segment, g].
//
//   gather_segments     a thread for each (stored ray, element): adds its segments' partial sums
//   scsr_spread_views   a warp for each ray of the subset: for each entry, x[g j] += w y
//   scsr_spread         a warp for each stored ray: for each entry, Z[j, g] += w Y[r, g], all g
//     In both, lanes look up 32 segments, then the warp goes through these one after the other:
//     lane l has entries l, l + 32, ...
//   find_widest, find_longest_row, count_views
//                       a thread for each pixel; stored ray; (tile, stored view)
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_scan.hpp"
#include "gpu/matrix/scsr/scsr_copies.cuh"
#include "gpu/matrix/scsr/scsr_octets.cuh"
#include "gpu/matrix/scsr/scsr_tiles.cuh"
#include "gpu/matrix/scsr/tuning.hpp"

namespace gantry::device {

/// Finds the largest number of rays of one view that can meet a pixel.
__global__ void __launch_bounds__(usual_threads)
    find_widest(RowScan scan, int* __restrict__ widest) {
  const int pixel = static_cast<int>(blockIdx.x * usual_threads + threadIdx.x);
  int rays = 0;
  if (pixel < scan.nx * scan.ny)
    for (int v = 0; v < scan.views; ++v) {
      const int x = pixel % scan.nx, y = pixel / scan.nx;
      const ColumnRange seen = scan.seen_by(v, x, x, y, y);
      rays = most(rays, seen.last - seen.first + 1);
    }
  rays = warp_max(rays);
  if (lane_of_warp() == 0) atomicMax(widest, rays);
}

/// Finds the number of entries of the longest stored ray.
__global__ void __launch_bounds__(usual_threads)
    find_longest_row(StoredTiles stored, int* __restrict__ longest) {
  const std::int64_t row = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (row >= std::int64_t{stored.views} * stored.columns) return;
  std::int64_t entries = 0;
  for (std::int64_t k = stored.row_start[row]; k < stored.row_start[row + 1]; ++k)
    entries += stored.length(stored.segment_of[k]);
  atomicMax(longest, static_cast<int>(entries));
}

/// Counts the nonzeros of each stored view.
__global__ void __launch_bounds__(usual_threads)
    count_views(StoredTiles stored, unsigned long long* __restrict__ count) {
  const std::int64_t at = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (at >= std::int64_t{stored.grid.tiles} * stored.views) return;
  unsigned long long entries = 0;
  for (std::int64_t segment = stored.first[at]; segment < stored.first[at + 1]; ++segment)
    entries += static_cast<unsigned long long>(stored.length(segment));
  if (entries > 0) atomicAdd(count + at % stored.views, entries);
}

/// Computes partial[segment, g], the sum of w X[j, g] over the entries of a segment. For several
/// slices of a stack, the blocks of a part follow each other, so that one of them reads its part of
/// the matrix from memory and the others from the L2 cache.
template <int Count, bool Half, int Threads>
__global__ void __launch_bounds__(Threads, scsr::forward_blocks<Half>)
    scsr_forward(StoredTiles stored, TileEntries<Half> entries, int parts, unsigned slices,
                 const typename Copies<Count, Half>::Word* __restrict__ image,
                 float* __restrict__ partial) {
  using Values = Copies<Count, Half>;
  extern __shared__ __align__(16) unsigned char memory[];
  auto* pixels = reinterpret_cast<typename Values::Word*>(memory);
  const TileGrid grid = stored.grid;
  const unsigned slice = blockIdx.x % slices;
  const int block = static_cast<int>(blockIdx.x / slices), tile = block / parts,
            part = block % parts;
  image += slice * static_cast<std::size_t>(grid.nx) * grid.ny * Values::planes;
  // In shared memory, because there are too few registers.
  __shared__ std::size_t of_slice;
  if (threadIdx.x == 0) of_slice = slice * static_cast<std::size_t>(stored.segments()) * Count;
  load_tile_pixels<Count, Half, Threads>(grid, tile, image, pixels);
  // Numbers of segments fit into 32 bits.
  const std::int64_t tile_first = stored.first[static_cast<std::int64_t>(tile) * stored.views],
                     tile_last = stored.first[static_cast<std::int64_t>(tile + 1) * stored.views];
  const auto first = static_cast<unsigned>(tile_first + (tile_last - tile_first) * part / parts),
             last =
                 static_cast<unsigned>(tile_first + (tile_last - tile_first) * (part + 1) / parts);
  constexpr int at_once = Threads / 8, lanes = 8 / Count;
  unsigned segment = first + threadIdx.x / 8;
  const auto octet = static_cast<unsigned>(lane_of_warp() / 8);
  OctetStream<Half> stream(stored, entries, segment, last, at_once);
  typename OctetStream<Half>::Chunk even, odd;
  stream.read(even);
  __syncthreads();

  float sums[Count] = {};
  const auto add = [&](const auto& now, auto& ahead) {
    stream.read(ahead);
    now.each([&](int place, float weight) {
      add_copies<Half>(weight, pixels, tile_slots<Half>, static_cast<std::size_t>(place), sums);
    });
    if (!now.ends) return;
    float ended[Count];
#pragma unroll
    for (int g = 0; g < Count; ++g) {
      ended[g] = sums[g];
      sums[g] = 0;
    }
    const float sum = warp_sums<Count, 8>(ended);
    if (segment < last && lane_of_warp() % lanes == 0)
      partial[*const_cast<volatile std::size_t*>(&of_slice) + std::size_t{segment} * Count +
              lane_of_warp() % 8 / lanes] = sum;
    segment += at_once;
  };
  while (segment - octet < last) {
    add(even, odd);
    add(odd, even);
  }
}

/// Computes y[g r] = unit * the sum of the segments of r, for the views of the subset. Blocks of
/// 256; grid's y is the slice of a stack.
template <int Count>
__global__ void __launch_bounds__(usual_threads)
    gather_segments(StoredTiles stored, StoredViewMaps maps, const float* __restrict__ partial,
                    StoredViewSubset subset, float unit, Scale scale, std::size_t view_pitch,
                    float* __restrict__ y) {
  const std::int64_t i = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  const std::int64_t row = i / Count;
  const int g = static_cast<int>(i % Count);
  if (row >= std::int64_t{stored.views} * stored.columns) return;
  const StoredView to = maps.image[row / stored.columns * 8 + g];
  if (to.view < 0 || !subset.has(to.view)) return;
  partial += blockIdx.y * static_cast<std::size_t>(stored.segments()) * Count;
  float sum = 0;
  for (std::int64_t k = stored.row_start[row]; k < stored.row_start[row + 1]; ++k)
    sum += partial[static_cast<std::size_t>(stored.segment_of[k]) * Count + g];
  const int c = static_cast<int>(row % stored.columns);
  y[to.view * view_pitch + blockIdx.y * static_cast<std::size_t>(stored.columns) +
    flipped(c, stored.columns, to.flip)] = sum * (unit * scale.of(blockIdx.y).back());
}

/// Calls visit(x, y, weight) for the entries of a stored ray, which the lanes of a warp divide
/// among themselves.
template <bool Half, class Visit>
__device__ void walk_row(const StoredTiles& stored, const TileEntries<Half>& entries,
                         std::int64_t row, const Visit& visit) {
  const TileGrid& grid = stored.grid;
  for (std::int64_t base = stored.row_start[row]; base < stored.row_start[row + 1]; base += 32) {
    // A lane looks up a segment, then all lanes go through its entries.
    const int count = static_cast<int>(min(stored.row_start[row + 1] - base, std::int64_t{32}));
    std::int64_t begin = 0, end = 0;
    int left = 0, bottom = 0;
    if (lane_of_warp() < count) {
      const std::int64_t segment = stored.segment_of[base + lane_of_warp()];
      const int tile = stored.tile_of(segment);
      begin = stored.begin(segment);
      end = begin + stored.length(segment);
      left = grid.left(tile);
      bottom = grid.bottom(tile);
    }
    for (int k = 0; k < count; ++k) {
      const std::int64_t from = __shfl_sync(whole_warp, begin, k),
                         to = __shfl_sync(whole_warp, end, k);
      const int x0 = __shfl_sync(whole_warp, left, k), y0 = __shfl_sync(whole_warp, bottom, k);
      for (std::int64_t p = from + lane_of_warp(); p < to; p += 32) {
        const auto entry = entries.stream(p);
        const int line = entry.place() / grid.pitch;
        visit(x0 + entry.place() - line * grid.pitch, y0 + line, entry.weight());
      }
    }
  }
}

/// Adds unit * w y to x[g j] for the views of a subset; grid (rays / 8, views). Without Atomic,
/// additions race, as cuART's do.
template <bool Half, bool Atomic>
__global__ void __launch_bounds__(usual_threads)
    scsr_spread_views(StoredTiles stored, TileEntries<Half> entries, StoredViewMaps maps,
                      StoredViewSubset subset, const float* __restrict__ y, float unit,
                      float* __restrict__ x) {
  const int c = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32);
  if (c >= stored.columns) return;
  const int view = subset.first + static_cast<int>(blockIdx.y) * subset.stride;
  const StoredView from = maps.source[view];
  const PixelMap map = maps.pixel[from.element];
  const float value =
      unit *
      y[static_cast<std::size_t>(view) * stored.columns + flipped(c, stored.columns, from.flip)];
  walk_row(stored, entries, std::int64_t{from.view} * stored.columns + c,
           [&](int ix, int iy, float weight) {
             float* to = x + map.at(ix, iy);
             if (Atomic)
               atomicAdd(to, weight * value);
             else
               *to += weight * value;
           });
}

/// Adds w Y[r, g] to Z[j, g] for all entries; elements are side by side. Without Atomic, additions
/// race.
template <int Count, bool Half, bool Atomic>
__global__ void __launch_bounds__(usual_threads)
    scsr_spread(StoredTiles stored, TileEntries<Half> entries,
                const typename Copies<Count, Half>::Word* __restrict__ rays,
                float* __restrict__ z) {
  const std::int64_t row = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32,
                     rows = std::int64_t{stored.views} * stored.columns;
  if (row >= rows) return;
  float value[Count];
  Copies<Count, Half>::load(rays, static_cast<std::size_t>(rows), static_cast<std::size_t>(row),
                            value);
  walk_row(stored, entries, row, [&](int x, int y, float weight) {
    float part[Count];
#pragma unroll
    for (int g = 0; g < Count; ++g) part[g] = weight * value[g];
    add_values<Count, Atomic>(z + (static_cast<std::size_t>(y) * stored.grid.nx + x) * Count, part);
  });
}

}  // namespace gantry::device
