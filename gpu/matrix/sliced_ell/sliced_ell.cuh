#pragma once

// Sliced ELL (SELL-32-sigma): matrix rows are sorted by length within a group, a view or a line of
// voxels, and put into chunks (slices) of 32, whose rows are padded to the longest. This is what
// the view-level blocking of cuART aims at, without its flags.
//
//   fill_chunks_of_rows, sliced_multiply: a warp for each chunk, 8 chunks in a block; a lane for
//   each matrix row
//
//                 entry 0        entry 1        ...   entry `length of lane 0` - 1
//     lane 0    [ index, weight | index, weight | ... | index, weight ]    longest row
//     lane 1    [ index, weight | index, weight | ... | padding       ]
//     ...
//     lane 31   [ index, weight | padding       | ... | padding       ]    shortest row
//                      ^ the 32 entries of a slot are neighbours in memory: one read of a warp
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/sweeps/sweep_model.hpp"

namespace gantry::device {

/// A matrix in chunks. A chunk has rows of one group alone: a group has as many chunks as its rows
/// need.
struct SlicedRows {
  const std::int64_t* start;  ///< [chunk] first entry, counted per lane; and the end
  const int* row;             ///< [chunk][lane] matrix row, -1: none
  int2* entry;                ///< [entry of a lane][lane] index and weight; index -1: padding
  int chunks_in_group;        ///< chunks of a group
};

/// The matrix rows as sweeps read them, numbered [chunk][lane].
struct SlicedSweepRows {
  static constexpr int together = 32;

  struct Line {
    const int2* first;
    int row, length;  // length: entries of the chunk's rows, with padding

    __device__ LineEntry entry(int e) const {
      const int2 one = first[std::int64_t{e} * 32];
      return {one.x, __int_as_float(one.y)};
    }
  };

  SlicedRows rows;

  __device__ Line line(std::int64_t place) const {
    const std::int64_t chunk = place / 32, start = rows.start[chunk];
    return {rows.entry + (start * 32 + place % 32), rows.row[place],
            static_cast<int>(rows.start[chunk + 1] - start)};
  }
};

/// Writes the entries and the padding of all chunks.
__global__ void __launch_bounds__(usual_threads)
    fill_chunks_of_rows(SparseRows from, SlicedRows to, std::int64_t chunks) {
  const std::int64_t chunk = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (chunk >= chunks) return;
  const int row = to.row[chunk * 32 + lane_of_warp()];
  const std::int64_t first = row < 0 ? 0 : from.start[row],
                     length = row < 0 ? 0 : from.start[row + 1] - first;
  for (std::int64_t k = 0; k < to.start[chunk + 1] - to.start[chunk]; ++k)
    to.entry[(to.start[chunk] + k) * 32 + lane_of_warp()] =
        k < length ? make_int2(from.index[first + k], __float_as_int(from.weight[first + k]))
                   : make_int2(-1, 0);
}

/// Computes out[row] for the matrix rows of the selected groups.
template <bool Filtered>
__global__ void __launch_bounds__(usual_threads)
    sliced_multiply(SlicedRows matrix, ViewRange groups, Operand<Filtered> in,
                    float* __restrict__ out) {
  const std::int64_t nth = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (nth >= std::int64_t{groups.count} * matrix.chunks_in_group) return;
  const std::int64_t group = groups.first + nth / matrix.chunks_in_group * groups.stride,
                     chunk = group * matrix.chunks_in_group + nth % matrix.chunks_in_group,
                     end = matrix.start[chunk + 1];
  float sum = 0;
#pragma unroll 4
  for (std::int64_t k = matrix.start[chunk]; k < end; ++k) {
    const int2 one = __ldcs(matrix.entry + (k * 32 + lane_of_warp()));
    if (one.x >= 0) sum = fmaf(__int_as_float(one.y), in.at(one.x), sum);
  }
  const int row = matrix.row[chunk * 32 + lane_of_warp()];
  if (row >= 0) out[row] = sum;
}

}  // namespace gantry::device
