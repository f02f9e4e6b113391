#pragma once

// Non-negative weights in 16 bits: 5 bits of exponent, 11 of mantissa. Weights between the largest
// one and 2^-29 of it have a relative error of at most 2^-12; smaller ones lose bits gradually.
// 0 is exact.
#include "gpu/device/host_device.hpp"

#include <cstdint>

namespace gantry::device {

/// Returns the power of two by which the bits of a code, taken as those of a float, are multiplied;
/// chosen so that `largest` has a code.
inline float compact_unit(float largest) {
  constexpr int most = 30;  // the unit is a float
  const int exponent =
      largest > 0 && std::isfinite(largest) ? least(std::ilogb(largest), most) : most;
  return std::ldexp(1.0F, exponent + 97);
}

/// Returns the nearest code (the even one of two equally near ones); the largest code for values
/// that are too large.
GANTRY_HD std::uint16_t compact(float value, float inverse_unit) {
  const float scaled = value * inverse_unit;
  std::uint32_t bits = 0;
#ifdef __CUDA_ARCH__
  bits = __float_as_uint(scaled);
#else
  std::memcpy(&bits, &scaled, sizeof bits);
#endif
  const std::uint32_t code = (bits + 0x7FFU + (bits >> 12U & 1U)) >> 12U;
  return static_cast<std::uint16_t>(code < 0xFFFFU ? code : 0xFFFFU);
}

GANTRY_HD float expanded(std::uint16_t code, float unit) {
  const std::uint32_t bits = static_cast<std::uint32_t>(code) << 12U;
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits) * unit;
#else
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value * unit;
#endif
}

}  // namespace gantry::device
