#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

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

}  // namespace gantry
