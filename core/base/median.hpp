#pragma once

#include <algorithm>
#include <ranges>

namespace gantry {

/// Returns the median of values, of an even number the upper of the two in the middle; reorders
/// them. `values` must not be empty.
template <std::ranges::random_access_range Values>
auto upper_median(Values&& values) {
  const auto begin = std::ranges::begin(values);
  const auto middle = begin + std::ranges::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Returns the median of values, of an even number the mean of the two in the middle; reorders
/// them. `values` must not be empty.
template <std::ranges::random_access_range Values>
auto median_of(Values&& values) {
  const auto upper = upper_median(values);
  const auto begin = std::ranges::begin(values);
  const auto count = std::ranges::ssize(values);
  return count % 2 == 1 ? upper : (upper + *std::max_element(begin, begin + count / 2)) / 2;
}

}  // namespace gantry
