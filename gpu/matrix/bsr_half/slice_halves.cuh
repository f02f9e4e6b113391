#pragma once

// Floats as halves: slices, each times a power of two of its own, and weights.
#include "gpu/matrix/bsr_half/tile_model.hpp"

#include <cuda_fp16.h>

namespace gantry::device {

/// A float as one half or two: what is left of the first. An infinity counts as the largest half of
/// its slice, what is no number as 0: neither spoils the other rays and pixels of a tile.
struct SplitHalf {
  __half high, low;

  __device__ explicit SplitHalf(float scaled) {
    const float value = scaled == scaled ? fminf(fmaxf(scaled, -65504.0F), 65504.0F) : 0.0F;
    high = __float2half_rn(value);
    low = __float2half_rn(value - __half2float(high));
  }
};

/// A weight that is there as a half that is not 0.
__device__ inline __half half_weight(float scaled) {
  const __half half = __float2half_rn(scaled);
  return __half_as_ushort(half) == 0 ? __ushort_as_half(1) : half;
}

}  // namespace gantry::device
