#pragma once

// The iteration of cuART in one launch over its dense sub-matrices (Yu et al., J. Signal Process.
// Syst. 91 (2019) 321, eq. 9 and Algorithm 2). The residual of a ray needs its whole matrix row,
// which lies in two or three pieces in different sub-matrices. A thread block therefore owns whole
// stored rays instead of dense rows, and reads their pieces twice, the second time mostly from the
// L2 cache. Additions to pixels go to an array of their own, because other blocks still read the
// image.
//
//   dense_fused: a block of 256 threads for 8 neighbouring columns of a stored view, those of a
//   view one after the other. Thread 8 s + c takes entries s, s + 32, ... of each piece of column
//   c, as in scsr_dense_views.cuh.
//
//     1. forward     each thread adds up its entries times X; the block adds up the shares
//     2. residuals   thread c < 8 computes those of column c under all elements
//     3. back        each thread adds its entries times the residuals to z
#include "gpu/matrix/scsr/scsr_dense_views.cuh"
#include "gpu/matrix/scsr/scsr_residuals.cuh"

namespace gantry::device {

/// Computes r = C (b - W x) for all rays, adds W^T r to z[j, g], and writes squares[stored ray],
/// the sum of (b - W x)^2 over the rays that elements make of it. The caller has cleared z. Without
/// Safe, additions race, as cuART's do.
template <int Count, bool Safe>
__global__ void __launch_bounds__(usual_threads)
    dense_fused(DenseRays stored, StoredViewMaps maps, const float4* __restrict__ image,
                FusedRays rays, float* __restrict__ z, double* __restrict__ squares) {
  constexpr int together = ViewColumn::together, shares = ViewColumn::shares;
  __shared__ float sums[usual_warps][together][Count];
  __shared__ float residual[together][Count];
  const int blocks_of_view = (maps.columns + together - 1) / together,
            view = static_cast<int>(blockIdx.x) / blocks_of_view,
            mine = static_cast<int>(threadIdx.x % together),
            share = static_cast<int>(threadIdx.x / together),
            column = static_cast<int>(blockIdx.x) % blocks_of_view * together + mine,
            row = view * maps.columns + column;
  const bool is_there = column < maps.columns;
  const std::size_t pixels = static_cast<std::size_t>(maps.nx) * maps.ny;
  const auto for_entries = [&](const auto& use) {
    if (!is_there) return;
    for (int k = stored.start[row]; k < stored.start[row + 1]; ++k) {
      const RayPiece piece = stored.piece[k];
      for (int j = share; j < piece.count; j += shares) {
        const std::int64_t at = piece.at + std::int64_t{j} * piece.rows;
        use(static_cast<std::size_t>(__ldg(stored.column + at)), __ldg(stored.weight + at));
      }
    }
  };

  float sum[Count] = {};
  for_entries([&](std::size_t pixel, float weight) {
    add_copies<false>(weight, image, pixels, pixel, sum);
  });
#pragma unroll
  for (int g = 0; g < Count; ++g) {
#pragma unroll
    for (int apart = together; apart < 32; apart *= 2)
      sum[g] += __shfl_xor_sync(whole_warp, sum[g], apart);
    if (lane_of_warp() < together) sums[threadIdx.x / 32][mine][g] = sum[g];
  }
  __syncthreads();

  if (threadIdx.x < together && is_there) {
    float value[Count] = {};
#pragma unroll
    for (int g = 0; g < Count; ++g)
#pragma unroll
      for (int warp = 0; warp < usual_warps; ++warp) value[g] += sums[warp][mine][g];
    squares[row] = stored_ray_residuals<Count>(maps, view, column, rays, rays.unit, true, value);
#pragma unroll
    for (int g = 0; g < Count; ++g) residual[mine][g] = value[g];
  }
  __syncthreads();

  for_entries([&](std::size_t pixel, float weight) {
    float part[Count];
#pragma unroll
    for (int g = 0; g < Count; ++g) part[g] = weight * residual[mine][g];
    add_values<Count, Safe>(z + pixel * Count, part);
  });
}

}  // namespace gantry::device
