#pragma once

#include <cstddef>

namespace gantry::device {

/// Transposes a tile of 32 x 32 values: turned[line][place] = value(line, place), for `lines` lines
/// of `length` values. Block (32, 8); block (x, y) has lines 32 x .. 32 x + 31 and indices
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
__device__ __forceinline__ void turn_tile(int lines, int length, const Value& value,
                                          float* __restrict__ turned) {
  __shared__ float tile[32][33];
  const int first_line = blockIdx.x * 32, first_place = blockIdx.y * 32;
  const int read_line = first_line + threadIdx.x, place = first_place + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (read_line < lines && first_place + j < length)
      tile[j][threadIdx.x] = value(read_line, first_place + j);
  __syncthreads();
  if (place >= length) return;
  for (int j = threadIdx.y; j < 32 && first_line + j < lines; j += 8)
    turned[static_cast<std::size_t>(first_line + j) * length + place] = tile[threadIdx.x][j];
}

}  // namespace gantry::device
