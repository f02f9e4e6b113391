#pragma once

#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_model.hpp"

namespace gantry::device {

/// bits = max(bits, |value|) over `runs` of `length` values, `pitch` apart. A NaN has no say.
static __global__ void __launch_bounds__(256)
    find_magnitude(const float* __restrict__ value, std::size_t length, std::size_t pitch,
                   StoredViewSubset runs, int* __restrict__ bits) {
  float most = 0;
  for (std::size_t i = blockIdx.x * std::size_t{256} + threadIdx.x; i < length * runs.count;
       i += std::size_t{gridDim.x} * 256) {
    const std::size_t run = runs.first + i / length * runs.stride;
    most = fmaxf(most, fabsf(value[run * pitch + i % length]));
  }
  most = warp_max(most);
  if (lane_of_warp() == 0) atomicMax(bits, __float_as_int(most));
}

}  // namespace gantry::device
