#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace gantry {

/// Of at least one value.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

/// By the clock of the host: work on a device has to end with a wait for it.
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
inline Timing time_calls(const std::function<void()>& work, int repeats) {
  work();
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(repeats));
  for (int i = 0; i < repeats; ++i) times.push_back(milliseconds(work));
  return {median(times), std::ranges::min(times), std::ranges::max(times)};
}

/// Times as many calls after one to warm up as fit into `budget_ms`, judged by that one: from
/// `least` to `most`.
inline Timing time_within(const std::function<void()>& work, double budget_ms, int least,
                          int most) {
  const double each_ms = std::max(milliseconds(work), 1e-6);
  const double fit = std::clamp(budget_ms / each_ms, 1.0 * least, 1.0 * most);
  std::vector<double> times;
  for (int i = 0; i < static_cast<int>(fit); ++i) times.push_back(milliseconds(work));
  return {median(times), std::ranges::min(times), std::ranges::max(times)};
}

/// Voxel updates in units of 2^30 a second, as the field counts them: voxels times views.
inline double giga_updates_per_second(double voxels, double views, double seconds) {
  return voxels * views / 1073741824.0 / seconds;
}

}  // namespace gantry
