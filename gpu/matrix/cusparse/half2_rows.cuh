#pragma once

// Product of matrix rows of half weights with columns of halves, in half2 arithmetic: one
// instruction multiplies a weight with two slices (a pair).
//
//   block of 256: warp w owns matrix row 8 bx + w, and pairs Pairs by .. Pairs by + Pairs - 1
//
//   lane                   0        1       ..  Pairs - 1 | Pairs    ..  2 Pairs - 1 | ...
//   pair of slices         0        1       ..  Pairs - 1 | 0        ..  Pairs - 1   | ...
//   nonzeros of the row    0, G, 2 G, ...                 | 1, 1 + G, ...            | ...
//                                                           (G = 32 / Pairs groups of lanes)
//
// At the end shuffles add up the groups, and the first group writes. Shared memory is not used.
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"

#include <cuda_fp16.h>

#include <cstdint>

namespace gantry::device {

struct HalfRows {
  const std::int64_t* start;
  const int* index;
  const __half* weight;
};

/// Number of products that are added up as halves before the sum is added to a float32 sum.
constexpr int half2_chain = 8;

/// Computes out[row][pair] = sum of weight times in[index][pair]. A warp per matrix row; blocks of
/// 256, grid (rows / 8, pairs / Pairs).
template <int Pairs>
__global__ void __launch_bounds__(usual_threads)
    half2_rows(HalfRows matrix, std::int64_t rows, const __half2* __restrict__ in, int pairs,
               float2* __restrict__ out) {
  constexpr int groups = 32 / Pairs;
  const std::int64_t row = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (row >= rows) return;
  const int lane = lane_of_warp(), pair = static_cast<int>(blockIdx.y) * Pairs + lane % Pairs;
  const __half2* column = in + min(pair, pairs - 1);
  const std::int64_t end = matrix.start[row + 1];
  float2 sum{0, 0};
  for (std::int64_t p = matrix.start[row] + lane / Pairs; p < end; p += half2_chain * groups) {
    __half2 part = __float2half2_rn(0);
#pragma unroll
    for (int k = 0; k < half2_chain; ++k) {
      const std::int64_t at = p + k * groups;
      if (at < end)
        part = __hfma2(__half2half2(matrix.weight[at]),
                       column[std::int64_t{matrix.index[at]} * pairs], part);
    }
    const float2 wide = __half22float2(part);
    sum.x += wide.x;
    sum.y += wide.y;
  }
#pragma unroll
  for (int step = Pairs; step < 32; step *= 2) {
    sum.x += __shfl_xor_sync(whole_warp, sum.x, step);
    sum.y += __shfl_xor_sync(whole_warp, sum.y, step);
  }
  if (lane < Pairs && pair < pairs) out[row * pairs + pair] = sum;
}

}  // namespace gantry::device
