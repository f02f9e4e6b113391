#pragma once

// Products with the stored stored views by tiles.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_scan.hpp"
#include "gpu/matrix/scsr/scsr_copies.cuh"
#include "gpu/matrix/scsr/scsr_octets.cuh"
#include "gpu/matrix/scsr/scsr_tiles.cuh"

namespace gantry::device {

/// The most rays of one view that can meet a pixel. A thread for each pixel.
__global__ void __launch_bounds__(256) find_widest(RowScan scan, int* __restrict__ widest) {
  const int pixel = static_cast<int>(blockIdx.x * 256 + threadIdx.x);
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

/// Entries of the longest row. A thread for each row.
__global__ void __launch_bounds__(256)
    find_longest_row(StoredTiles stored, int* __restrict__ longest) {
  const std::int64_t row = blockIdx.x * std::int64_t{256} + threadIdx.x;
  if (row >= std::int64_t{stored.views} * stored.columns) return;
  std::int64_t entries = 0;
  for (std::int64_t k = stored.row_start[row]; k < stored.row_start[row + 1]; ++k)
    entries += stored.length(stored.segment_of[k]);
  atomicMax(longest, static_cast<int>(entries));
}

/// Nonzeros of each stored view.
__global__ void __launch_bounds__(256)
    count_views(StoredTiles stored, unsigned long long* __restrict__ count) {
  const std::int64_t at = blockIdx.x * std::int64_t{256} + threadIdx.x;
  if (at >= std::int64_t{stored.grid.tiles} * stored.views) return;
  unsigned long long entries = 0;
  for (std::int64_t segment = stored.first[at]; segment < stored.first[at + 1]; ++segment)
    entries += static_cast<unsigned long long>(stored.length(segment));
  if (entries > 0) atomicAdd(count + at % stored.views, entries);
}

/// Blocks of 512 that a multiprocessor shall have room for: tiles of pixels in half precision leave
/// it for three, where it takes more than 1024 threads.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <bool Half>
constexpr int forward_blocks = 2;
#else
template <bool Half>
constexpr int forward_blocks = Half ? 3 : 2;
#endif

/// partial[segment, g] = sum over the segment of w X[j, g]. A block for each part of a tile, with
/// the tile's pixels in shared memory; 8 lanes for each segment. Of several slices the blocks of a
/// part follow each other, so that one has its part of the matrix from memory and the others from
/// the second cache.
template <int Count, bool Half, int Threads>
__global__ void __launch_bounds__(Threads, forward_blocks<Half>)
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
  // Not in registers, of which there are too few.
  __shared__ std::size_t of_slice;
  if (threadIdx.x == 0) of_slice = slice * static_cast<std::size_t>(stored.segments()) * Count;
  take_tile<Count, Half, Threads>(grid, tile, image, pixels);
  // Segments have 32 bit numbers.
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
      add_copies<Half>(weight, pixels, tile_room<Half>, static_cast<std::size_t>(place), sums);
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

/// y[g r] = unit sum of the row's segments. Blocks of 256, a thread for each row and element;
/// grid's y over the slices.
template <int Count>
__global__ void __launch_bounds__(256)
    gather_segments(StoredTiles stored, StoredViewMaps maps, const float* __restrict__ partial,
                    StoredViewSubset subset, float unit, Scale scale, std::size_t view_pitch,
                    float* __restrict__ y) {
  const std::int64_t i = blockIdx.x * std::int64_t{256} + threadIdx.x;
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

/// Calls visit(x, y, weight) for the entries of a row, by a whole warp; each lane has its own.
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

/// x[g j] += unit w y of the views of a subset; without Atomic as cuART does, which races. A warp
/// for each ray, grid (rays, views).
template <bool Half, bool Atomic>
__global__ void __launch_bounds__(256)
    scsr_spread_views(StoredTiles stored, TileEntries<Half> entries, StoredViewMaps maps,
                      StoredViewSubset subset, const float* __restrict__ y, float unit,
                      float* __restrict__ x) {
  const int c = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32);
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

/// Z[j, g] += w Y[r, g] of all rows, elements side by side. A warp for each row.
template <int Count, bool Half, bool Atomic>
__global__ void __launch_bounds__(256)
    scsr_spread(StoredTiles stored, TileEntries<Half> entries,
                const typename Copies<Count, Half>::Word* __restrict__ rays,
                float* __restrict__ z) {
  const std::int64_t row = blockIdx.x * std::int64_t{8} + threadIdx.x / 32,
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
