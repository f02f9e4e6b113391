#pragma once

// Block CSR (Chen et al., "Matrix approach for processing of iterative reconstruction on cone beam
// CT"): rows of fewer than 16 entries are added up by one thread, longer ones by half a warp. Where
// rows of 16 belong is left open there; here to the half warps.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"

namespace gantry::device {

constexpr int short_row = 16;

/// `Threads` for each of the listed rows; rows outside the selection are passed over. Blocks of
/// 256.
template <int Threads, bool Filtered>
__global__ void __launch_bounds__(256)
    block_csr_multiply(SparseRows matrix, const int* __restrict__ list, std::int64_t listed,
                       ViewRange rows, Operand<Filtered> in, float* __restrict__ out) {
  const std::int64_t nth = (blockIdx.x * std::int64_t{256} + threadIdx.x) / Threads;
  const int lane = static_cast<int>(threadIdx.x % Threads);
  const int row = nth < listed ? list[nth] : -1;
  const bool wanted = row >= 0 && rows.has(row);
  float sum = 0;
  if (wanted) {
    const std::int64_t end = matrix.start[row + 1];
#pragma unroll 4
    for (std::int64_t p = matrix.start[row] + lane; p < end; p += Threads)
      sum = fmaf(__ldcs(matrix.weight + p), in.at(__ldcs(matrix.index + p)), sum);
  }
#pragma unroll
  for (int step = Threads / 2; step > 0; step /= 2) sum += __shfl_xor_sync(whole_warp, sum, step);
  if (wanted && lane == 0) out[row] = sum;
}

}  // namespace gantry::device
