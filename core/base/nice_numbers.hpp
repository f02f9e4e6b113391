#pragma once

#include <string>
#include <vector>

namespace gantry {

/// Returns the largest of 1, 2, 5 x 10^n that is not above `x`; 0 unless x is positive and finite.
double round_length_below(double x);

/// A tick of an axis: position and text.
struct Tick {
  double value = 0;
  std::string label;
};

/// Returns ticks at multiples of 1, 2 or 5 x 10^n within [low, high], at most `most` of them; a
/// `most` below 2 counts as 2. Empty if the range is empty, not finite, or below the precision of
/// its ends.
std::vector<Tick> linear_ticks(double low, double high, int most);

/// Returns ticks of a logarithmic axis; its ends and the values of the ticks are log10 of the
/// numbers. The digits 1 to 9 of each decade are labelled as densely as about `most` labels on the
/// axis allow. If even whole decades are too dense, some are omitted; an axis within one decade has
/// the ticks of linear_ticks(). Empty for more than 600 decades.
std::vector<Tick> log_ticks(double low_log10, double high_log10, int most);

/// Returns a number with `digits` significant digits and all digits before the point: 0.0204, 12.5,
/// 0; below 1e-3 and from 1e5 on with an exponent: 3.2e-5. "no value" for NaN.
std::string short_number(double value, int digits = 3);

/// Returns the number with so many significant decimal digits that is nearest: 299.99999999999994
/// becomes 300.
double to_digits(double value, int digits);

/// Returns a length as text: "20 mm", "0.5 mm"; in micrometres below 0.1 mm; "20 cells"
/// where the size of a cell is unknown and taken as 1 mm.
std::string length_text(double length_mm, bool lengths_are_known = true);

}  // namespace gantry
