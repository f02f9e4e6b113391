#pragma once

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

}  // namespace gantry::device
