#pragma once

// Conversion of floats to halves: values of slices, each scaled by the power of two of its slice,
// and weights.
#include "gpu/matrix/bsr_half/tile_model.hpp"

#include <cuda_fp16.h>

namespace gantry::device {

/// A float as one half, or as two: `low` is the rest that `high` leaves. An infinity becomes the
/// largest half, NaN becomes 0, so that neither affects other rays and pixels of a tile.
struct SplitHalf {
  __half high, low;

  __device__ explicit SplitHalf(float scaled) {
    const float value = scaled == scaled ? fminf(fmaxf(scaled, -65504.0F), 65504.0F) : 0.0F;
    high = __float2half_rn(value);
    low = __float2half_rn(value - __half2float(high));
  }
};

/// Returns a weight as a half that is never 0, since 0 means that there is no weight.
__device__ inline __half half_weight(float scaled) {
  const __half half = __float2half_rn(scaled);
  return __half_as_ushort(half) == 0 ? __ushort_as_half(1) : half;
}

}  // namespace gantry::device
