#pragma once

// Helpers for the arithmetic of the CUDA projectors. That arithmetic, apart from the launches, is
// plain C++ that also compiles for the host, so that tests run where no device is available.
#include "core/base/host_device.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>

namespace gantry::device {

GANTRY_HD float clamped(float value, float low, float high) {
  return fminf(fmaxf(value, low), high);
}
GANTRY_HD int least(int a, int b) { return a < b ? a : b; }
GANTRY_HD int most(int a, int b) { return a > b ? a : b; }

/// Returns a b rounded to float; the compiler may not fuse the product with an addition.
GANTRY_HD float rounded_product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

/// Positions along a line, start + k step in pixels, whose products with k are divided into whole
/// number and fraction: every position is as accurate as its fraction, however far from zero.
struct PlaceLine {
  int start;
  float start_part, step, step_rest;
};
struct Place {
  int whole;
  float part;  ///< in [-1/2, 3/2)
};
GANTRY_HD PlaceLine place_line(double start, double step) {
  const double whole = fmin(fmax(floor(start), -1e9), 1e9);
  const float rounded = static_cast<float>(step);
  return {static_cast<int>(whole), static_cast<float>(start - whole), rounded,
          static_cast<float>(step - static_cast<double>(rounded))};
}

/// A float of magnitude below 2^21 rounded to the nearest whole number, as a float and as an
/// integer. Computed without a conversion instruction, which has a quarter of the throughput.
struct Nearest {
  float whole;
  int index;
};
GANTRY_HD Nearest nearest(float value) {
  constexpr float magic = 12582912.0F;  // 1.5 * 2^23
  constexpr int magic_bits = 0x4B400000;
  const float shifted = value + magic;
#ifdef __CUDA_ARCH__
  const int bits = __float_as_int(shifted);
#else
  int bits = 0;
  std::memcpy(&bits, &shifted, sizeof bits);
#endif
  return {shifted - magic, bits - magic_bits};
}

/// The largest whole number that does not exceed a float of magnitude below 2^21, and the fraction
/// of the float above this number.
struct Floor {
  int index;
  float part;
};
GANTRY_HD Floor floor_of(float value) {
#ifdef __CUDA_ARCH__
  constexpr float magic = 12582912.0F;  // see nearest()
  constexpr int magic_bits = 0x4B400000;
  const float shifted = __fadd_rd(value, magic);
  return {__float_as_int(shifted) - magic_bits, value - (shifted - magic)};
#else
  const float whole = std::floor(value);
  return {static_cast<int>(whole), value - whole};
#endif
}

GANTRY_HD Place place_at(const PlaceLine& line, int k) {
  const float at = static_cast<float>(k), product = rounded_product(at, line.step);
  const float rest = fmaf(at, line.step_rest, fmaf(at, line.step, -product));
  const Nearest near = nearest(product);
  return {line.start + near.index, (product - near.whole) + (rest + line.start_part)};
}

}  // namespace gantry::device
