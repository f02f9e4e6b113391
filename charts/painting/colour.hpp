#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gantry {

/// A display colour (sRGB, 8 bits per channel).
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  friend constexpr bool operator==(Rgb, Rgb) = default;
};

constexpr Rgb rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex)};
}

/// Returns the colour at `t` between `a` (t = 0) and `b` (t = 1); t is clamped to 0 .. 1.
inline Rgb mix(Rgb a, Rgb b, double t) {
  const double s = std::clamp(t, 0.0, 1.0);
  const auto channel = [s](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround(from + s * (to - from)));
  };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

/// Returns the relative luminance as in WCAG 2: 0 black, 1 white.
inline double luminance(Rgb colour) {
  const auto linear = [](std::uint8_t value) {
    const double c = value / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

/// Returns the contrast ratio as in WCAG 2: 1 (none) to 21 (black on white).
inline double contrast(Rgb a, Rgb b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace gantry
