#pragma once

#include "gpu/matrix/bsr_half/slice_lines.cuh"

namespace gantry::device {

/// Computes bits[slice] = max |value|, as the bits of a float (ordered like an integer). Warps own
/// lines as in largest_of_lines, and combine their maxima by atomics. Grid (any, slices), blocks of
/// 256.
__global__ void __launch_bounds__(usual_threads)
    find_slice_magnitudes(const float* __restrict__ value, SliceLines of, int* __restrict__ bits) {
  const float most = largest_of_lines(value, of);
  if (lane_of_warp() == 0 && most > 0) atomicMax(bits + blockIdx.y, __float_as_int(most));
}

}  // namespace gantry::device
