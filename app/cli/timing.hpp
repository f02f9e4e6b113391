#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace gantry::cli {

/// Of at least one value.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

inline double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

struct Timing {
  double median_ms, fastest_ms, slowest_ms;
};

/// Times `repeats` calls after one to warm up.
inline Timing time(const std::function<void()>& work, int repeats) {
  work();
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(repeats));
  for (int i = 0; i < repeats; ++i) times.push_back(milliseconds(work));
  return {median(times), std::ranges::min(times), std::ranges::max(times)};
}

inline nlohmann::ordered_json to_json(const Timing& timing) {
  return {{"median_ms", timing.median_ms},
          {"min_ms", timing.fastest_ms},
          {"max_ms", timing.slowest_ms}};
}

}  // namespace gantry::cli
