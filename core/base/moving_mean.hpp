#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// Returns the means of `count` neighbouring samples, each at its middle; at the ends, of those
/// that there are.
inline std::vector<double> moving_mean(std::span<const double> line, std::size_t count) {
  std::vector<double> sums(line.size() + 1), means(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) sums[i + 1] = sums[i] + line[i];
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t first = i - std::min(i, count / 2),
                      end = std::min(line.size(), i + (count + 1) / 2);
    means[i] = (sums[end] - sums[first]) / static_cast<double>(end - first);
  }
  return means;
}

/// Smooths a line by three moving means, together of about this standard deviation, in samples, and
/// at least 1.4. The time does not depend on the deviation.
inline std::vector<double> smoothed_widely(std::span<const double> line, double deviation) {
  // The variance of a mean of n samples is (n n - 1) / 12. An odd n displaces nothing.
  const double half = 0.5 * (std::sqrt(4 * deviation * deviation + 1) - 1);
  const std::size_t count = 2 * static_cast<std::size_t>(std::max(1LL, std::llround(half))) + 1;
  return moving_mean(moving_mean(moving_mean(line, count), count), count);
}

}  // namespace gantry
