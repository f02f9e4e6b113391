#pragma once

#include "core/data/volume.hpp"
#include "studies/study.hpp"

#include <span>
#include <string>
#include <vector>

namespace gantry::branchless_dd {

/// Differences between values and a reference.
struct Difference {
  double rmse = 0, largest = 0;
  double within = 0;  ///< % of the values that differ by `low` to `high`
};
/// Returns the differences values - reference.
Difference difference(std::span<const float> values, std::span<const float> reference, double low,
                      double high);

/// Returns the root mean square of values - reference.
double rms_difference(std::span<const double> values, std::span<const double> reference);

double largest_of(std::span<const float> values);

/// Returns the values first, first + step, ... as a curve over 0, 1, ...
StudyCurve line_of(std::string name, std::span<const float> values, std::size_t first,
                   std::size_t step, std::size_t count);
/// Returns (values - reference) / unit along such a line.
StudyCurve difference_line(std::string name, std::span<const float> values,
                           std::span<const float> reference, double unit, std::size_t first,
                           std::size_t step, std::size_t count);

/// Returns the slices iz with 1/4 <= (iz + 1/2) / nz <= 3/4, which all rays of the scanner's fan
/// meet.
std::span<const float> middle_slices(std::span<const float> image, const VolumeGrid& grid);

}  // namespace gantry::branchless_dd
