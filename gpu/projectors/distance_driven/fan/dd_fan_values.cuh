#pragma once

// What a lane carries: one float, or a quad of floats that share all weights.

namespace gantry::device {

template <class Value>
constexpr int width_of = sizeof(Value) / sizeof(float);

/// Warps that a multiprocessor can hold, by compute capability.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
constexpr int most_warps = 32;
#elif defined(__CUDA_ARCH__) && \
    (__CUDA_ARCH__ / 10 == 86 || __CUDA_ARCH__ / 10 == 89 || __CUDA_ARCH__ >= 1200)
constexpr int most_warps = 48;
#else
constexpr int most_warps = 64;
#endif
/// Warps that it is to hold at once, which bounds the registers: 48 for a lane with one value, 64
/// with two.
template <int Quads>
constexpr int resident_warps = Quads == 1 && most_warps >= 40 ? 40 : 32;

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

/// Component j; j is known where this is compiled.
__device__ __forceinline__ float& component(float& value, int) { return value; }
__device__ __forceinline__ float& component(float4& value, int j) {
  return j == 0 ? value.x : j == 1 ? value.y : j == 2 ? value.z : value.w;
}

/// The value of the lane that `shuffle` takes from, by components.
template <class Shuffle>
__device__ __forceinline__ float exchange(float a, const Shuffle& shuffle) {
  return shuffle(a);
}
template <class Shuffle>
__device__ __forceinline__ float4 exchange(float4 a, const Shuffle& shuffle) {
  return {shuffle(a.x), shuffle(a.y), shuffle(a.z), shuffle(a.w)};
}
template <class Value>
__device__ __forceinline__ Value next_lane(Value a) {
  return exchange(a, [](float part) { return __shfl_down_sync(~0U, part, 1); });
}
template <class Value>
__device__ __forceinline__ Value of_lane(Value a, int lane) {
  return exchange(a, [lane](float part) { return __shfl_sync(~0U, part, lane); });
}
template <class Value>
__device__ __forceinline__ Value earlier_lane(Value a, int by) {
  return exchange(a, [by](float part) { return __shfl_up_sync(~0U, part, by); });
}

/// Sum over the lanes up to this one.
template <class Value>
__device__ __forceinline__ Value scan_lanes(Value a, int lane) {
#pragma unroll
  for (int by = 1; by < 32; by <<= 1) {
    const Value before = earlier_lane(a, by);
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

/// An address that the compiler takes as it is: a value at an offset of 32 bits from it costs one
/// instruction then, and not the sum of all that the address was made of.
template <class Value>
__device__ __forceinline__ const Value* settled(const Value* at) {
  asm("" : "+l"(at));
  return at;
}

__device__ __forceinline__ int lane_index() { return static_cast<int>(threadIdx.x & 31U); }
/// The same for all lanes of a warp, and known to be.
__device__ __forceinline__ int warp_index() {
  return __shfl_sync(~0U, static_cast<int>(threadIdx.x >> 5U), 0);
}

}  // namespace gantry::device
