#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gantry {

// IEEE half precision for numbers from 0 to 1, held in 16 bit integers because compilers do not
// agree on a type.

/// Returns the nearest half, ties to even, of a value above 0 and up to 1. The result is 2^-24 at
/// least and never 0, so that a small weight remains a nonzero.
inline std::uint16_t to_half(float value) {
  if (value < 0x1p-14F)
    return static_cast<std::uint16_t>(std::max(1L, std::lrint(value * 0x1p24F)));
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value) - (112U << 23U);
  return static_cast<std::uint16_t>((bits + 0xFFFU + ((bits >> 13U) & 1U)) >> 13U);
}

/// Returns the exact value of a half. The function has no branch, so that loops can be vectorised:
/// numbers below 2^-14 have the exponent of 2^-14 and no leading one. It is always inlined, because
/// it is compiled for several instruction sets.
[[gnu::always_inline]] inline float from_half(std::uint16_t half) {
  const std::uint32_t bits = static_cast<std::uint32_t>(half) << 13U;
  const float leading = __builtin_bit_cast(float, bits + (112U << 23U)),
              small = __builtin_bit_cast(float, bits + (113U << 23U)) - 0x1p-14F;
  return half < 0x400U ? small : leading;
}

}  // namespace gantry
