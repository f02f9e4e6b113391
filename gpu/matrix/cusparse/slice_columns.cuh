#pragma once

// Slices of images and rays as columns, [place][slice], and back.
#include "gpu/matrix/bsr_half/slice_halves.cuh"
#include "gpu/matrix/rows/row_selection.hpp"

namespace gantry::device {

/// Some slices of images or rays, and the columns that they become.
struct SliceTurn {
  SliceLayout layout;
  int first, slices;  ///< of the layout's
  int stride;         ///< columns of a place, not fewer
  std::int64_t places;
  const int* at;    ///< [place] which pixel or ray stands there, or -1; null: that of its number
  ViewRange views;  ///< of rays: the others are not read and become 0; back they stay as they are
  const int* bits;  ///< magnitudes of all slices, for halves; null: floats as they are
  float headroom;   ///< by which halves are smaller than they could be, a power of two
  float unit;       ///< of the weights

  __device__ int index(std::int64_t place) const {
    return at != nullptr ? at[place] : static_cast<int>(place);
  }
  template <bool Rays>
  __device__ std::int64_t natural(int index, int slice) const {
    return Rays ? layout.ray(index, slice) : layout.pixel(index, slice);
  }
  __device__ float scale(int slice) const {
    return half_scale(__int_as_float(bits[slice])) * headroom;
  }
  __device__ float back(float sum, int slice) const {
    return bits != nullptr ? sum * (unit / scale(slice)) : sum;
  }
  __device__ void put(float value, int, float& column) const { column = value; }
  __device__ void put(float value, int slice, __half& column) const {
    column = SplitHalf(value * scale(slice)).high;
  }
};

/// 32 places x 32 slices through shared memory: block (32, 8), grid (places / 32, stride / 32).
/// Columns that stand for no slice become 0.
template <bool Rays, class Column>
__global__ void to_columns(SliceTurn turn, const float* __restrict__ natural,
                           Column* __restrict__ columns) {
  __shared__ float tile[32][33];
  const int x = static_cast<int>(threadIdx.x), first = static_cast<int>(blockIdx.y) * 32;
  const std::int64_t place = blockIdx.x * std::int64_t{32} + x;
  const int index = place < turn.places ? turn.index(place) : -1;
  const bool wanted = index >= 0 && (!Rays || turn.views.has(index));
  for (int row = static_cast<int>(threadIdx.y); row < 32; row += 8)
    if (first + row < turn.slices)
      tile[x][row] =
          wanted ? natural[turn.template natural<Rays>(index, turn.first + first + row)] : 0;
  __syncthreads();
  if (first + x >= turn.stride) return;
  for (int row = static_cast<int>(threadIdx.y); row < 32; row += 8) {
    const std::int64_t to = blockIdx.x * std::int64_t{32} + row;
    if (to >= turn.places) return;
    Column& column = columns[to * turn.stride + first + x];
    if (first + x < turn.slices)
      turn.put(tile[row][x], turn.first + first + x, column);
    else
      column = 0.0F;
  }
}

/// The way back.
template <bool Rays>
__global__ void from_columns(SliceTurn turn, const float* __restrict__ columns,
                             float* __restrict__ natural) {
  __shared__ float tile[32][33];
  const int x = static_cast<int>(threadIdx.x), first = static_cast<int>(blockIdx.y) * 32;
  for (int row = static_cast<int>(threadIdx.y); row < 32; row += 8) {
    const std::int64_t from = blockIdx.x * std::int64_t{32} + row;
    if (from < turn.places && first + x < turn.slices)
      tile[row][x] = turn.back(columns[from * turn.stride + first + x], turn.first + first + x);
  }
  __syncthreads();
  const std::int64_t place = blockIdx.x * std::int64_t{32} + x;
  const int index = place < turn.places ? turn.index(place) : -1;
  if (index < 0 || (Rays && !turn.views.has(index))) return;
  for (int row = static_cast<int>(threadIdx.y); row < 32; row += 8)
    if (first + row < turn.slices)
      natural[turn.template natural<Rays>(index, turn.first + first + row)] = tile[x][row];
}

}  // namespace gantry::device
