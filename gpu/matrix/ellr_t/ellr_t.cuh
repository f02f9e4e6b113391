#pragma once

// ELLR-T (Vazquez, Garzon and Fernandez, J. Struct. Biol. 170 (2010) 146): all N matrix rows are
// padded to the longest, T threads sum a row together, and the length of each row is stored. Entry
// e of row j lies at ((e / T) N + j) T + e % T, so that neighbouring threads read neighbouring
// memory; index and weight are one int2.
//
//   ellr_multiply, T = 4: 4 threads for each selected row (here all rows are selected)
//
//     memory         | row 0          | row 1          | ... | row N - 1
//     first step     | e0 e1 e2 e3    | e0 e1 e2 e3    | ... | e0 e1 e2 e3
//     second step    | e4 e5 e6 e7    | e4 e5 e6 e7    | ... | e4 e5 --
//     thread         | 0  1  2  3     | 4  5  6  7     | ... |              --: not written or read
//     The T sums of a row are added by shuffles; the first of its threads writes the result.
//
//   fill_ellr: a warp for each matrix row, 8 rows in a block; the lanes take its entries
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/sweeps/sweep_model.hpp"

namespace gantry::device {

/// Returns the index in memory of an entry of a matrix row.
GANTRY_HD std::int64_t ellr_place(std::int64_t rows, std::int64_t row, std::int64_t entry,
                                  int threads) {
  return (entry / threads * rows + row) * threads + entry % threads;
}

/// The matrix rows as sweeps read them; T is 2^log_threads.
struct EllrSweepRows {
  static constexpr int together = 1;

  struct Line {
    const int2* first;
    std::int64_t row, to_next;  // to_next: distance in memory to the next T entries
    int log_threads, length;

    __device__ LineEntry entry(int e) const {
      const int2 one = first[(e >> log_threads) * to_next + (e & ((1 << log_threads) - 1))];
      return {one.x, __int_as_float(one.y)};
    }
  };

  const int2* entries;
  const int* length;
  std::int64_t rows;
  int log_threads;

  __device__ Line line(std::int64_t row) const {
    return {entries + (row << log_threads), row, rows << log_threads, log_threads, length[row]};
  }
};

/// Writes the entries and the lengths of all matrix rows. Padding is never read and therefore not
/// written.
__global__ void __launch_bounds__(usual_threads)
    fill_ellr(SparseRows from, std::int64_t rows, int threads, int2* __restrict__ entry,
              int* __restrict__ length) {
  const std::int64_t row = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (row >= rows) return;
  const std::int64_t first = from.start[row], last = from.start[row + 1];
  for (std::int64_t p = first + lane_of_warp(); p < last; p += 32)
    entry[ellr_place(rows, row, p - first, threads)] =
        make_int2(from.index[p], __float_as_int(from.weight[p]));
  if (lane_of_warp() == 0) length[row] = static_cast<int>(last - first);
}

/// Computes out[row] for the selected matrix rows. Blocks of any size.
template <int Threads, bool Filtered>
__global__ void ellr_multiply(const int2* __restrict__ entry, const int* __restrict__ length,
                              std::int64_t all_rows, ViewRange rows, Operand<Filtered> in,
                              float* __restrict__ out) {
  const std::int64_t thread = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x,
                     nth = thread / Threads;
  const int lane = static_cast<int>(thread % Threads);
  float sum = 0;
  std::int64_t row = 0;
  if (nth < rows.rows()) {
    row = rows.row(nth);
    const int entries = length[row];
    const int2* at = entry + (row * Threads + lane);
#pragma unroll 4
    for (int e = lane; e < entries; e += Threads, at += all_rows * Threads) {
      const int2 one = __ldcs(at);
      sum = fmaf(__int_as_float(one.y), in.at(one.x), sum);
    }
  }
#pragma unroll
  for (int step = Threads / 2; step > 0; step /= 2) sum += __shfl_xor_sync(whole_warp, sum, step);
  if (lane == 0 && nth < rows.rows()) out[row] = sum;
}

}  // namespace gantry::device
