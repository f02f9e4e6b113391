#pragma once

// Blocked row-column storage (Ashari, Sedaghati, Eisenlohr and Sadayappan, ICS 2014, 273),
// simplified: matrix rows are sorted by length within a group and put into chunks of 32; chunks are
// cut into BRC blocks of limited width, so that no warp has much more work than another. A group is
// a view or a line of voxels (row_chunks.hpp).
//
//   a chunk: 32 matrix rows, longest first, cut into BRC blocks of `width` entries a row
//
//               BRC block b                    BRC block b + 1        b + 2
//     lane 0   [ e0 e1 | e2 e3 | ... ]        [ .. .. | .. ]         [ .. ]
//     lane 1   [ e0 e1 | e2 e3 | ... ]        [ .. .. | .. ]         [ padding ]
//     ...
//     lane 31  [ e0 e1 | e2 e3 | ... ]        [ .. padding ]         [ padding ]
//                  |       |
//                  int4 k  int4 k + 1: two entries of a lane; the 32 lanes' int4 are neighbours
//
//   fill_brc, brc_sum_blocks   a warp for each BRC block (8 warps in a thread block), a lane for
//                              each matrix row; brc_sum_blocks writes sums[BRC block][lane]
//   brc_add_blocks             a warp for each chunk, a lane for each matrix row: adds the sums of
//                              its BRC blocks in their order and writes out[row]
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/sweeps/sweep_model.hpp"

namespace gantry::device {

/// A matrix in BRC blocks. Entries 2 k and 2 k + 1 of a lane are one int4: index, weight, index,
/// weight. Padding has the index -1.
struct BrcBlocks {
  const std::int64_t* start;   ///< [BRC block] first int4 of a lane; and the end
  const std::int64_t* blocks;  ///< [chunk] first BRC block; and the end
  const int* chunk;            ///< [BRC block] its chunk
  const int* row;              ///< [chunk][lane] matrix row, -1: none
  int4* entry;                 ///< [int4 of a lane][lane]
  int chunks_in_group, width;  ///< chunks of a group; entries of a row in a BRC block, at most

  /// Returns whether a chunk's group is one of `groups`.
  GANTRY_HD bool selected(std::int64_t chunk_at, const ViewRange& groups) const {
    const std::int64_t beyond = chunk_at / chunks_in_group - groups.first;
    return beyond >= 0 && beyond % groups.stride == 0 && beyond / groups.stride < groups.count;
  }
};

/// The matrix rows as sweeps read them, numbered [chunk][lane]. The int4 of a chunk follow each
/// other through its BRC blocks without a gap, because the width of these is even.
struct BrcSweepRows {
  static constexpr int together = 32;

  struct Line {
    const int4* first;
    int row, length;  // length: entries of the chunk's rows, with padding

    __device__ LineEntry entry(int e) const {
      const int4 two = first[std::int64_t{e / 2} * 32];
      return e % 2 == 0 ? LineEntry{two.x, __int_as_float(two.y)}
                        : LineEntry{two.z, __int_as_float(two.w)};
    }
  };

  BrcBlocks blocks;

  __device__ Line line(std::int64_t place) const {
    const std::int64_t chunk = place / 32, first = blocks.start[blocks.blocks[chunk]],
                       end = blocks.start[blocks.blocks[chunk + 1]];
    return {blocks.entry + (first * 32 + place % 32), blocks.row[place],
            static_cast<int>(2 * (end - first))};
  }
};

/// Writes the entries and the padding of all BRC blocks.
__global__ void __launch_bounds__(usual_threads)
    fill_brc(SparseRows from, BrcBlocks to, std::int64_t count) {
  const std::int64_t block = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (block >= count) return;
  const int chunk = to.chunk[block], row = to.row[std::int64_t{chunk} * 32 + lane_of_warp()];
  const std::int64_t offset = (block - to.blocks[chunk]) * to.width,
                     first = row < 0 ? 0 : from.start[row] + offset,
                     end = row < 0 ? 0 : from.start[row + 1];
  const auto entry = [&](std::int64_t p) {
    return p < end ? make_int2(from.index[p], __float_as_int(from.weight[p])) : make_int2(-1, 0);
  };
  for (std::int64_t k = 0; k < to.start[block + 1] - to.start[block]; ++k) {
    const int2 one = entry(first + 2 * k), other = entry(first + 2 * k + 1);
    to.entry[(to.start[block] + k) * 32 + lane_of_warp()] =
        make_int4(one.x, one.y, other.x, other.y);
  }
}

/// Computes sums[BRC block][lane], the products of each row's entries in each BRC block of the
/// selected groups.
template <bool Filtered>
__global__ void __launch_bounds__(usual_threads)
    brc_sum_blocks(BrcBlocks matrix, std::int64_t count, ViewRange groups, Operand<Filtered> in,
                   float* __restrict__ sums) {
  const std::int64_t block = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (block >= count || !matrix.selected(matrix.chunk[block], groups)) return;
  float sum = 0;
#pragma unroll 4
  for (std::int64_t k = matrix.start[block]; k < matrix.start[block + 1]; ++k) {
    const int4 two = __ldcs(matrix.entry + (k * 32 + lane_of_warp()));
    if (two.x >= 0) sum = fmaf(__int_as_float(two.y), in.at(two.x), sum);
    if (two.z >= 0) sum = fmaf(__int_as_float(two.w), in.at(two.z), sum);
  }
  sums[block * 32 + lane_of_warp()] = sum;
}

/// Computes out[row] of the selected groups from the sums of the BRC blocks.
__global__ void __launch_bounds__(usual_threads)
    brc_add_blocks(BrcBlocks matrix, std::int64_t chunks, ViewRange groups,
                   const float* __restrict__ sums, float* __restrict__ out) {
  const std::int64_t chunk = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  if (chunk >= chunks || !matrix.selected(chunk, groups)) return;
  float sum = 0;
  for (std::int64_t block = matrix.blocks[chunk]; block < matrix.blocks[chunk + 1]; ++block)
    sum += sums[block * 32 + lane_of_warp()];
  const int row = matrix.row[chunk * 32 + lane_of_warp()];
  if (row >= 0) out[row] = sum;
}

}  // namespace gantry::device
