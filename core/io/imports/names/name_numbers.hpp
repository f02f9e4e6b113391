#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry {

/// Files whose names differ in several numbers: tomo_0041_123.000.tif, scan_120355_0041.tif.
struct NumberedNames {
  std::vector<std::string> paths;  ///< in the order of the counter, else of the decimal numbers
  std::vector<int> counters;       ///< the whole number that counts the files; empty: none does
  std::vector<double> decimals;    ///< the decimal number, if it is the only one; else empty
  /// The paths where no number tells their order, as of several exposures of each projection; else
  /// empty.
  std::vector<std::string> uncounted;
};

/// Returns whether a text before a number ends with the sign of it: behind a separator, which a
/// dash between a word and a number is itself.
bool ends_with_sign(std::string_view text);

/// Returns the largest group of files whose paths are equal but for the numbers in their names. Of
/// the whole numbers that differ between all of them, that with the fewest gaps counts them, of
/// several such numbers the last; without one, the only decimal number orders them. Where neither
/// does, only `uncounted` is set. `point`: the character of decimal numbers.
NumberedNames numbered_in_several(const std::vector<std::string>& paths, char point = '.');

/// Returns the character that divides decimal numbers in the names of files: a comma or a p, as in
/// s_4,5.tif and s_4p5.tif, where such numbers go on evenly from one whole number to the next; else
/// a point.
char decimal_point_of(const std::vector<std::string>& paths);

}  // namespace gantry
