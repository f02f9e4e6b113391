#pragma once

// Operations of the 32 lanes of a warp together.
namespace gantry::device {

constexpr unsigned whole_warp = 0xFFFFFFFFU;

__device__ inline int lane_of_warp() { return static_cast<int>(threadIdx.x & 31U); }

template <class Value>
__device__ Value warp_sum(Value value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(whole_warp, value, step);
  return value;
}

template <class Value>
__device__ Value warp_max(Value value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    value = max(value, __shfl_xor_sync(whole_warp, value, step));
  return value;
}

/// Returns the sum of the values of lanes 0 up to and including this lane.
__device__ inline int warp_prefix(int value) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(whole_warp, value, step);
    if (lane_of_warp() >= step) value += before;
  }
  return value;
}

/// Returns sums of `Count` values over groups of `Lanes` lanes: lane l of a group gets the sum of
/// value l Count / Lanes (Count <= Lanes), added in a fixed order. In each step two lanes exchange
/// half of their values, so that Count shuffles suffice where separate sums would take 5 Count.
template <int Count, int Lanes = 32>
__device__ float warp_sums(float (&values)[Count]) {
#pragma unroll
  for (int half = Count / 2, step = Lanes / 2; half > 0; half /= 2, step /= 2) {
    const bool upper = (threadIdx.x & step) != 0;
#pragma unroll
    for (int i = 0; i < half; ++i) {
      const float kept = upper ? values[half + i] : values[i],
                  given = upper ? values[i] : values[half + i];
      values[i] = kept + __shfl_xor_sync(whole_warp, given, step);
    }
  }
  float sum = values[0];
#pragma unroll
  for (int step = Lanes / 2 / Count; step > 0; step /= 2)
    sum += __shfl_xor_sync(whole_warp, sum, step);
  return sum;
}

}  // namespace gantry::device
