#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// The median absolute deviation of normal noise times this is its standard deviation.
inline constexpr float deviation_per_mad = 1.4826F;

/// Returns the median of values, of an even number the upper of the two in the middle; reorders
/// them. `values` must not be empty.
inline float upper_median(std::span<float> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Middle and spread of values of which some may be arbitrarily wrong.
struct Robust {
  float median = 0;
  float deviation = 0;  ///< standard deviation of normal noise, by the median absolute deviation
};

/// Returns both, and overwrites the values. `values` must not be empty.
inline Robust robust_of(std::span<float> values) {
  const float median = upper_median(values);
  for (float& value : values) value = std::abs(value - median);
  return {median, deviation_per_mad * upper_median(values)};
}

}  // namespace gantry
