#pragma once

// The largest magnitude of a vector. find_magnitude: blocks of 256; a thread has the selected
// values i, i + threads of the grid, ...; a warp finds its maximum by shuffles and updates the
// result by one atomic.
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_model.hpp"

namespace gantry::device {

/// Computes bits = max(bits, |value|), as the bits of a float, over the selected `runs` of `length`
/// values, which are `pitch` apart. NaNs are ignored.
static __global__ void __launch_bounds__(usual_threads)
    find_magnitude(const float* __restrict__ value, std::size_t length, std::size_t pitch,
                   StoredViewSubset runs, int* __restrict__ bits) {
  float most = 0;
  for (std::size_t i = blockIdx.x * std::size_t{usual_threads} + threadIdx.x;
       i < length * runs.count; i += std::size_t{gridDim.x} * usual_threads) {
    const std::size_t run = runs.first + i / length * runs.stride;
    most = fmaxf(most, fabsf(value[run * pitch + i % length]));
  }
  most = warp_max(most);
  if (lane_of_warp() == 0) atomicMax(bits, __float_as_int(most));
}

}  // namespace gantry::device
