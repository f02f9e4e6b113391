#pragma once

#include "core/base/median.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace gantry {

/// Returns the median of times, whose order stays; there must be at least one.
inline double median(std::vector<double> values) { return median_of(values); }

/// Returns how long work() takes, by the clock of the host. Work on a device must wait for the
/// device before it returns.
inline double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

struct Timing {
  double median_ms, fastest_ms, slowest_ms;
};

/// Calls work() once to warm up, then times `repeats` calls.
inline Timing time_calls(const std::function<void()>& work, int repeats) {
  work();
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(repeats));
  for (int i = 0; i < repeats; ++i) times.push_back(milliseconds(work));
  return {median(times), std::ranges::min(times), std::ranges::max(times)};
}

/// Calls work() once to warm up, then times as many calls as fit into `budget_ms` according to the
/// first call, but at least `least` and at most `most`; one call in any case.
inline Timing time_within(const std::function<void()>& work, double budget_ms, int least,
                          int most) {
  const double each_ms = std::max(milliseconds(work), 1e-6);
  least = std::max(least, 1);
  const double fit = std::clamp(budget_ms / each_ms, 1.0 * least, 1.0 * std::max(least, most));
  std::vector<double> times;
  for (int i = 0; i < static_cast<int>(fit); ++i) times.push_back(milliseconds(work));
  return {median(times), std::ranges::min(times), std::ranges::max(times)};
}

/// Returns the rate of voxel updates (voxels times views) in units of 2^30 per second, as is usual
/// in the field.
inline double giga_updates_per_second(double voxels, double views, double seconds) {
  return voxels * views / 1073741824.0 / seconds;
}

}  // namespace gantry
