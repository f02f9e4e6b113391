#pragma once

#include "core/data/volume.hpp"
#include "studies/study.hpp"

#include <span>
#include <string>
#include <vector>

namespace gantry::branchless_dd {

/// How far values lie from others.
struct Difference {
  double rmse = 0, largest = 0;
  double within = 0;  ///< % of the values that differ by less than a window's half
};
Difference difference(std::span<const float> values, std::span<const float> reference,
                      double half_window);

double largest_of(std::span<const float> values);

/// The values first, first + step, ... as a curve over their number.
StudyCurve line_of(std::string name, std::span<const float> values, std::size_t first,
                   std::size_t step, std::size_t count);
/// (values - reference) / unit along such a line.
StudyCurve difference_line(std::string name, std::span<const float> values,
                           std::span<const float> reference, double unit, std::size_t first,
                           std::size_t step, std::size_t count);

/// The slices iz with 1/4 <= (iz + 1/2) / nz <= 3/4: those that all rays of the scanner's fan meet.
std::span<const float> middle_slices(std::span<const float> image, const VolumeGrid& grid);

}  // namespace gantry::branchless_dd
