#pragma once

#include <string>

namespace gantry {

/// The axis of rotation as found from measured data.
struct CentreEstimate {
  double column = 0;    ///< fractional index of the ray through the axis
  int pairs = 0;        ///< number of pairs of views that were compared
  double spread = 0;    ///< standard deviation of the column over the pairs, cells
  double mismatch = 0;  ///< mean relative squared difference of the views at that column, 0 to 1
  /// What the estimate rests on, if not on a comparison of views: "the spectrum of 91 views".
  std::string basis = {};
};

/// What of the views is compared: their values, or only what changes from view to view. What is the
/// same in all views, as the unequal gain of cells without a flat, does not turn with the object
/// and draws the axis of values towards an axis of its own.
enum class Compared { values, changes };

/// Returns what an estimate rests on: "90 comparisons of views, which agree to 0.002 columns".
std::string describe_support(const CentreEstimate& estimate);

}  // namespace gantry
