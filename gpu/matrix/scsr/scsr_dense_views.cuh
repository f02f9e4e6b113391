#pragma once

// Products of single views with cuART's dense sub-matrices (scsr_dense.cuh), for updates at its
// view level. A view reads the pieces of its stored view alone; its element is applied to the
// pixels when they are read or written.
//
//   dense_view_rays, dense_view_pixels: a block of 256 threads for 8 neighbouring columns of a
//   view; grid's y is the view. Thread 8 s + c takes every 32nd entry, from entry s on, of the ray
//   of column c. In the blocking by views, neighbouring columns are neighbouring dense rows, of
//   which a slot is 32 bytes of neighbouring memory:
//
//                    columns 0 .. 7   8 threads   entries s, s + 32, ... of each piece
//     threads 0 ..   share 0          |||||||| -> slot 0   slot 32   ...
//     threads 8 ..   share 1          |||||||| -> slot 1   slot 33   ...
//     ...
//     threads 248 .. share 31         |||||||| -> slot 31  slot 63   ...
#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_copies.cuh"

#include <cstdint>

namespace gantry::device {

/// A piece of a stored ray: `count` entries, of which the first lies at `at`, and each next one
/// `rows` entries further.
struct RayPiece {
  std::int64_t at;
  int rows, count;
};

/// The pieces of all stored rays.
struct DenseRays {
  const int* start;  ///< [stored ray] its first piece; and the end
  const RayPiece* piece;
  const float* weight;
  const int* column;
};

/// The ray of a thread in a block for neighbouring columns of a view, and the thread's share of the
/// ray's entries.
struct ViewColumn {
  static constexpr int together = scsr::dense_columns, shares = usual_threads / together;
  int view, column, share;
  StoredView from;

  __device__ ViewColumn(const StoredViewMaps& maps, const StoredViewSubset& subset)
      : view(subset.first + static_cast<int>(blockIdx.y) * subset.stride),
        column(static_cast<int>(blockIdx.x * together + threadIdx.x % together)),
        share(static_cast<int>(threadIdx.x / together)),
        from(maps.source[view]) {}

  __device__ bool there(const StoredViewMaps& maps) const { return column < maps.columns; }
  /// Returns the index of the ray in an array of all rays.
  __device__ std::size_t ray(const StoredViewMaps& maps) const {
    return static_cast<std::size_t>(view) * maps.columns + flipped(column, maps.columns, from.flip);
  }
  /// Calls visit(pixel, weight) for the thread's entries, with the pixel of the view's image.
  template <class Visit>
  __device__ void visit(const DenseRays& rays, const StoredViewMaps& maps,
                        const Visit& visit) const {
    const PixelMap map = maps.pixel[from.element];
    const int row = from.view * maps.columns + column;
    for (int k = rays.start[row]; k < rays.start[row + 1]; ++k) {
      const RayPiece piece = rays.piece[k];
#pragma unroll 4
      for (int j = share; j < piece.count; j += shares) {
        const std::int64_t at = piece.at + std::int64_t{j} * piece.rows;
        const int pixel = __ldg(rays.column + at);
        visit(map.at(pixel % maps.nx, pixel / maps.nx), __ldg(rays.weight + at));
      }
    }
  }
};

/// Computes y = W x for the views of a subset, as many as the grid has along y.
__global__ void __launch_bounds__(usual_threads)
    dense_view_rays(DenseRays rays, StoredViewMaps maps, StoredViewSubset subset,
                    const float* __restrict__ x, float* __restrict__ y) {
  constexpr int together = ViewColumn::together;
  __shared__ float of_warps[usual_warps][together];
  const ViewColumn mine(maps, subset);
  float sum = 0;
  if (mine.there(maps))
    mine.visit(rays, maps, [&](int pixel, float weight) { sum = fmaf(weight, x[pixel], sum); });
#pragma unroll
  for (int apart = together; apart < 32; apart *= 2) sum += __shfl_xor_sync(whole_warp, sum, apart);
  if (lane_of_warp() < together) of_warps[threadIdx.x / 32][lane_of_warp()] = sum;
  __syncthreads();
  if (threadIdx.x >= together || !mine.there(maps)) return;
  sum = 0;
#pragma unroll
  for (int warp = 0; warp < usual_warps; ++warp) sum += of_warps[warp][threadIdx.x];
  y[mine.ray(maps)] = sum;
}

/// Adds W^T y to x for the views of a subset, as many as the grid has along y. Without Safe,
/// additions race, as cuART's do.
template <bool Safe>
__global__ void __launch_bounds__(usual_threads)
    dense_view_pixels(DenseRays rays, StoredViewMaps maps, StoredViewSubset subset,
                      const float* __restrict__ y, float* x) {
  const ViewColumn mine(maps, subset);
  if (!mine.there(maps)) return;
  const float value = y[mine.ray(maps)];
  mine.visit(rays, maps, [&](int pixel, float weight) {
    if constexpr (Safe)
      atomicAdd(x + pixel, weight * value);
    else
      x[pixel] += weight * value;
  });
}

}  // namespace gantry::device
