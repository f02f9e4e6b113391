#pragma once

// Kernels that build a matrix in square blocks, every block row padded to the longest one
// (Blocked-ELL). A thread block (8 warps) owns a block row, which is `side` matrix rows, and goes
// through its block columns in portions of 32768. For each portion a bit map in shared memory
// (SquarePortion) says which blocks have nonzeros.
//
//   thread block b:  block row b
//   warp w:          its matrix rows w, w + 8, ...; lanes take nonzeros l, l + 32, ...
//   thread t:        words 4 t .. 4 t + 3 of the bit map when blocks are counted (find_squares),
//                    words t, t + 256, ... when block columns are written (fill_squares)
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half/slice_halves.cuh"
#include "gpu/matrix/cusparse/tuning.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"

namespace gantry::device {

using cusparse::square_threads, cusparse::square_words, cusparse::square_portion;

/// Matrix rows in natural order, and the positions that rows and columns get in the blocks.
struct SquareSource {
  SparseRows rows;
  const int* row_at;    ///< [position] row at it, or -1
  const int* place_of;  ///< [column] its position
  int side, columns;    ///< side of the blocks; number of block columns
  float scale;          ///< factor of the weights
};

/// Bits of the blocks of a portion that have nonzeros, and the number of such blocks before each
/// word.
struct SquarePortion {
  unsigned met[square_words];
  int before[square_words];

  __device__ int rank(int block) const {
    return before[block / 32] + __popc(met[block / 32] & ((1U << block % 32) - 1));
  }
};

/// Calls visit(row within the block, block within the portion, column within the block, weight) for
/// the nonzeros of this thread block in a portion.
template <class Visit>
__device__ void visit_squares(const SquareSource& from, int first, const Visit& visit) {
  for (int i = static_cast<int>(threadIdx.x / 32); i < from.side; i += square_threads / 32) {
    const int row = from.row_at[std::int64_t{blockIdx.x} * from.side + i];
    if (row < 0) continue;
    for (std::int64_t p = from.rows.start[row] + lane_of_warp(); p < from.rows.start[row + 1];
         p += 32) {
      const int place = from.place_of[from.rows.index[p]], block = place / from.side - first;
      if (block >= 0 && block < square_portion)
        visit(i, block, place % from.side, from.rows.weight[p]);
    }
  }
}

/// Sets the bits of the blocks with nonzeros; returns the number of such blocks.
__device__ inline int find_squares(const SquareSource& from, int first, SquarePortion& portion) {
  __shared__ int sums[square_threads / 32];
  for (int i = static_cast<int>(threadIdx.x); i < square_words; i += square_threads)
    portion.met[i] = 0;
  __syncthreads();
  visit_squares(from, first, [&](int, int block, int, float) {
    atomicOr(&portion.met[block / 32], 1U << block % 32);
  });
  __syncthreads();
  constexpr int each = square_words / square_threads;
  const int word = static_cast<int>(threadIdx.x) * each, warp = static_cast<int>(threadIdx.x / 32);
  int mine = 0;
  for (int i = word; i < word + each; ++i) {
    portion.before[i] = mine;
    mine += __popc(portion.met[i]);
  }
  const int upto = warp_prefix(mine);
  if (lane_of_warp() == 31) sums[warp] = upto;
  __syncthreads();
  int below = 0, all = 0;
  for (int other = 0; other < square_threads / 32; ++other) {
    if (other < warp) below += sums[other];
    all += sums[other];
  }
  for (int i = word; i < word + each; ++i) portion.before[i] += below + upto - mine;
  __syncthreads();
  return all;
}

/// Counts the blocks of all block rows, and of the longest one. A thread block per block row.
__global__ void __launch_bounds__(square_threads)
    count_squares(SquareSource from, unsigned long long* __restrict__ sum_and_most) {
  __shared__ SquarePortion portion;
  int count = 0;
  for (int first = 0; first < from.columns; first += square_portion) {
    count += find_squares(from, first, portion);
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  atomicAdd(sum_and_most, static_cast<unsigned long long>(count));
  atomicMax(sum_and_most + 1, static_cast<unsigned long long>(count));
}

/// Fills column[block row][slot], initialised to -1, and weight[row][slot][column within the
/// block], initialised to 0. A thread block per block row.
__global__ void __launch_bounds__(square_threads)
    fill_squares(SquareSource from, int slots, int* __restrict__ column,
                 __half* __restrict__ weight) {
  __shared__ SquarePortion portion;
  int before = 0;
  for (int first = 0; first < from.columns; first += square_portion) {
    const int found = find_squares(from, first, portion);
    for (int word = static_cast<int>(threadIdx.x); word < square_words; word += square_threads) {
      int* to = column + std::int64_t{blockIdx.x} * slots + before + portion.before[word];
      for (unsigned left = portion.met[word]; left != 0; left &= left - 1)
        *to++ = first + word * 32 + __ffs(static_cast<int>(left)) - 1;
    }
    visit_squares(from, first, [&](int row, int block, int inside, float value) {
      const std::int64_t line = std::int64_t{blockIdx.x} * from.side + row;
      weight[(line * slots + before + portion.rank(block)) * from.side + inside] =
          half_weight(value * from.scale);
    });
    before += found;
    __syncthreads();
  }
}

}  // namespace gantry::device
