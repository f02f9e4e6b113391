#pragma once

// Kernels that rearrange slices of images and rays to columns, [position][slice], and back, in
// tiles of 32 positions x 32 slices through shared memory (tile[32][33]). Block (32, 8) with thread
// (tx, ty), grid (positions / 32, slices / 32):
//
//                        tx of block (bx, by)        ty + 0, 8, 16, 24
//   images or rays       position 32 bx + tx         slice 32 by + ...
//   columns              slice 32 by + tx            position 32 bx + ...
//
// Memory is therefore accessed contiguously on both sides.
#include "gpu/device/transpose_tile.cuh"
#include "gpu/matrix/bsr_half/slice_halves.cuh"
#include "gpu/matrix/rows/row_selection.hpp"

namespace gantry::device {

/// Some slices of images or rays, and the columns that they become.
struct SliceColumns {
  SliceLayout layout;
  int first, slices;  ///< slices first .. first + slices - 1 of the layout
  int stride;         ///< columns per position, at least `slices`
  std::int64_t positions;
  const int* at;    ///< [position] pixel or ray at it, or -1; null: natural order
  ViewRange views;  ///< for rays: other views become 0; in out they stay unchanged
  const int* bits;  ///< largest magnitudes of all slices, for halves; null: floats, not scaled
  float headroom;   ///< power of two by which halves are kept below their largest magnitude
  float unit;       ///< unit of the weights

  __device__ int index(std::int64_t position) const {
    return at != nullptr ? at[position] : static_cast<int>(position);
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

/// Writes slices as columns; columns that stand for no slice become 0. Block (32, 8), grid
/// (positions / 32, stride / 32).
template <bool Rays, class Column>
__global__ void to_columns(SliceColumns part, const float* __restrict__ natural,
                           Column* __restrict__ columns) {
  constexpr int side = transpose_side;
  __shared__ float tile[side][side + 1];
  const int x = static_cast<int>(threadIdx.x), first = static_cast<int>(blockIdx.y) * side;
  const std::int64_t position = blockIdx.x * std::int64_t{side} + x;
  const int index = position < part.positions ? part.index(position) : -1;
  const bool wanted = index >= 0 && (!Rays || part.views.has(index));
  for (int row = static_cast<int>(threadIdx.y); row < side; row += transpose_rows)
    if (first + row < part.slices)
      tile[x][row] =
          wanted ? natural[part.template natural<Rays>(index, part.first + first + row)] : 0;
  __syncthreads();
  if (first + x >= part.stride) return;
  for (int row = static_cast<int>(threadIdx.y); row < side; row += transpose_rows) {
    const std::int64_t to = blockIdx.x * std::int64_t{side} + row;
    if (to >= part.positions) return;
    Column& column = columns[to * part.stride + first + x];
    if (first + x < part.slices)
      part.put(tile[row][x], part.first + first + x, column);
    else
      column = 0.0F;
  }
}

/// Writes columns back to slices; other views and pixels without a position stay unchanged.
template <bool Rays>
__global__ void from_columns(SliceColumns part, const float* __restrict__ columns,
                             float* __restrict__ natural) {
  constexpr int side = transpose_side;
  __shared__ float tile[side][side + 1];
  const int x = static_cast<int>(threadIdx.x), first = static_cast<int>(blockIdx.y) * side;
  for (int row = static_cast<int>(threadIdx.y); row < side; row += transpose_rows) {
    const std::int64_t from = blockIdx.x * std::int64_t{side} + row;
    if (from < part.positions && first + x < part.slices)
      tile[row][x] = part.back(columns[from * part.stride + first + x], part.first + first + x);
  }
  __syncthreads();
  const std::int64_t position = blockIdx.x * std::int64_t{side} + x;
  const int index = position < part.positions ? part.index(position) : -1;
  if (index < 0 || (Rays && !part.views.has(index))) return;
  for (int row = static_cast<int>(threadIdx.y); row < side; row += transpose_rows)
    if (first + row < part.slices)
      natural[part.template natural<Rays>(index, part.first + first + row)] = tile[x][row];
}

}  // namespace gantry::device
