#pragma once

#include <optional>

namespace gantry {

/// A number as it stands in print. A misprint also has the number that was meant, and what shows
/// that it was; studies show both numbers and the reason.
struct PrintedNumber {
  double as_printed = 0;
  std::optional<double> meant = {};
  const char* why = "";  ///< a clause: "16.16.16 takes 0.06"

  constexpr PrintedNumber(double value) : as_printed(value) {}
  constexpr PrintedNumber(double value, double meant_value, const char* because)
      : as_printed(value), meant(meant_value), why(because) {}

  /// Returns the number that was meant.
  constexpr double value() const { return meant.value_or(as_printed); }
};

}  // namespace gantry
