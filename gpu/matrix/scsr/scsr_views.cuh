#pragma once

// Products of single views with the tiles of the stored views (scsr_tiles.cuh). A view uses the
// matrix rows of the stored view of which it is made; its element is applied to the pixels of a
// tile when they are read and written. The forward product has two kernels: sums of segments, then
// sums of these along rays. The backprojection has one kernel for a view at a time, in which a
// block has a tile to itself (scsr_colours.cuh). An update of a sweep is the two kernels and then
// the third. Kernels of a sweep overlap (view_sweep.cuh), so that arrays which another kernel of
// the sweep writes must not be __restrict__.
//
//   view_segments   a block of 512 threads for each (tile, part of a view's segments); grid (tiles
//                   times parts, views). Shared memory: x of the tile's pixels, [slot]. Warp w has
//                   segments w, w + 16, ... of the part, lane l vectors l, l + 32, ... of a segment
//   view_rays, sweep_view_rays
//                   a warp for each ray of a view, 8 in a block; lane l has segments l, l + 32, ...
//   view_pixels, sweep_view_pixels
//                   a block of 512 threads for each tile. Shared memory: sums[slot], with OfOnes
//                   also the sums of the weights, ones[slot]. Warps add segments colour by colour
//                   (drawing in scsr_colours.cuh), then thread t writes pixels t, t + 512, ...
#include "gpu/matrix/scsr/scsr_colours.cuh"
#include "gpu/matrix/sweeps/view_sweep.cuh"

namespace gantry::device {

using scsr::view_threads;

/// The view of block `nth` along the grid's y, in a launch for a subset of the views, or in a step
/// of a sweep, which has a single view.
struct SubsetViews {
  int first, stride;
  __device__ int view(int nth) const { return first + nth * stride; }
};
struct StepView {
  const ViewRange* steps;
  int step;
  __device__ int view(int) const { return steps[step].first; }
};

/// Computes partial[segment, g], the sum of w x[g j] over the segment's entries, for the element g
/// of each view.
template <int Count, bool Half, class Views>
__global__ void __launch_bounds__(view_threads)
    view_segments(StoredTiles stored, TileEntries<Half> entries, StoredViewMaps maps, Views views,
                  int parts, const float* x, float* partial) {
  extern __shared__ float tile_values[];
  constexpr int warps = view_threads / 32;
  let_next_start();
  const TileGrid grid = stored.grid;
  const StoredView from = maps.source[views.view(static_cast<int>(blockIdx.y))];
  const PixelMap map = maps.pixel[from.element];
  const int tile = static_cast<int>(blockIdx.x) / parts,
            part = static_cast<int>(blockIdx.x) % parts;
  const std::int64_t at = std::int64_t{tile} * stored.views + from.view, first = stored.first[at],
                     count = stored.first[at + 1] - first, begin = first + count * part / parts,
                     end = first + count * (part + 1) / parts;
  SegmentAhead<Half> now, next;
  std::int64_t segment = begin + threadIdx.x / 32;
  if (segment < end) {
    now.find(stored, segment);
    now.read(entries);
  }
  wait_for_previous();
  if (begin == end) return;
  for (int i = threadIdx.x; i < grid.size * grid.size; i += view_threads) {
    const int px = grid.left(tile) + i % grid.size, py = grid.bottom(tile) + i / grid.size;
    if (px < grid.nx && py < grid.ny) tile_values[grid.place(tile, px, py)] = x[map.at(px, py)];
  }
  if (threadIdx.x == 0) tile_values[grid.spare_slot()] = 0;
  __syncthreads();
  for (; segment < end; segment += warps) {
    next.find_none();
    if (segment + warps < end) {
      next.find(stored, segment + warps);
      next.read(entries);
    }
    float sum = 0;
    now.visit(entries,
              [&](int place, float weight) { sum = fmaf(weight, tile_values[place], sum); });
    sum = warp_sum(sum);
    if (lane_of_warp() == 0) partial[segment * Count + from.element] = sum;
    now = next;
  }
}

/// Returns the sum of a stored ray's segments under an element, computed by a whole warp.
template <int Count>
__device__ float sum_of_row(const StoredTiles& stored, const float* partial, std::int64_t first,
                            std::int64_t last, int element) {
  float sum = 0;
  for (std::int64_t k = first + lane_of_warp(); k < last; k += 32)
    sum += partial[static_cast<std::size_t>(stored.segment_of[k]) * Count + element];
  return warp_sum(sum);
}

/// Computes y for the views of a subset from the sums of their segments; grid (rays / 8, views).
template <int Count>
__global__ void __launch_bounds__(usual_threads)
    view_rays(StoredTiles stored, StoredViewMaps maps, SubsetViews views, const float* partial,
              float unit, float* __restrict__ y) {
  const int c = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32);
  if (c >= stored.columns) return;
  const int view = views.view(static_cast<int>(blockIdx.y));
  const StoredView from = maps.source[view];
  const std::int64_t row = std::int64_t{from.view} * stored.columns + c;
  const float sum = sum_of_row<Count>(stored, partial, stored.row_start[row],
                                      stored.row_start[row + 1], from.element);
  if (lane_of_warp() == 0)
    y[static_cast<std::size_t>(view) * stored.columns + flipped(c, stored.columns, from.flip)] =
        sum * unit;
}

/// Computes the weighted residuals of a step's rays and adds the squares of the residuals to
/// squares[column].
template <int Count>
__global__ void __launch_bounds__(usual_threads)
    sweep_view_rays(StoredTiles stored, StoredViewMaps maps, StepView views, const float* partial,
                    float unit, SweepData data, double* __restrict__ squares) {
  let_next_start();
  const int c = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32);
  if (c >= stored.columns) return wait_for_previous();
  const int view = views.view(0);
  const StoredView from = maps.source[view];
  const std::int64_t row = std::int64_t{from.view} * stored.columns + c,
                     first = stored.row_start[row], last = stored.row_start[row + 1],
                     ray = std::int64_t{view} * stored.columns +
                           flipped(c, stored.columns, from.flip);
  const SweptRay measured = swept_ray(data, ray);
  wait_for_previous();
  const float sum = unit * sum_of_row<Count>(stored, partial, first, last, from.element);
  if (lane_of_warp() == 0) atomicAdd(squares + c, store_residual(data, ray, measured, sum));
}

/// Adds weight * value to sums[slot] for the entries of a vector. Their slots differ, so that all
/// are loaded before the first is stored. Only the spare slot may occur more than once, and in
/// several warps: nothing is written there.
template <class Vector>
__device__ void add_vector(const Vector& vector, float value, float* sums) {
  int place[Vector::count];
  float weight[Vector::count], sum[Vector::count];
  int i = 0;
  vector.each([&](int at, float w) {
    place[i] = at;
    weight[i++] = w;
  });
#pragma unroll
  for (i = 0; i < Vector::count; ++i) sum[i] = fmaf(weight[i], value, sums[place[i]]);
#pragma unroll
  for (i = 0; i < Vector::count; ++i)
    if (weight[i] != 0) sums[place[i]] = sum[i];
}

/// Computes sums[slot] = unit * sum of w y over the rays of a view, with OfOnes also ones[slot] =
/// unit * sum of w, in the order of the colours. Calls wait() before it reads y. At the end the
/// threads of the block are synchronised.
template <bool Half, bool OfOnes, class Wait>
__device__ void add_view(const StoredTiles& stored, const TileEntries<Half>& entries, int tile,
                         const StoredView& from, int colours, const float* y, float unit,
                         float* sums, float* ones, const Wait& wait) {
  const std::int64_t at = std::int64_t{tile} * stored.views + from.view, first = stored.first[at];
  const int count = static_cast<int>(stored.first[at + 1] - first),
            column = stored.first_column[at], warp = static_cast<int>(threadIdx.x / 32);
  const auto turns = ConflictSchedule::of(count, colours, view_threads / 32);
  SegmentAhead<Half> now, next;
  const auto find = [&](SegmentAhead<Half>& segment, int turn) {
    segment.find_none();
    const int nth = turn < turns.steps() ? turns.segment(turn, warp) : -1;
    if (nth < 0) return;
    segment.find(stored, first + folded(nth, count));
    segment.read(entries);
  };
  find(now, 0);
  for (int place = threadIdx.x; place < stored.grid.slots_with_spare(); place += view_threads) {
    sums[place] = 0;
    if (OfOnes) ones[place] = 0;
  }
  __syncthreads();
  wait();
  for (int turn = 0; turn < turns.steps(); ++turn) {
    float value = 0;
    if (const int nth = turns.segment(turn, warp); nth >= 0)
      value = unit * y[flipped(column + nth, stored.columns, from.flip)];
    find(next, turn + 1);
    now.visit_vectors(entries, [&](const auto& vector) {
      add_vector(vector, value, sums);
      if (OfOnes) add_vector(vector, unit, ones);
    });
    if (turns.ends_colour(turn)) __syncthreads();
    now = next;
  }
}

/// Sets x[g j] to unit * sum of w y over the rays of one view, or, if `more`, adds that sum.
template <bool Half>
__global__ void __launch_bounds__(view_threads)
    view_pixels(StoredTiles stored, TileEntries<Half> entries, StoredViewMaps maps, int colours,
                int view, const float* __restrict__ y, float unit, bool more,
                float* __restrict__ x) {
  extern __shared__ float sums[];
  const TileGrid grid = stored.grid;
  const int tile = static_cast<int>(blockIdx.x);
  const StoredView from = maps.source[view];
  add_view<Half, false>(stored, entries, tile, from, colours,
                        y + static_cast<std::size_t>(view) * stored.columns, unit, sums, nullptr,
                        [] {});
  const PixelMap map = maps.pixel[from.element];
  for (int i = threadIdx.x; i < grid.size * grid.size; i += view_threads) {
    const int px = grid.left(tile) + i % grid.size, py = grid.bottom(tile) + i / grid.size;
    if (px >= grid.nx || py >= grid.ny) continue;
    float* to = x + map.at(px, py);
    const float sum = sums[grid.place(tile, px, py)];
    *to = more ? *to + sum : sum;
  }
}

/// Updates the pixels by a step's view and adds the squares of their changes to squares[tile].
template <bool Half, bool OfOnes>
__global__ void __launch_bounds__(view_threads)
    sweep_view_pixels(StoredTiles stored, TileEntries<Half> entries, StoredViewMaps maps,
                      int colours, StepView views, float unit, SweepData data,
                      double* __restrict__ squares) {
  extern __shared__ float sums[];
  __shared__ double of_warps[view_threads / 32];
  let_next_start();
  const TileGrid grid = stored.grid;
  float* ones = sums + grid.slots_with_spare();
  const int tile = static_cast<int>(blockIdx.x), view = views.view(0);
  const StoredView from = maps.source[view];
  add_view<Half, OfOnes>(stored, entries, tile, from, colours,
                         data.r + static_cast<std::size_t>(view) * stored.columns, unit, sums, ones,
                         [] { wait_for_previous(); });
  const PixelMap map = maps.pixel[from.element];
  double square = 0;
  for (int i = threadIdx.x; i < grid.size * grid.size; i += view_threads) {
    const int px = grid.left(tile) + i % grid.size, py = grid.bottom(tile) + i / grid.size;
    if (px >= grid.nx || py >= grid.ny) continue;
    const int j = map.at(px, py), place = grid.place(tile, px, py);
    square += update_voxel(data, j, data.x[j], sums[place], OfOnes ? ones[place] : 0.0F);
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
