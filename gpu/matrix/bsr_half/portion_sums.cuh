#pragma once

namespace gantry::device {

/// Float32 sums beside the accumulators of a warp. A Tensor Core truncates towards zero whenever it
/// adds to an accumulator: after some hundred additions, sums of one sign lack 7e-5 of their value,
/// more than the rounding of halves. With vectors in two halves (Added), the accumulators of a
/// portion of some tens of tiles are therefore added to `whole` by ordinary float additions.
template <int Count, bool Added>
struct PortionSums {
  float whole[Added ? Count : 1] = {};

  /// Adds the accumulators of a portion to the sums and sets the accumulators to 0.
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
  /// Sets the accumulators to the sums.
  template <int Slices>
  __device__ void put(float (&sums)[Count / Slices / 4][Slices][4]) const {
    if constexpr (Added) {
#pragma unroll
      for (int i = 0; i < Count; ++i) sums[i / (4 * Slices)][i / 4 % Slices][i % 4] = whole[i];
    }
  }
};

}  // namespace gantry::device
