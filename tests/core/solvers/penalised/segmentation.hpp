// Segmentation into object and air, and how well two of them agree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace gantry::test {

/// Returns the threshold that separates two classes with the largest variance between them, among
/// the edges of 256 bins (Otsu, IEEE Trans. Syst. Man Cybern. 9 (1979) 62).
inline double otsu_threshold(std::span<const float> values) {
  constexpr int bins = 256;
  const auto [low, high] = std::ranges::minmax(values);
  const double width = (static_cast<double>(high) - low) / bins;
  if (!(width > 0)) return low;
  std::vector<double> counts(bins);
  for (const float value : values)
    counts[static_cast<std::size_t>(std::min(bins - 1, static_cast<int>((value - low) / width)))] +=
        1;
  const auto total = static_cast<double>(values.size());
  double sum = 0, below = 0, sum_below = 0, best = -1;
  for (int i = 0; i < bins; ++i) sum += i * counts[static_cast<std::size_t>(i)];
  int last_below = 0;
  for (int i = 0; i + 1 < bins; ++i) {
    below += counts[static_cast<std::size_t>(i)];
    sum_below += i * counts[static_cast<std::size_t>(i)];
    if (below == 0 || below == total) continue;
    const double gap = (sum - sum_below) / (total - below) - sum_below / below;
    const double between = below * (total - below) * gap * gap;
    if (between > best) {
      best = between;
      last_below = i;
    }
  }
  return low + (last_below + 1) * width;
}

inline std::vector<bool> object_of(std::span<const float> values) {
  const double threshold = otsu_threshold(values);
  std::vector<bool> object;
  for (const float value : values) object.push_back(value >= threshold);
  return object;
}

/// Returns Matthews' correlation coefficient (Biochim. Biophys. Acta 405 (1975) 442): 1 if both are
/// equal, 0 if they have nothing to do with each other.
inline double matthews_correlation(const std::vector<bool>& a, const std::vector<bool>& b) {
  double both = 0, neither = 0, only_a = 0, only_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    (a[i] ? (b[i] ? both : only_a) : (b[i] ? only_b : neither)) += 1;
  const double scale =
      std::sqrt((both + only_a) * (both + only_b) * (neither + only_a) * (neither + only_b));
  return scale > 0 ? (both * neither - only_a * only_b) / scale : 0;
}

}  // namespace gantry::test
