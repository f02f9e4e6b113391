#pragma once

#include "gpu/device/host_device.hpp"

namespace gantry::device {

/// 1/x and sqrt(x), on a device to about one unit in the last place and for normal numbers only:
/// the exact operations contain tests for other numbers.
GANTRY_HD float quick_reciprocal(float x) {
#ifdef __CUDA_ARCH__
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1.0F / x;
#endif
}

GANTRY_HD float quick_sqrt(float x) {
#ifdef __CUDA_ARCH__
  float result;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return sqrtf(x);
#endif
}

}  // namespace gantry::device
