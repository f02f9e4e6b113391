#pragma once

// What a lane carries: one float, or a quad of floats that share all weights.
#include "gpu/projectors/distance_driven/fan/tuning.hpp"

namespace gantry::device {

template <class Value>
constexpr int width_of = sizeof(Value) / sizeof(float);

using dd_fan::resident_warps;

template <class Value>
__device__ __forceinline__ Value zero() {
  return Value{};
}

__device__ __forceinline__ float plus(float a, float b) { return a + b; }
__device__ __forceinline__ float4 plus(float4 a, float4 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ __forceinline__ float minus(float a, float b) { return a - b; }
__device__ __forceinline__ float4 minus(float4 a, float4 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ __forceinline__ float times(float weight, float a) { return weight * a; }
__device__ __forceinline__ float4 times(float weight, float4 a) {
  return {weight * a.x, weight * a.y, weight * a.z, weight * a.w};
}
/// weight a + sum
__device__ __forceinline__ float add(float weight, float a, float sum) {
  return fmaf(weight, a, sum);
}
__device__ __forceinline__ float4 add(float weight, float4 a, float4 sum) {
  return {fmaf(weight, a.x, sum.x), fmaf(weight, a.y, sum.y), fmaf(weight, a.z, sum.z),
          fmaf(weight, a.w, sum.w)};
}

/// Returns component j, which must be known at compile time.
__device__ __forceinline__ float& component(float& value, int) { return value; }
__device__ __forceinline__ float& component(float4& value, int j) {
  return j == 0 ? value.x : j == 1 ? value.y : j == 2 ? value.z : value.w;
}

/// Applies `shuffle` to each component.
template <class Shuffle>
__device__ __forceinline__ float exchange(float a, const Shuffle& shuffle) {
  return shuffle(a);
}
template <class Shuffle>
__device__ __forceinline__ float4 exchange(float4 a, const Shuffle& shuffle) {
  return {shuffle(a.x), shuffle(a.y), shuffle(a.z), shuffle(a.w)};
}
template <class Value>
__device__ __forceinline__ Value from_lane_above(Value a) {
  return exchange(a, [](float part) { return __shfl_down_sync(~0U, part, 1); });
}
template <class Value>
__device__ __forceinline__ Value of_lane(Value a, int lane) {
  return exchange(a, [lane](float part) { return __shfl_sync(~0U, part, lane); });
}
template <class Value>
__device__ __forceinline__ Value from_lane_below(Value a, int by) {
  return exchange(a, [by](float part) { return __shfl_up_sync(~0U, part, by); });
}

/// Sum over the lanes up to this one.
template <class Value>
__device__ __forceinline__ Value scan_lanes(Value a, int lane) {
#pragma unroll
  for (int by = 1; by < 32; by <<= 1) {
    const Value before = from_lane_below(a, by);
    if (lane >= by) a = plus(a, before);
  }
  return a;
}

/// Sum over all lanes, for each of them; always in the same order.
__device__ __forceinline__ double sum_of_lanes(double a) {
#pragma unroll
  for (int by = 16; by > 0; by >>= 1) a += __shfl_xor_sync(~0U, a, by);
  return a;
}

/// Returns `at`, whose origin is hidden from the compiler: a load at an offset of 32 bits from it
/// then costs one instruction, where the compiler would otherwise repeat the sum that made `at`.
template <class Value>
__device__ __forceinline__ const Value* opaque_address(const Value* at) {
  asm("" : "+l"(at));
  return at;
}

__device__ __forceinline__ int lane_index() { return static_cast<int>(threadIdx.x & 31U); }
/// Returns the warp's index in the block, in a form that the compiler knows to be the same for all
/// lanes of a warp.
__device__ __forceinline__ int warp_index() {
  return __shfl_sync(~0U, static_cast<int>(threadIdx.x >> 5U), 0);
}

}  // namespace gantry::device
