#pragma once

// Blocked row-column storage (Ashari, Sedaghati, Eisenlohr and Sadayappan, ICS 2014, 273),
// simplified: rows sorted by length inside a group, slices of 32 rows cut into blocks of limited
// width. A warp for each block, so that none has much more to do than another; a lane for each row,
// which reads two entries in one piece. Sums of blocks are added up in their order.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"
#include "gpu/matrix/sweeps/sweep_model.hpp"

namespace gantry::device {

/// Entries 2 k and 2 k + 1 of a lane lie together: index, weight, index, weight.
struct BrcBlocks {
  const std::int64_t* start;   ///< [block] in pieces of two entries for each lane; and the end
  const std::int64_t* blocks;  ///< [slice] first block; and the end
  const int* slice;            ///< [block]
  const int* row;              ///< [slice][lane], -1: none
  int4* entry;
  int slices_in_group, width;  ///< width: entries of a row in a block at most

  /// A slice's group among those selected, and its place there; false: not selected.
  GANTRY_HD bool selected(std::int64_t slice_at, const ViewRange& groups) const {
    const std::int64_t beyond = slice_at / slices_in_group - groups.first;
    return beyond >= 0 && beyond % groups.stride == 0 && beyond / groups.stride < groups.count;
  }
};

/// As sweeps read them, place [slice][lane]: pieces of a slice follow each other through its
/// blocks, whose width is even.
struct BrcLines {
  static constexpr int together = 32;

  struct Line {
    const int4* first;
    int row, length;  // of the slice

    __device__ LineEntry entry(int e) const {
      const int4 two = first[std::int64_t{e / 2} * 32];
      return e % 2 == 0 ? LineEntry{two.x, __int_as_float(two.y)}
                        : LineEntry{two.z, __int_as_float(two.w)};
    }
  };

  BrcBlocks blocks;

  __device__ Line line(std::int64_t place) const {
    const std::int64_t slice = place / 32, first = blocks.start[blocks.blocks[slice]],
                       end = blocks.start[blocks.blocks[slice + 1]];
    return {blocks.entry + (first * 32 + place % 32), blocks.row[place],
            static_cast<int>(2 * (end - first))};
  }
};

/// A warp for each block of the layout, blocks of 256.
__global__ void __launch_bounds__(256) fill_brc(SparseRows from, BrcBlocks to, std::int64_t count) {
  const std::int64_t block = blockIdx.x * std::int64_t{8} + threadIdx.x / 32;
  if (block >= count) return;
  const int slice = to.slice[block], row = to.row[std::int64_t{slice} * 32 + lane_of_warp()];
  const std::int64_t offset = (block - to.blocks[slice]) * to.width,
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

/// Sums of blocks of the selected groups. A warp for each block of the layout, blocks of 256.
template <bool Filtered>
__global__ void __launch_bounds__(256)
    brc_sum_blocks(BrcBlocks matrix, std::int64_t count, ViewRange groups, Operand<Filtered> in,
                   float* __restrict__ sums) {
  const std::int64_t block = blockIdx.x * std::int64_t{8} + threadIdx.x / 32;
  if (block >= count || !matrix.selected(matrix.slice[block], groups)) return;
  float sum = 0;
#pragma unroll 4
  for (std::int64_t k = matrix.start[block]; k < matrix.start[block + 1]; ++k) {
    const int4 two = __ldcs(matrix.entry + (k * 32 + lane_of_warp()));
    if (two.x >= 0) sum = fmaf(__int_as_float(two.y), in.at(two.x), sum);
    if (two.z >= 0) sum = fmaf(__int_as_float(two.w), in.at(two.z), sum);
  }
  sums[block * 32 + lane_of_warp()] = sum;
}

/// out_i of the selected groups. A thread for each slice and lane, blocks of 256.
__global__ void __launch_bounds__(256)
    brc_add_blocks(BrcBlocks matrix, std::int64_t slices, ViewRange groups,
                   const float* __restrict__ sums, float* __restrict__ out) {
  const std::int64_t slice = blockIdx.x * std::int64_t{8} + threadIdx.x / 32;
  if (slice >= slices || !matrix.selected(slice, groups)) return;
  float sum = 0;
  for (std::int64_t block = matrix.blocks[slice]; block < matrix.blocks[slice + 1]; ++block)
    sum += sums[block * 32 + lane_of_warp()];
  const int row = matrix.row[slice * 32 + lane_of_warp()];
  if (row >= 0) out[row] = sum;
}

}  // namespace gantry::device
