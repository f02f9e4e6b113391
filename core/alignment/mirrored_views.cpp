#include "core/alignment/mirrored_views.hpp"

#include "core/base/least_value.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double least_overlap = 0.25;  // of the columns

/// Returns the relative squared difference of a and b mirrored so that column c meets column
/// sum - c.
double mismatch(std::span<const double> a, std::span<const double> b, int columns, int sum) {
  const int first = std::max(0, sum - (columns - 1)), last = std::min(columns - 1, sum);
  double difference = 0, square = 0;
  for (std::size_t line = 0; line < a.size(); line += static_cast<std::size_t>(columns)) {
    const double *p = a.data() + line, *q = b.data() + line;
    for (int c = first; c <= last; ++c) {
      const double d = p[c] - q[sum - c];
      difference += d * d;
      square += p[c] * p[c] + q[sum - c] * q[sum - c];
    }
  }
  return square > 0 ? difference / square : 1;
}

}  // namespace

std::vector<std::pair<int, int>> opposite_pairs(const ScanGeometry& geometry, std::size_t most) {
  const int views = geometry.views();
  const double step =
      std::abs(geometry.angle_rad(views - 1) - geometry.angle_rad(0)) / std::max(1, views - 1);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < views; ++i)
    for (int k = i + 1; k < views; ++k) {
      const double apart = geometry.angle_rad(k) - geometry.angle_rad(i);
      if (std::abs(std::remainder(apart - pi, 2 * pi)) <= 0.2 * step) pairs.emplace_back(i, k);
    }
  if (pairs.size() <= most) return pairs;
  std::vector<std::pair<int, int>> some;
  for (std::size_t n = 0; n < most; ++n) some.push_back(pairs[n * pairs.size() / most]);
  return some;
}

MirrorMatch mirror_match(std::span<const double> a, std::span<const double> b, int columns) {
  const int overlap = static_cast<int>(std::ceil(least_overlap * columns)), first = overlap - 1,
            last = 2 * columns - 1 - overlap;
  std::vector<double> of_sum;
  for (int sum = first; sum <= last; ++sum) of_sum.push_back(mismatch(a, b, columns, sum));
  if (of_sum.empty()) return {};
  const LeastValue least = least_value(of_sum);
  const double below = least.minimum ? least.minimum->below : 0;
  return {0.5 * (first + least.refined_index()), std::max(0.0, least.value - below)};
}

}  // namespace gantry
