#pragma once

// The largest magnitude of each slice, of which its power of two as halves is made.
#include "gpu/kernels/tile_model.hpp"
#include "gpu/kernels/warp.cuh"

namespace gantry::device {

/// Where the values of slices lie: [line][slice] or [slice][line], `length` of each.
struct SliceLines {
  std::int64_t line_stride, slice_stride;
  int length, lines, first, step;  ///< lines first, first + step, ...
};

/// bits[slice] = max |value| as an integer. What is not finite has no say. A warp a line at a time;
/// grid (any, slices), blocks of 256.
__global__ void __launch_bounds__(256)
    find_slice_magnitudes(const float* __restrict__ value, SliceLines of, int* __restrict__ bits) {
  float most = 0;
  for (int i = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32); i < of.lines;
       i += static_cast<int>(gridDim.x) * 8) {
    const float* line =
        value + (of.first + i * of.step) * of.line_stride + blockIdx.y * of.slice_stride;
#pragma unroll 8
    for (int k = lane_of_warp(); k < of.length; k += 32) {
      const float one = fabsf(__ldg(line + k));
      if (one <= 3.4e38F) most = fmaxf(most, one);
    }
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    most = fmaxf(most, __shfl_xor_sync(whole_warp, most, step));
  if (lane_of_warp() == 0 && most > 0) atomicMax(bits + blockIdx.y, __float_as_int(most));
}

}  // namespace gantry::device
