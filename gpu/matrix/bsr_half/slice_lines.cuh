#pragma once

// Lines of the slices of a vector, and the largest magnitude in them, from which the power of two
// for halves follows.
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half/tile_model.hpp"
#include "gpu/matrix/rows/row_selection.hpp"

namespace gantry::device {

/// The values of a slice: lines of `length` contiguous values; the lines are numbered first, first
/// + step, ..., `lines` in total.
struct SliceLines {
  std::int64_t line_stride, slice_stride;
  int length, lines, first, step;
};

/// Returns the lines of images [slice][pixel], nx pixels each.
inline SliceLines image_lines(const SliceLayout& layout, int nx) {
  return {nx, layout.pixels, nx, static_cast<int>(layout.pixels / nx), 0, 1};
}
/// Returns the lines of rays [view][slice][cell] in some views.
inline SliceLines ray_lines(const SliceLayout& layout, const ViewRange& views) {
  return {std::int64_t{layout.cells} * layout.slices,
          layout.cells,
          layout.cells,
          views.count,
          views.first,
          views.stride};
}

/// Returns max |value| over this warp's lines of slice blockIdx.y, in all its lanes; values that
/// are not finite are ignored. A warp reads a line at a time; blocks of 256 (8 warps) along x:
///
///   warp w of block (bx, slice) reads the lines 8 bx + w, + 8 gridDim.x, ...; lane l its values
///   l, l + 32, ...
__device__ inline float largest_of_lines(const float* __restrict__ value, const SliceLines& of) {
  float most = 0;
  for (int i = static_cast<int>(blockIdx.x * usual_warps + threadIdx.x / 32); i < of.lines;
       i += static_cast<int>(gridDim.x) * usual_warps) {
    const float* line =
        value + (of.first + i * of.step) * of.line_stride + blockIdx.y * of.slice_stride;
#pragma unroll 8
    for (int k = lane_of_warp(); k < of.length; k += 32) {
      const float one = fabsf(__ldg(line + k));
      if (one <= 3.4e38F) most = fmaxf(most, one);
    }
  }
  return warp_max(most);
}

}  // namespace gantry::device
