#pragma once

#include "core/base/median.hpp"
#include "core/base/parabola.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace gantry {

/// The least of some values at equal steps.
struct LeastValue {
  double index = 0;  ///< of the least value; a whole number
  double value = 0;
  /// Of the parabola through it and its neighbours; empty where it is the first or the last value.
  std::optional<ParabolaMinimum> minimum;

  /// Returns the fractional index of that minimum; `index` where there is none.
  double refined_index() const { return index + (minimum ? minimum->offset : 0); }
};

/// Returns the least of values at equal steps, of which there must be one at least.
inline LeastValue least_value(const std::vector<double>& values) {
  const auto least = std::ranges::min_element(values);
  LeastValue found{static_cast<double>(least - values.begin()), *least, {}};
  if (least != values.begin() && least + 1 != values.end())
    found.minimum = minimum_of_parabola(least[-1], *least, least[1]);
  return found;
}

/// Returns a value relative to the median of others; 1 where that is not above 0.
inline double relative_to_median(double value, std::vector<double> others) {
  const double usual = upper_median(others);
  return usual > 0 ? value / usual : 1;
}

}  // namespace gantry
