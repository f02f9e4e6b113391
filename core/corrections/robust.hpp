#pragma once

#include "core/base/median.hpp"

#include <cmath>
#include <span>

namespace gantry {

/// The median absolute deviation of normal noise times this is its standard deviation.
inline constexpr float deviation_per_mad = 1.4826F;

/// Middle and spread of values of which some may be arbitrarily wrong.
struct Robust {
  float median = 0;
  float deviation = 0;  ///< standard deviation of normal noise, by the median absolute deviation
};

/// Returns the median and the deviation; reorders the values. `values` must not be empty.
inline Robust robust_of(std::span<float> values) {
  const float median = upper_median(values);
  for (float& value : values) value = std::abs(value - median);
  return {median, deviation_per_mad * upper_median(values)};
}

}  // namespace gantry
