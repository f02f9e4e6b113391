#pragma once

// Kernels that make summed-area tables: table[k][j + 1][i + 1] = the sum of the elements (<= i,
// <= j) of image k; table row 0 and table column 0 are zero.
#include "gpu/projectors/distance_driven/branchless/tuning.hpp"
#include "gpu/projectors/distance_driven/cone/dd_cone.cuh"

namespace gantry::device {

using dd_branchless::image_rows, dd_branchless::sum_threads;

/// The layers of a volume as images: element (i, j) of image k.
struct VolumeLayers {
  const float* volume;
  std::size_t stride_i, stride_j, stride_k;
  float mean;  ///< subtracted

  __device__ __forceinline__ float operator()(int i, int j, int k) const {
    return volume[i * stride_i + j * stride_j + k * stride_k] - mean;
  }
};

/// Views in the order of the table's cells, each ray times its path length per layer, mm.
struct WeightedViews {
  DdConeScan scan;
  const float* rays;

  __device__ __forceinline__ float operator()(int cell, int row, int nth) const {
    const int v = scan.first_view + nth * scan.view_stride;
    const std::size_t at = static_cast<std::size_t>(v) * scan.columns + cell;
    const float* edge = scan.edge + static_cast<std::size_t>(v) * (scan.columns + 1) + cell;
    const float slope = scan.rise[at] * (row + 0.5F - scan.row_origin);
    const int column = scan.view[v].reversed ? scan.columns - 1 - cell : cell;
    return rays[(static_cast<std::size_t>(v) * scan.rows + row) * scan.columns + column] *
           scan.cell[at] * (edge[1] - edge[0]) * sqrtf(fmaf(slope, slope, 1.0F));
  }
};

/// Prefix sums along i of images first to first + count - 1. Block (32, 8), grid (table rows of all
/// images / 8).
///
///   warp   one table row; lane l: elements l, l + 32, l + 64, ...
template <class T, class Source>
__global__ void __launch_bounds__(32 * image_rows)
    sum_along_rows(Source source, T* __restrict__ table, int width, int height, int first,
                   int count) {
  const long row = static_cast<long>(blockIdx.x) * image_rows + threadIdx.y;
  if (row >= static_cast<long>(count) * (height + 1)) return;
  const int k = static_cast<int>(row / (height + 1)), j = static_cast<int>(row % (height + 1)) - 1;
  T* out = table + row * (width + 1);
  const int lane = threadIdx.x;
  if (lane == 0) out[0] = 0;
  T carry = 0;
  for (int begin = 0; begin < width; begin += 32) {
    const int i = begin + lane;
    T sum = j >= 0 && i < width ? static_cast<T>(source(i, j, first + k)) : T(0);
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const T below = __shfl_up_sync(~0U, sum, step);
      if (lane >= step) sum += below;
    }
    sum += carry;
    if (i < width) out[i + 1] = sum;
    carry = __shfl_sync(~0U, sum, 31);
  }
}

/// Prefix sums along j of the result. Block 256, grid (table columns of all images / 256).
///
///   thread   one table column, from top to bottom; lanes of a warp own neighbouring ones
template <class T>
__global__ void __launch_bounds__(sum_threads)
    sum_along_columns(T* __restrict__ table, int width, int height, int count) {
  const long column = static_cast<long>(blockIdx.x) * sum_threads + threadIdx.x;
  if (column >= static_cast<long>(count) * (width + 1)) return;
  const long k = column / (width + 1), i = column % (width + 1);
  T* at = table + k * (height + 1) * (width + 1) + i;
  T sum = 0;
  for (int j = 1; j <= height; ++j) {
    sum += at[static_cast<std::size_t>(j) * (width + 1)];
    at[static_cast<std::size_t>(j) * (width + 1)] = sum;
  }
}

/// Copies images without summing: out[k][j][i]. Block (32, 8), grid (rows of all images / 8).
///
///   warp   one row; lane l: elements l, l + 32, l + 64, ...
template <class Source>
__global__ void __launch_bounds__(32 * image_rows)
    copy_rows(Source source, float* __restrict__ out, int width, int height, int count) {
  const long row = static_cast<long>(blockIdx.x) * image_rows + threadIdx.y;
  if (row >= static_cast<long>(count) * height) return;
  for (int i = threadIdx.x; i < width; i += 32)
    out[row * width + i] =
        source(i, static_cast<int>(row % height), static_cast<int>(row / height));
}

}  // namespace gantry::device
