#pragma once

// Products of single views with the stored zone: each view by the rows that it is the image of, its
// symmetry applied to the pixels of a tile as they are read and written. What kernels of a sweep
// write is read past __restrict__: they overlap. Forward in two kernels,
// sums of segments and of these along rays; back in one, of a view at a time, in which a block has
// a tile to itself (zone_colours.cuh); a sweep of updates is the two and then the third.
#include "gpu/kernels/view_sweep.cuh"
#include "gpu/kernels/zone_colours.cuh"

namespace gantry::device {

constexpr int view_threads = 512;

/// Shared memory of these kernels: images of a tile's pixels, and bounds and values of as many
/// segments as a view can have in a tile, its columns.
inline std::size_t view_bytes(int places, int images, int columns) {
  return sizeof(float) * (static_cast<std::size_t>(images) * static_cast<std::size_t>(places) +
                          2 * static_cast<std::size_t>(columns) + 1);
}

/// Segments one behind the other, their bounds in shared memory.
template <bool Half>
struct ViewSegments {
  std::int64_t base;  ///< what bounds are counted from
  int count;
  const int* bounds;

  /// By the whole block, which has to wait afterwards.
  __device__ ViewSegments(const ZoneTiles& zone, std::int64_t first, int count, int* bounds)
      : base(zone.start[first]), count(count), bounds(bounds) {
    for (int i = threadIdx.x; i <= count; i += view_threads)
      bounds[i] = static_cast<int>(zone.start[first + i] - base);
  }
  /// Asks for the entries of the n-th, of which there are none outside.
  __device__ void ask(const TileEntries<Half>& entries, int n, SegmentAhead<Half>& segment) const {
    const bool exists = n >= 0 && n < count;
    segment.begin = exists ? base + bounds[n] : 0;
    segment.end = exists ? base + bounds[n + 1] : 0;
    segment.read(entries);
  }
};

/// Which view a launch has at place `nth` of its grid: of a subset, or of a step of a sweep.
struct SubsetViews {
  int first, stride;
  __device__ int view(int nth) const { return first + nth * stride; }
};
struct StepView {
  const ViewRange* steps;
  int step;
  __device__ int view(int) const { return steps[step].first; }
};

/// partial[segment, g] = sum over a view's segment of w x[g j]. Grid (tiles parts, views).
template <int Count, bool Half, class Views>
__global__ void __launch_bounds__(view_threads)
    view_segments(ZoneTiles zone, TileEntries<Half> entries, ZoneMaps maps, Views views, int parts,
                  const float* x, float* partial) {
  extern __shared__ float tile_values[];
  constexpr int warps = view_threads / 32;
  let_next_start();
  const TileGrid grid = zone.grid;
  const ZoneView from = maps.source[views.view(static_cast<int>(blockIdx.y))];
  const PixelMap map = maps.pixel[from.element];
  const int tile = static_cast<int>(blockIdx.x) / parts,
            part = static_cast<int>(blockIdx.x) % parts;
  const std::int64_t at = std::int64_t{tile} * zone.views + from.view, first = zone.first[at],
                     count = zone.first[at + 1] - first, begin = first + count * part / parts,
                     end = first + count * (part + 1) / parts;
  if (begin == end) return wait_for_previous();
  const ViewSegments<Half> segments(zone, begin, static_cast<int>(end - begin),
                                    reinterpret_cast<int*>(tile_values + grid.places()));
  __syncthreads();
  SegmentAhead<Half> now, next, later;
  int n = static_cast<int>(threadIdx.x / 32);
  segments.ask(entries, n, now);
  segments.ask(entries, n + warps, next);
  wait_for_previous();
  for (int i = threadIdx.x; i < grid.size * grid.size; i += view_threads) {
    const int px = grid.left(tile) + i % grid.size, py = grid.bottom(tile) + i / grid.size;
    if (px < grid.nx && py < grid.ny) tile_values[grid.place(tile, px, py)] = x[map.at(px, py)];
  }
  __syncthreads();
  for (; n < segments.count; n += warps) {
    segments.ask(entries, n + 2 * warps, later);
    float sum = 0;
    now.visit(entries,
              [&](int place, float weight) { sum = fmaf(weight, tile_values[place], sum); });
    sum = warp_sum(sum);
    if (lane_of_warp() == 0) partial[(begin + n) * Count + from.element] = sum;
    now = next;
    next = later;
  }
}

/// The sum of a stored row's segments under an element, by a whole warp.
template <int Count>
__device__ float sum_of_row(const ZoneTiles& zone, const float* partial, std::int64_t first,
                            std::int64_t last, int element) {
  float sum = 0;
  for (std::int64_t k = first + lane_of_warp(); k < last; k += 32)
    sum += partial[static_cast<std::size_t>(zone.segment_of[k]) * Count + element];
  return warp_sum(sum);
}

/// y of the views of a subset from their segments. A warp for each ray, grid (rays, views).
template <int Count>
__global__ void __launch_bounds__(256)
    view_rays(ZoneTiles zone, ZoneMaps maps, SubsetViews views, const float* partial, float unit,
              float* __restrict__ y) {
  const int c = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32);
  if (c >= zone.columns) return;
  const int view = views.view(static_cast<int>(blockIdx.y));
  const ZoneView from = maps.source[view];
  const std::int64_t row = std::int64_t{from.view} * zone.columns + c;
  const float sum =
      sum_of_row<Count>(zone, partial, zone.row_start[row], zone.row_start[row + 1], from.element);
  if (lane_of_warp() == 0)
    y[static_cast<std::size_t>(view) * zone.columns + flipped(c, zone.columns, from.flip)] =
        sum * unit;
}

/// The residuals of a step's rays. A warp for each ray.
template <int Count>
__global__ void __launch_bounds__(256)
    sweep_view_rays(ZoneTiles zone, ZoneMaps maps, StepView views, const float* partial, float unit,
                    SweepData data, double* __restrict__ squares) {
  let_next_start();
  const int c = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32);
  if (c >= zone.columns) return wait_for_previous();
  const int view = views.view(0);
  const ZoneView from = maps.source[view];
  const std::int64_t row = std::int64_t{from.view} * zone.columns + c, first = zone.row_start[row],
                     last = zone.row_start[row + 1],
                     ray = std::int64_t{view} * zone.columns + flipped(c, zone.columns, from.flip);
  const SweptRay measured = swept_ray(data, ray);
  wait_for_previous();
  const float sum = unit * sum_of_row<Count>(zone, partial, first, last, from.element);
  if (lane_of_warp() == 0) atomicAdd(squares + c, sweep_ray(data, ray, measured, sum));
}

/// Of a view, sums[place] = unit sum of w y over the rays, with OfOnes also of w alone, in the
/// order of the colours. `wait()` comes before y is read; `spare` is for bounds and values of the
/// segments. Ends in step.
template <bool Half, bool OfOnes, class Wait>
__device__ void add_view(const ZoneTiles& zone, const TileEntries<Half>& entries, int tile,
                         const ZoneView& from, int colours, const float* y, float unit, float* sums,
                         float* ones, float* spare, const Wait& wait) {
  const std::int64_t at = std::int64_t{tile} * zone.views + from.view, first = zone.first[at];
  const int count = static_cast<int>(zone.first[at + 1] - first), column = zone.first_column[at],
            warp = static_cast<int>(threadIdx.x / 32);
  const auto turns = TileTurns::of(count, colours, view_threads / 32);
  const ViewSegments<Half> segments(zone, first, count,
                                    reinterpret_cast<int*>(spare + zone.columns));
  for (int place = threadIdx.x; place < zone.grid.places(); place += view_threads) {
    sums[place] = 0;
    if (OfOnes) ones[place] = 0;
  }
  __syncthreads();
  SegmentAhead<Half> now, next, later;
  const auto ask = [&](int turn, SegmentAhead<Half>& segment) {
    segments.ask(entries, turn < turns.turns() ? turns.segment(turn, warp) : -1, segment);
  };
  ask(0, now);
  ask(1, next);
  wait();
  for (int i = threadIdx.x; i < count; i += view_threads)
    spare[i] = unit * y[flipped(column + i, zone.columns, from.flip)];
  __syncthreads();
  for (int turn = 0; turn < turns.turns(); ++turn) {
    const int nth = turns.segment(turn, warp);
    const float value = nth >= 0 ? spare[nth] : 0.0F;
    ask(turn + 2, later);
    now.visit(entries, [&](int place, float weight) {
      sums[place] = fmaf(weight, value, sums[place]);
      if (OfOnes) ones[place] = fmaf(weight, unit, ones[place]);
    });
    if (turns.ends_colour(turn)) __syncthreads();
    now = next;
    next = later;
  }
}

/// x[g j] = unit sum of w y of one view, or more of it. A block for each tile.
template <bool Half>
__global__ void __launch_bounds__(view_threads)
    view_pixels(ZoneTiles zone, TileEntries<Half> entries, ZoneMaps maps, int colours, int view,
                const float* __restrict__ y, float unit, bool more, float* __restrict__ x) {
  extern __shared__ float sums[];
  const TileGrid grid = zone.grid;
  const int tile = static_cast<int>(blockIdx.x);
  const ZoneView from = maps.source[view];
  add_view<Half, false>(zone, entries, tile, from, colours,
                        y + static_cast<std::size_t>(view) * zone.columns, unit, sums, nullptr,
                        sums + grid.places(), [] {});
  const PixelMap map = maps.pixel[from.element];
  for (int i = threadIdx.x; i < grid.size * grid.size; i += view_threads) {
    const int px = grid.left(tile) + i % grid.size, py = grid.bottom(tile) + i / grid.size;
    if (px >= grid.nx || py >= grid.ny) continue;
    float* to = x + map.at(px, py);
    const float sum = sums[grid.place(tile, px, py)];
    *to = more ? *to + sum : sum;
  }
}

/// The pixels of a step. A block for each tile, whose partial sum of squares is its own.
template <bool Half, bool OfOnes>
__global__ void __launch_bounds__(view_threads)
    sweep_view_pixels(ZoneTiles zone, TileEntries<Half> entries, ZoneMaps maps, int colours,
                      StepView views, float unit, SweepData data, double* __restrict__ squares) {
  extern __shared__ float sums[];
  __shared__ double of_warps[view_threads / 32];
  let_next_start();
  const TileGrid grid = zone.grid;
  float* ones = sums + grid.places();
  const int tile = static_cast<int>(blockIdx.x), view = views.view(0);
  const ZoneView from = maps.source[view];
  add_view<Half, OfOnes>(zone, entries, tile, from, colours,
                         data.r + static_cast<std::size_t>(view) * zone.columns, unit, sums, ones,
                         sums + (OfOnes ? 2 : 1) * grid.places(), [] { wait_for_previous(); });
  const PixelMap map = maps.pixel[from.element];
  double square = 0;
  for (int i = threadIdx.x; i < grid.size * grid.size; i += view_threads) {
    const int px = grid.left(tile) + i % grid.size, py = grid.bottom(tile) + i / grid.size;
    if (px >= grid.nx || py >= grid.ny) continue;
    const int j = map.at(px, py), place = grid.place(tile, px, py);
    square += move_voxel(data, j, data.x[j], sums[place], OfOnes ? ones[place] : 0.0F);
  }
  square = warp_sum(square);
  if (lane_of_warp() == 0) of_warps[threadIdx.x / 32] = square;
  __syncthreads();
  if (threadIdx.x > 0) return;
  double total = 0;
#pragma unroll
  for (const double one : of_warps) total += one;
  atomicAdd(squares + tile, total);
}

}  // namespace gantry::device
