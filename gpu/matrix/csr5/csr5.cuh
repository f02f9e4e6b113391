#pragma once

// CSR5 (Liu and Vinter, ICS 2015, 339), simplified: the nonzeros, matrix row after matrix row, in
// tiles of 32 lanes by sigma entries. Nonzero (t 32 + l) sigma + i is entry i of lane l of tile t
// and lies at (t sigma + i) 32 + l, so that the lanes of a warp read neighbouring memory.
//
//   csr5_multiply: a warp for each tile, 8 tiles in a block. Example with sigma = 4:
//
//                lane 0    lane 1    lane 2    lane 3  ...
//     i = 0        a         b         c         c         letters: matrix rows of the nonzeros
//     i = 1        a         b         c       * d         *: first nonzero of a row (`begins`)
//     i = 2        a       * c         c         d         `begun`: rows that begin before the
//     i = 3      * b         c         c         d                  lane, in all tiles
//
//     Row b begins in lane 0 and ends in lane 1: lane 0 hands its sum on (a segmented prefix sum by
//     shuffles), lane 1 adds it to its own and adds both to out[b] by an atomic. A row that begins
//     and ends within one lane is written without an atomic. The last lane adds the sum of the row
//     that is still open at the end of the tile, to which the next tile adds the rest. A tile in
//     which no row begins is the paper's fast track: a sum of the warp and one atomic.
//
//   fill_csr5     a warp for each nonempty matrix row, whose lanes take its nonzeros
//   count_begun   a thread for each lane of each tile
//   clear_rows    a thread for each selected matrix row
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/sweeps/sweep_model.hpp"

namespace gantry::device {

/// A matrix in CSR5.
struct Csr5Tiles {
  int2* entry;       ///< [tile][i][lane] index and weight; index -1: behind the last nonzero
  unsigned* begins;  ///< [tile][lane] bit i: entry i is the first of its matrix row
  int* begun;        ///< [tile][lane] nonempty rows whose first nonzero is before the lane's
  const int* row;    ///< the matrix rows that are not empty
  int sigma;
  std::int64_t tiles;
};

/// The matrix rows as sweeps read them: a row has consecutive nonzeros, as in CSR, which lie in the
/// order of the tiles.
struct Csr5SweepRows {
  static constexpr int together = 1;

  struct Line {
    const int2* entries;
    std::int64_t begin, row;
    int length, sigma;

    __device__ LineEntry entry(int e) const {
      const std::int64_t p = begin + e, lane = p / sigma;
      const int2 one = entries[(lane / 32 * sigma + p % sigma) * 32 + lane % 32];
      return {one.x, __int_as_float(one.y)};
    }
  };

  Csr5Tiles tiles;
  const std::int64_t* start;  ///< [matrix row] first nonzero; and the end

  __device__ Line line(std::int64_t place) const {
    const std::int64_t begin = start[place];
    return {tiles.entry, begin, place, static_cast<int>(start[place + 1] - begin), tiles.sigma};
  }
};

/// Writes the entries of the nonempty matrix rows and their bits in `begins`. The caller has set
/// all indices to -1 and all bits to 0.
__global__ void __launch_bounds__(usual_threads)
    fill_csr5(SparseRows from, std::int64_t listed, Csr5Tiles to) {
  const std::int64_t nth = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (nth >= listed) return;
  const int row = to.row[nth];
  const std::int64_t first = from.start[row], last = from.start[row + 1];
  for (std::int64_t p = first + lane_of_warp(); p < last; p += 32) {
    const std::int64_t lane = p / to.sigma;  // counted through all tiles
    const int i = static_cast<int>(p % to.sigma);
    to.entry[(lane / 32 * to.sigma + i) * 32 + lane % 32] =
        make_int2(from.index[p], __float_as_int(from.weight[p]));
    if (p == first) atomicOr(to.begins + lane, 1U << static_cast<unsigned>(i));
  }
}

/// Computes `begun` of each lane by bisection.
__global__ void __launch_bounds__(usual_threads)
    count_begun(const std::int64_t* __restrict__ start, std::int64_t listed, Csr5Tiles to) {
  const std::int64_t lane = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (lane >= to.tiles * 32) return;
  std::int64_t low = 0, high = listed;  // the result: rows that begin before the lane's nonzeros
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (start[to.row[middle]] < lane * to.sigma)
      low = middle + 1;
    else
      high = middle;
  }
  to.begun[lane] = static_cast<int>(low);
}

/// Sets out to 0 in the selected matrix rows.
__global__ void __launch_bounds__(usual_threads)
    clear_rows(ViewRange rows, float* __restrict__ out) {
  const std::int64_t nth = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (nth < rows.rows()) out[rows.row(nth)] = 0;
}

/// Returns whether any of the matrix rows first .. last may be selected: whether `rows` has any
/// view among theirs.
GANTRY_HD bool has_any(const ViewRange& rows, int first, int last) {
  for (std::int64_t row = first / rows.cells * std::int64_t{rows.cells}; row <= last;
       row += rows.cells)
    if (rows.has(row)) return true;
  return false;
}

/// Returns the sum of a lane's entries.
template <bool Filtered>
__device__ float sum_of_lane(const int2* at, int sigma, const Operand<Filtered>& in) {
  float sum = 0;
  for (int i = 0; i < sigma; ++i, at += 32) {
    const int2 one = __ldcs(at);
    if (one.x >= 0) sum = fmaf(__int_as_float(one.y), in.at(one.x), sum);
  }
  return sum;
}

/// Adds to out the products of the selected matrix rows, which have been cleared.
template <bool Filtered>
__global__ void __launch_bounds__(usual_threads)
    csr5_multiply(Csr5Tiles matrix, ViewRange rows, Operand<Filtered> in, float* __restrict__ out) {
  const std::int64_t tile = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (tile >= matrix.tiles) return;
  const int lane = lane_of_warp();
  const unsigned begins = matrix.begins[tile * 32 + lane];
  const int before = matrix.begun[tile * 32 + lane];
  int begun = before;
  const int begun_last = __shfl_sync(whole_warp, before + __popc(begins), 31),
            begun_first = __shfl_sync(whole_warp, before, 0);
  if (!has_any(rows, matrix.row[begun_first > 0 ? begun_first - 1 : 0], matrix.row[begun_last - 1]))
    return;

  const int2* at = matrix.entry + (tile * matrix.sigma * 32 + lane);
  if (__all_sync(whole_warp,
                 begins == 0)) {  // the tile lies within one row, as most do in long rows
    const float whole = warp_sum(sum_of_lane(at, matrix.sigma, in));
    if (lane == 0 && before > 0 && rows.has(matrix.row[before - 1]))
      atomicAdd(out + matrix.row[before - 1], whole);
    return;
  }
  float sum = 0, head = 0;  // head: the sum of the row that has begun before the lane
  for (int i = 0; i < matrix.sigma; ++i, at += 32) {
    if ((begins >> static_cast<unsigned>(i) & 1U) != 0) {
      if (begun == before)
        head = sum;
      else if (const int row = matrix.row[begun - 1]; rows.has(row))
        out[row] = sum;  // this row begins and ends in this lane
      sum = 0;
      ++begun;
    }
    const int2 one = __ldcs(at);
    if (one.x >= 0) sum = fmaf(__int_as_float(one.y), in.at(one.x), sum);
  }

  // A segmented prefix sum: afterwards `sum` is that of the row which is open at the end of the
  // lane, from the row's first nonzero in the tile.
  bool closed = begins != 0;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const float handed = __shfl_up_sync(whole_warp, sum, step);
    const bool handed_closed = __shfl_up_sync(whole_warp, closed, step);
    if (lane >= step && !closed) {
      sum += handed;
      closed = handed_closed;
    }
  }
  const float handed = __shfl_up_sync(whole_warp, sum, 1);
  if (begins != 0 && before > 0) {
    const int row = matrix.row[before - 1];
    if (rows.has(row)) atomicAdd(out + row, head + (lane > 0 ? handed : 0.0F));
  }
  if (lane == 31 && begun > 0) {
    const int row = matrix.row[begun - 1];
    if (rows.has(row)) atomicAdd(out + row, sum);
  }
}

}  // namespace gantry::device
