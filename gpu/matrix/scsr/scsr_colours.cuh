#pragma once

// The backprojection with the tiles of the stored views, without atomics and without a stored
// transpose. Each thread block sums a tile in shared memory. The segments of a view are coloured:
// those of one colour have no pixel in common. Warps add the segments of one colour at the same
// time and wait for each other before the next colour (ConflictSchedule), so that the order of
// additions to each pixel is fixed.
//
//   scsr_colours: a block for each (tile, part of the stored views)
//
//     shared memory   float4 tile_sums[Count / 4][slots of the tile]   Z[slot, g]
//                     int first[views + 1], column[views]              segments of each view
//
//     one view with segments 0 .. 7 (by detector column), 3 colours, 2 warps w0 and w1:
//
//       segment        0    1    2    3    4    5    6    7
//       colour         0    1    2    0    1    2    0    1
//       step 0         w0             w1                        colour 0
//       step 1                                       w0         colour 0, then __syncthreads()
//       step 2              w0             w1                   colour 1
//       step 3                                            w0    colour 1, then __syncthreads()
//       step 4                   w0             w1              colour 2
//       step 5                                                  colour 2, then __syncthreads()
//
//     A warp reads its segment by vectors, lane l vectors l, l + 32, ...; entries of a segment have
//     different slots, so that lanes do not conflict.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_copies.cuh"
#include "gpu/matrix/scsr/scsr_tiles.cuh"

namespace gantry::device {

/// A segment that a warp adds, and the vectors of it that a lane has read ahead. The order of the
/// entries lets 8 lanes at a time meet different banks. Entries that fill the last vector have the
/// tile's spare slot.
template <bool Half>
struct SegmentAhead {
  using Entries = TileEntries<Half>;
  static constexpr int at_once = 4 / Entries::vector, per_turn = 32 * Entries::vector;
  std::uint32_t first = 0;
  int left = 0;  ///< entries from the lane's first one to the end
  typename Entries::Vector ahead[at_once];

  /// Looks up where a segment begins and ends, without reading its entries.
  __device__ void find(const StoredTiles& stored, std::int64_t segment) {
    first = stored.start[segment];
    left = stored.length(segment) - lane_of_warp() * Entries::vector;
  }
  __device__ void find_none() { left = 0; }
  __device__ void read(const Entries& entries) {
    const auto cursor = entries.cursor(std::int64_t{first} + lane_of_warp());
#pragma unroll
    for (int k = 0; k < at_once; ++k)
      if (left > k * per_turn) ahead[k] = cursor.stream(32 * k);
  }
  /// Calls visit(vector) for the lane's vectors.
  template <class Visit>
  __device__ void visit_vectors(const Entries& entries, const Visit& visit) const {
#pragma unroll
    for (int k = 0; k < at_once; ++k)
      if (left > k * per_turn) visit(ahead[k]);
    if (left <= at_once * per_turn) return;
    const auto cursor = entries.cursor(std::int64_t{first} + lane_of_warp());
    for (int k = at_once; left > k * per_turn; ++k) visit(cursor.stream(32 * k));
  }
  /// Calls visit(slot, weight) for the lane's entries.
  template <class Visit>
  __device__ void visit(const Entries& entries, const Visit& visit) const {
    visit_vectors(entries, [&](const auto& vector) { vector.each(visit); });
  }
};

/// The steps of a warp through the segments of a tile, view after view. The arrays are in shared
/// memory; segments are counted from the first of these views.
struct TileWalk {
  const int *first, *column;  ///< [view] first segment, and the end; first detector column
  int views, colours, warps, view, turn;
  ConflictSchedule turns;

  __device__ TileWalk(const int* first, const int* column, int views, int colours, int warps)
      : first(first), column(column), views(views), colours(colours), warps(warps), view(-1) {
    enter();
  }
  __device__ bool done() const { return view >= views; }
  __device__ int segment() const { return turns.segment(turn, static_cast<int>(threadIdx.x / 32)); }
  __device__ bool ends_colour() const { return turns.ends_colour(turn); }
  __device__ void next() {
    if (++turn == turns.steps()) enter();
  }

 private:
  /// Goes to the next view of which the tile has segments.
  __device__ void enter() {
    turn = 0;
    while (++view < views)
      if (const int count = first[view + 1] - first[view]; count > 0) {
        turns = ConflictSchedule::of(count, colours, warps);
        return;
      }
  }
};

/// Returns the bytes of dynamic shared memory of scsr_colours.
template <int Count>
constexpr std::size_t colour_bytes(int room, int views) {
  return sizeof(float) * Count * static_cast<std::size_t>(room) +
         sizeof(int) * (2 * static_cast<std::size_t>(views) + 1);
}

/// Computes z[part][j, g], the sum of w Y[r, g] over a part of the stored views; elements are side
/// by side. While a warp adds a segment, it already loads the next one.
template <int Count, bool Half, int Threads>
__global__ void __launch_bounds__(Threads)
    scsr_colours(StoredTiles stored, TileEntries<Half> entries, int colours, int parts,
                 const typename Copies<Count, Half>::Word* __restrict__ rays,
                 float* __restrict__ z) {
  extern __shared__ float4 tile_sums[];
  constexpr int planes = Count / 4, warps = Threads / 32;
  const TileGrid grid = stored.grid;
  const int tile = static_cast<int>(blockIdx.x) / parts,
            part = static_cast<int>(blockIdx.x) % parts, places = grid.slots_with_spare(),
            first_view = stored.views * part / parts,
            views = stored.views * (part + 1) / parts - first_view;
  auto* first = reinterpret_cast<int*>(tile_sums + planes * places);
  int* column = first + views + 1;
  const std::int64_t at = std::int64_t{tile} * stored.views + first_view, base = stored.first[at];
  for (int i = threadIdx.x; i < planes * places; i += Threads)
    tile_sums[i] = make_float4(0, 0, 0, 0);
  for (int v = threadIdx.x; v <= views; v += Threads) {
    first[v] = static_cast<int>(stored.first[at + v] - base);
    if (v < views) column[v] = stored.first_column[at + v];
  }
  __syncthreads();

  const std::size_t all = static_cast<std::size_t>(stored.views) * stored.columns;
  TileWalk walk(first, column, views, colours, warps);
  struct Task {
    SegmentAhead<Half> segment;
    std::size_t row = 0;
    bool ends = false;
  };
  const auto find = [&](Task& task) {
    task.segment.find_none();
    if (walk.done()) return false;
    if (const int nth = walk.segment(); nth >= 0) {
      task.segment.find(
          stored, base + first[walk.view] + folded(nth, first[walk.view + 1] - first[walk.view]));
      task.row = static_cast<std::size_t>(first_view + walk.view) * stored.columns +
                 static_cast<std::size_t>(column[walk.view] + nth);
    }
    task.ends = walk.ends_colour();
    walk.next();
    return true;
  };
  Task now, next;
  bool more = find(now);
  now.segment.read(entries);
  while (more) {
    float value[Count];
    Copies<Count, Half>::load(rays, all, now.row, value);
    more = find(next);
    next.segment.read(entries);
    now.segment.visit(entries, [&](int place, float weight) {
      if (weight == 0) return;  // warps must not write the spare slot, which all of them have
#pragma unroll
      for (int i = 0; i < planes; ++i) {
        float4* to = tile_sums + (i * places + place);
        const float4 old = *to;
        *to = make_float4(fmaf(weight, value[4 * i], old.x), fmaf(weight, value[4 * i + 1], old.y),
                          fmaf(weight, value[4 * i + 2], old.z),
                          fmaf(weight, value[4 * i + 3], old.w));
      }
    });
    if (now.ends) __syncthreads();
    now = next;
  }

  const std::size_t pixels = static_cast<std::size_t>(grid.nx) * grid.ny;
  for (int i = threadIdx.x; i < grid.size * grid.size * planes; i += Threads) {
    const int plane = i % planes, pixel = i / planes, x = grid.left(tile) + pixel % grid.size,
              y = grid.bottom(tile) + pixel / grid.size;
    if (x >= grid.nx || y >= grid.ny) continue;
    auto* to = reinterpret_cast<float4*>(
        z + (part * pixels + static_cast<std::size_t>(y) * grid.nx + x) * Count);
    to[plane] = tile_sums[plane * places + grid.place(tile, x, y)];
  }
}

}  // namespace gantry::device
