#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace gantry {

/// Smooths a line by (1, 2, 1) / 4, `passes` times: a standard deviation of the square root of half
/// of them, in samples. Beyond the ends, the end values go on.
template <typename Value>
void binomial_filter(std::span<Value> line, int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    Value before = line.empty() ? Value{} : line.front();
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Value after = line[std::min(i + 1, line.size() - 1)];
      const Value smoothed = Value(0.25) * before + Value(0.5) * line[i] + Value(0.25) * after;
      before = std::exchange(line[i], smoothed);
    }
  }
}

/// Does the same to a line that goes on beyond its ends with the slopes that it has there: its
/// values there are those inside, mirrored at the end value. If the end values went on, the ends
/// would become flatter than the line is, and so pretend another axis where little overlaps.
inline void binomial_filter_with_slopes(std::span<float> line, int passes) {
  if (line.empty()) return;
  const std::size_t last = line.size() - 1, reach = static_cast<std::size_t>(passes);
  std::vector<float> longer;
  longer.reserve(line.size() + 2 * reach);
  for (std::size_t k = reach; k > 0; --k)
    longer.push_back(2 * line.front() - line[std::min(k, last)]);
  longer.insert(longer.end(), line.begin(), line.end());
  for (std::size_t k = 1; k <= reach; ++k)
    longer.push_back(2 * line.back() - line[last - std::min(k, last)]);
  binomial_filter(std::span(longer), passes);
  std::ranges::copy(std::span(longer).subspan(reach, line.size()), line.begin());
}

}  // namespace gantry
