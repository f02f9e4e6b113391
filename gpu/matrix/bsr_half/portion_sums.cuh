#pragma once

namespace gantry::device {

/// Sums of a warp on their way. A Tensor Core cuts off what it adds to a sum, always towards zero:
/// after some hundred additions 7e-5 are missing of sums of one sign, more than halves round. With
/// vectors as two halves, what a portion of some tens of tiles gives is therefore added up by the
/// processor.
template <int Count, bool Added>
struct PortionSums {
  float whole[Added ? Count : 1] = {};

  template <int Slices>
  __device__ void take(float (&portion)[Count / Slices / 4][Slices][4]) {
    if constexpr (Added) {
#pragma unroll
      for (int i = 0; i < Count; ++i) {
        float& sum = portion[i / (4 * Slices)][i / 4 % Slices][i % 4];
        whole[i] += sum;
        sum = 0;
      }
    }
  }
  template <int Slices>
  __device__ void give(float (&sums)[Count / Slices / 4][Slices][4]) const {
    if constexpr (Added) {
#pragma unroll
      for (int i = 0; i < Count; ++i) sums[i / (4 * Slices)][i / 4 % Slices][i % 4] = whole[i];
    }
  }
};

}  // namespace gantry::device
