#include "studies/branchless_dd/difference.hpp"

#include <algorithm>
#include <cmath>

namespace gantry::branchless_dd {

Difference difference(std::span<const float> values, std::span<const float> reference, double low,
                      double high) {
  Difference out;
  double square = 0;
  std::size_t within = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double d = static_cast<double>(values[i]) - reference[i];
    square += d * d;
    out.largest = std::max(out.largest, std::abs(d));
    within += d >= low && d <= high ? 1 : 0;
  }
  const double count = static_cast<double>(std::max<std::size_t>(values.size(), 1));
  out.rmse = std::sqrt(square / count);
  out.within = 100 * static_cast<double>(within) / count;
  return out;
}

double rms_difference(std::span<const double> values, std::span<const double> reference) {
  double square = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    square += (values[i] - reference[i]) * (values[i] - reference[i]);
  return std::sqrt(square / static_cast<double>(std::max<std::size_t>(values.size(), 1)));
}

double largest_of(std::span<const float> values) { return *std::ranges::max_element(values); }

StudyCurve line_of(std::string name, std::span<const float> values, std::size_t first,
                   std::size_t step, std::size_t count) {
  StudyCurve curve{std::move(name), {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    curve.x.push_back(static_cast<double>(i));
    curve.y.push_back(values[first + i * step]);
  }
  return curve;
}

StudyCurve difference_line(std::string name, std::span<const float> values,
                           std::span<const float> reference, double unit, std::size_t first,
                           std::size_t step, std::size_t count) {
  StudyCurve curve = line_of(std::move(name), values, first, step, count);
  for (std::size_t i = 0; i < count; ++i)
    curve.y[i] = (curve.y[i] - reference[first + i * step]) / unit;
  return curve;
}

std::span<const float> middle_slices(std::span<const float> image, const VolumeGrid& grid) {
  const int first = (grid.nz + 1) / 4, count = std::max(1, grid.nz - 2 * first);
  return image.subspan(grid.index(0, 0, first), grid.index(0, 0, count));
}

}  // namespace gantry::branchless_dd
