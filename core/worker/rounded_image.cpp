#include "core/worker/rounded_image.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace gantry {

namespace {

// binary16: a sign, five bits of the exponent with the bias 15, ten bits of the fraction.
constexpr int fraction_bits = 10, dropped_bits = 23 - fraction_bits;
constexpr std::uint32_t rebias = 127 - 15;
constexpr std::uint16_t infinite = 0x7C00, not_a_number = 0x7E00;
constexpr float greatest = 32768;  // to which the greatest value of an image is scaled, at most
constexpr float step_of_smallest = 0x1p-24F;  // of values below 2^-14

std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const float size = std::abs(value);
  if (std::isnan(value)) return sign | not_a_number;
  if (size >= 65520) return sign | infinite;  // halfway beyond the greatest finite one
  if (size < 0x1p-14F)
    return sign | static_cast<std::uint16_t>(std::nearbyint(size / step_of_smallest));
  // Rounded to the nearest, ties to even; a carry runs into the exponent, as it must.
  std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  magnitude += (1U << (dropped_bits - 1)) - 1 + (magnitude >> dropped_bits & 1U);
  return sign | static_cast<std::uint16_t>((magnitude >> dropped_bits) - (rebias << fraction_bits));
}

float from_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16, magnitude = half & 0x7FFFU;
  if (magnitude >= infinite)
    return std::bit_cast<float>(sign | 0x7F800000U | (magnitude & 0x3FFU) << dropped_bits);
  if (magnitude < 1U << fraction_bits) {
    const float size = static_cast<float>(magnitude) * step_of_smallest;
    return sign != 0 ? -size : size;
  }
  return std::bit_cast<float>(sign | (magnitude + (rebias << fraction_bits)) << dropped_bits);
}

}  // namespace

RoundedImage::RoundedImage(const std::vector<float>& values) : halves_(values.size()) {
  float most = 0;
  for (const float value : values)
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  // A power of two: products with it are exact.
  if (most > 0) scale_ = std::exp2(std::floor(std::log2(greatest / most)));
  if (!std::isfinite(scale_) || scale_ == 0) scale_ = 1;
  for (std::size_t i = 0; i < values.size(); ++i) halves_[i] = to_half(scale_ * values[i]);
}

std::vector<float> RoundedImage::values() const {
  std::vector<float> values(halves_.size());
  const float back = 1 / scale_;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = back * from_half(halves_[i]);
  return values;
}

}  // namespace gantry
