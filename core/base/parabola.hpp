#pragma once

namespace gantry {

/// The minimum of a parabola through three equally spaced values.
struct ParabolaMinimum {
  double offset = 0;  ///< from the middle value, in steps
  double below = 0;   ///< how far the minimum lies below the middle value
};

/// Returns the minimum near `here`, the least of three values; {0, 0} where they lie on a line.
inline ParabolaMinimum minimum_of_parabola(double before, double here, double after) {
  const double bend = before - 2 * here + after, slope = before - after;
  return bend > 0 ? ParabolaMinimum{0.5 * slope / bend, slope * slope / (8 * bend)}
                  : ParabolaMinimum{};
}

}  // namespace gantry
