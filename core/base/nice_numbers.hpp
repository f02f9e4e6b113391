#pragma once

#include <string>
#include <vector>

namespace gantry {

/// The largest of 1, 2, 5 x 10^n that is not above `x`; 0 unless x is positive and finite.
double round_length_below(double x);

struct Tick {
  double value = 0;
  std::string label;
};

/// Ticks at multiples of 1, 2 or 5 x 10^n inside [low, high], at most `most` of them (at least 2
/// asked for). Empty when the range is empty or not finite.
std::vector<Tick> linear_ticks(double low, double high, int most);

/// Ticks of a logarithmic axis whose ends are given as log10 of the value; value is log10 as well.
/// As many of the digits 1 to 9 as keep apart, whole decades at least; within a decade round
/// values.
std::vector<Tick> log_ticks(double low_log10, double high_log10, int most);

/// A number as short as its `digits` significant digits allow: 0.0204, 12.5, 3.2e-05, 0.
std::string short_number(double value, int digits = 3);

/// 20 mm, 0.5 mm; micrometres below 0.1 mm.
std::string length_text(double length_mm);

}  // namespace gantry
