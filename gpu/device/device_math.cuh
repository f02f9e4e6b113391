#pragma once

#include <cstdint>

namespace gantry::device {

/// A float of magnitude below 2^21 rounded to the nearest whole number, as a float (for the
/// fraction) and as an integer (for the address). Computed without a conversion instruction, which
/// has a quarter of the throughput.
struct Rounded {
  float whole;
  int index;
};

__device__ __forceinline__ Rounded round_to_nearest(float value) {
  constexpr float magic = 12582912.0F;  // 1.5 * 2^23
  constexpr int magic_bits = 0x4B400000;
  const float shifted = value + magic;
  return {shifted - magic, __float_as_int(shifted) - magic_bits};
}

__device__ __forceinline__ float clamp(float value, float low, float high) {
  return fminf(fmaxf(value, low), high);
}

/// 1/x and sqrt(x) to about one unit in the last place, for normal numbers only: the exact
/// operations contain tests for other numbers.
__device__ __forceinline__ float quick_reciprocal(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

__device__ __forceinline__ float quick_sqrt(float x) {
  float result;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

}  // namespace gantry::device
