#pragma once

// Block CSR (Chen et al., "Matrix approach for processing of iterative reconstruction on cone beam
// CT"): a matrix row of fewer than 16 entries is summed by one thread, a longer one by half a warp.
// The paper does not say which of the two sums rows of exactly 16 entries; here half a warp does.
// Entries lie as in CSR; each kind of row has a list of its own and a launch of block_csr_multiply.
//
//   block_csr_multiply<1>: thread t of the grid has matrix row list[t]
//
//     entries of the row    [ e0 | e1 | e2 | ... ]      all read by thread t
//
//   block_csr_multiply<16>: half warp h of the grid has matrix row list[h]
//
//     entries of the row    [ e0 | e1 | ... | e15 ][ e16 | e17 | ... | e31 ] ...
//     thread of the half      0    1          15      0     1           15
//     The 16 sums are added by shuffles; thread 0 of the half writes the result.
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"

namespace gantry::device {

/// The threads of a matrix row with fewer entries than short_row, and of a longer one; they lie in
/// one warp.
constexpr int short_row = 16, short_row_threads = 1, long_row_threads = 16;
static_assert(32 % short_row_threads == 0 && 32 % long_row_threads == 0);

/// Computes out[row] for those of the listed matrix rows that `rows` contains. Blocks of 256
/// threads.
template <int Threads, bool Filtered>
__global__ void __launch_bounds__(usual_threads)
    block_csr_multiply(SparseRows matrix, const int* __restrict__ list, std::int64_t listed,
                       ViewRange rows, Operand<Filtered> in, float* __restrict__ out) {
  const std::int64_t nth = (blockIdx.x * std::int64_t{usual_threads} + threadIdx.x) / Threads;
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
