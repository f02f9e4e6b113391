#pragma once

// Products of a matrix in CSR with the rays of a view subset. Blocks of 256 threads:
//
//   kernel        unit of work         owner
//   csr_forward   a matrix row (ray)   a warp, 8 per block; lane l takes nonzeros l, l + 32, ...
//   csr_spread    a matrix row (ray)   a warp, as above; adds to the voxels by atomics
//   csc_gather    a voxel              a thread; goes through the voxel's entries view by view
//
// Shared memory is not used.
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"

namespace gantry::device {

/// Computes y_i = sum_k w_k x_{c_k} with a warp per matrix row (CSR-vector). Blocks of 256, grid
/// (rays of the subset / 8).
__global__ void __launch_bounds__(usual_threads)
    csr_forward(SparseRows matrix, ViewRange views, const float* __restrict__ x,
                float* __restrict__ y) {
  const std::int64_t nth = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (nth >= views.rows()) return;
  const std::int64_t row = views.row(nth), end = matrix.start[row + 1];
  float sum = 0;
#pragma unroll 4
  for (std::int64_t p = matrix.start[row] + lane_of_warp(); p < end; p += 32)
    sum = fmaf(__ldcs(matrix.weight + p), x[__ldcs(matrix.index + p)], sum);
  sum = warp_sum(sum);
  if (lane_of_warp() == 0) y[row] = sum;
}

/// Computes x_{c_k} += w_k y_i by atomics, with a warp per matrix row. Blocks of 256, grid as
/// csr_forward.
__global__ void __launch_bounds__(usual_threads)
    csr_spread(SparseRows matrix, ViewRange views, const float* __restrict__ y,
               float* __restrict__ x) {
  const std::int64_t nth = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (nth >= views.rows()) return;
  const std::int64_t row = views.row(nth), end = matrix.start[row + 1];
  const float value = y[row];
  for (std::int64_t p = matrix.start[row] + lane_of_warp(); p < end; p += 32)
    atomicAdd(x + matrix.index[p], matrix.weight[p] * value);
}

/// Computes x_j from the transposed matrix, whose rows are the voxels. The first entry of each view
/// is found by bisection. A thread per voxel, blocks of 256.
__global__ void __launch_bounds__(usual_threads)
    csc_gather(SparseRows transposed, std::int64_t voxels, ViewRange views,
               const float* __restrict__ y, float* __restrict__ x) {
  const std::int64_t voxel = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (voxel >= voxels) return;
  std::int64_t at = transposed.start[voxel];
  const std::int64_t last = transposed.start[voxel + 1];
  float sum = 0;
  for (int i = 0; i < views.count; ++i) {
    const std::int64_t from = views.row(std::int64_t{i} * views.cells), to = from + views.cells;
    std::int64_t end = last;
    while (at < end) {
      const std::int64_t middle = (at + end) / 2;
      if (transposed.index[middle] < from)
        at = middle + 1;
      else
        end = middle;
    }
    for (; at < last && transposed.index[at] < to; ++at)
      sum = fmaf(transposed.weight[at], y[transposed.index[at]], sum);
  }
  x[voxel] = sum;
}

}  // namespace gantry::device
