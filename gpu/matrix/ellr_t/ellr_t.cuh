#pragma once

// ELLR-T (Vazquez, Garzon and Fernandez, J. Struct. Biol. 170 (2010) 146): all N matrix rows are
// padded to the longest, T threads sum a row together, and the length of each row is stored. A
// thread reads Together entries at a time, the g-th such bundle of row j lies at bundle
// ((g / T) N + j) T + g % T, so that neighbouring threads read neighbouring memory. A bundle holds
// its indices, then its weights: of one entry they are an int2, of four an int4 and a float4 (Chen
// et al., "Matrix approach for processing of iterative reconstruction on cone beam CT").
//
//   ellr_multiply, T = 4: 4 threads for each selected row (here all rows are selected)
//
//     memory         | row 0          | row 1          | ... | row N - 1
//     first step     | g0 g1 g2 g3    | g0 g1 g2 g3    | ... | g0 g1 g2 g3
//     second step    | g4 g5 g6 g7    | g4 g5 g6 g7    | ... | g4 g5 --
//     thread         | 0  1  2  3     | 4  5  6  7     | ... |              --: not written or read
//     The T sums of a row are added by shuffles; the first of its threads writes the result.
//
//   fill_ellr: a warp for each matrix row, 8 rows in a block; the lanes take its entries
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/sweeps/sweep_model.hpp"

#include <type_traits>

namespace gantry::device {

/// Returns the bundle in memory that is the given one of a matrix row.
GANTRY_HD std::int64_t ellr_place(std::int64_t rows, std::int64_t row, std::int64_t bundle,
                                  int threads) {
  return (bundle / threads * rows + row) * threads + bundle % threads;
}

/// The matrix rows as sweeps read them; T is 2^log_threads.
template <int Together>
struct EllrSweepRows {
  static constexpr int together = 1;

  struct Line {
    const int* first;
    std::int64_t row, to_next;  // to_next: distance in memory to the next T bundles
    int log_threads, length;

    __device__ LineEntry entry(int e) const {
      const int bundle = e / Together;
      const std::int64_t place =
          (bundle >> log_threads) * to_next + (bundle & ((1 << log_threads) - 1));
      if constexpr (Together == 1) {
        const int2 one = reinterpret_cast<const int2*>(first)[place];
        return {one.x, __int_as_float(one.y)};
      } else {
        const int* at = first + place * (2 * Together) + e % Together;
        return {at[0], __int_as_float(at[Together])};
      }
    }
  };

  const int* entries;
  const int* length;
  std::int64_t rows;
  int log_threads;

  __device__ Line line(std::int64_t row) const {
    return {entries + (row << log_threads) * (2 * Together), row, rows << log_threads, log_threads,
            length[row]};
  }
};

/// Writes the entries and the lengths of all matrix rows. A bundle that is not full is filled with
/// its row's last index and the weight 0; bundles beyond are never read and not written.
template <int Together>
__global__ void __launch_bounds__(usual_threads)
    fill_ellr(SparseRows from, std::int64_t rows, int threads, int* __restrict__ entry,
              int* __restrict__ length) {
  const std::int64_t row = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (row >= rows) return;
  const std::int64_t first = from.start[row], count = from.start[row + 1] - first,
                     filled = (count + Together - 1) / Together * Together;
  for (std::int64_t e = lane_of_warp(); e < filled; e += 32) {
    const std::int64_t p = first + (e < count ? e : count - 1);
    int* const at =
        entry + ellr_place(rows, row, e / Together, threads) * (2 * Together) + e % Together;
    at[0] = from.index[p];
    at[Together] = e < count ? __float_as_int(from.weight[p]) : 0;
  }
  if (lane_of_warp() == 0) length[row] = static_cast<int>(count);
}

/// Elements of an operand that are read by a texture; as Operand.
template <bool Filtered>
struct TexturedOperand {
  cudaTextureObject_t value;
  int first;  ///< element of the texture that is the operand's first
  ViewRange views;

  __device__ float at(int i) const {
    if (Filtered && !views.has(i)) return 0;
    return tex1Dfetch<float>(value, first + i);
  }
};

/// Returns sum + the products of a bundle with the operand.
template <class In>
__device__ float add_bundle(const int2* at, const In& in, float sum) {
  const int2 one = __ldcs(at);
  return fmaf(__int_as_float(one.y), in.at(one.x), sum);
}
template <class In>
__device__ float add_bundle(const int4* at, const In& in, float sum) {
  const int4 index = __ldcs(at);
  const float4 weight = __ldcs(reinterpret_cast<const float4*>(at) + 1);
  sum = fmaf(weight.x, in.at(index.x), sum);
  sum = fmaf(weight.y, in.at(index.y), sum);
  sum = fmaf(weight.z, in.at(index.z), sum);
  return fmaf(weight.w, in.at(index.w), sum);
}

/// Computes out[row] for the selected matrix rows. Blocks of any size.
template <int Threads, int Together, class In>
__global__ void ellr_multiply(const int* __restrict__ entry, const int* __restrict__ length,
                              std::int64_t all_rows, ViewRange rows, In in,
                              float* __restrict__ out) {
  using Load = std::conditional_t<Together == 1, int2, int4>;
  constexpr int loads = 2 * Together * sizeof(int) / sizeof(Load);  // of a bundle
  const std::int64_t thread = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x,
                     nth = thread / Threads;
  const int lane = static_cast<int>(thread % Threads);
  float sum = 0;
  std::int64_t row = 0;
  if (nth < rows.rows()) {
    row = rows.row(nth);
    const int bundles = (length[row] + Together - 1) / Together;
    const auto* at = reinterpret_cast<const Load*>(entry) + (row * Threads + lane) * loads;
#pragma unroll 4
    for (int g = lane; g < bundles; g += Threads, at += all_rows * Threads * loads)
      sum = add_bundle(at, in, sum);
  }
#pragma unroll
  for (int step = Threads / 2; step > 0; step /= 2) sum += __shfl_xor_sync(whole_warp, sum, step);
  if (lane == 0 && nth < rows.rows()) out[row] = sum;
}

}  // namespace gantry::device
