#pragma once

#include "gpu/device/block_shape.hpp"

#include <cstddef>

namespace gantry::device {

/// The sides of a tile, and the rows of a block, which is transpose_side x transpose_rows threads:
/// the lanes of a warp have neighbouring values of a row of the tile.
constexpr int transpose_side = 32, transpose_rows = 8;
static_assert(transpose_side == 32 && transpose_side % transpose_rows == 0 &&
              is_block(transpose_side * transpose_rows));

/// Transposes a tile of 32 x 32 values: transposed[line][place] = value(line, place), for `lines`
/// lines of `length` values. Block (32, 8); block (x, y) has lines 32 x .. 32 x + 31 and indices
/// ("places") 32 y .. 32 y + 31.
///
///             threadIdx.x        threadIdx.y + 0, 8, 16, 24
///   read:     line               index along the line       into tile[index][line]
///   write:    index              line                       from tile[index][line]
///
/// Reads are contiguous over the lines, writes over the indices. tile[32][33] lies in shared
/// memory. All threads of the block must call the function, and must synchronise before they call
/// it again.
template <class Value>
__device__ __forceinline__ void transpose_tile(int lines, int length, const Value& value,
                                               float* __restrict__ transposed) {
  constexpr int side = transpose_side;
  __shared__ float tile[side][side + 1];
  const int first_line = blockIdx.x * side, first_place = blockIdx.y * side;
  const int read_line = first_line + threadIdx.x, place = first_place + threadIdx.x;
  for (int j = threadIdx.y; j < side; j += transpose_rows)
    if (read_line < lines && first_place + j < length)
      tile[j][threadIdx.x] = value(read_line, first_place + j);
  __syncthreads();
  if (place >= length) return;
  for (int j = threadIdx.y; j < side && first_line + j < lines; j += transpose_rows)
    transposed[static_cast<std::size_t>(first_line + j) * length + place] = tile[threadIdx.x][j];
}

}  // namespace gantry::device
