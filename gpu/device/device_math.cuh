#pragma once

namespace gantry::device {

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
