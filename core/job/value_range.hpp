#pragma once

#include "core/base/params.hpp"

#include <optional>

namespace gantry {

/// A range of values of a number that are worth trying.
struct ValueRange {
  double low = 0, high = 1;
  bool logarithmic = false;  ///< equal ratios suit it rather than equal steps; low is above 0
  bool whole = false;        ///< its values are whole numbers

  /// Returns the value at a part of the range, 0 (low) to 1 (high): rounded to a whole number, or
  /// to three significant digits.
  double at(double part) const;
  /// Returns the part of the range at which a value lies, 0 to 1; the nearest end beyond it.
  double part_of(double value) const;
  /// Returns the range widened so that it holds `value`. A logarithmic range is not widened to
  /// values that are not above 0.
  ValueRange with(double value) const;
};

/// Returns the number that a value is; nothing for choices and switches.
std::optional<double> number_of(const ParamValue& value);

/// Returns the range of a number about `middle`, from its description alone. Where the description
/// bounds it to no more than a few times its fallback, as a relaxation, that is all it may be, at
/// equal steps. Otherwise, as for a weight, it reaches from middle / ratio to middle * ratio, at
/// equal ratios; or, for a number that may be 0 or negative, so many of its steps to both sides.
/// Nothing for a parameter that is no number or has no range. `ratio` must be above 1.
std::optional<ValueRange> range_worth_trying(const ParamSpec& spec, double middle, double ratio);

}  // namespace gantry
