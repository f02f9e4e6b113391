#pragma once

#include <cstddef>

namespace gantry::device {

/// turned[line][place] = value(line, place): `lines` lines of `length` values, read along the
/// lines' index and written along the places. Block (32, 8), which has the tile (blockIdx.x,
/// blockIdx.y); all its threads take part, and they must meet before they turn another.
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
