#pragma once

// Non-negative weights in 16 bits: 5 of exponent, 11 of mantissa. Of the largest down to 2^-29 of
// it they are rounded by at most 2^-12 of their size, below that gradually to nothing; 0 stays 0.
#include "gpu/device/host_device.hpp"

#include <cstdint>

namespace gantry::device {

/// What a code's bits as those of a float are multiplied by: a power of two, by which none of
/// `largest` leaves the codes.
inline float compact_unit(float largest) {
  constexpr int most = 30;  // the unit is a float
  const int exponent =
      largest > 0 && std::isfinite(largest) ? least(std::ilogb(largest), most) : most;
  return std::ldexp(1.0F, exponent + 97);
}

/// The nearest code, the even one of two; what is too large takes the largest.
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
