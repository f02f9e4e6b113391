#include "core/backend/energy_counter.hpp"

#include "core/base/clock.hpp"

#include <chrono>

namespace gantry {

namespace {

/// Least duration of the measurement, s.
constexpr double least_s = 1;
/// How long to wait, after the least duration, for an update of the counter, s.
constexpr double patience_s = 2;
/// Least time between two readings of the counter, s.
constexpr double between_s = 0.005;

/// Value of the counter just after an update, and the number of calls until then.
struct Step {
  double millijoules = 0;
  long calls = 0;
  Clock::time_point when;
};

/// Calls `work` until the counter is updated, for `least` seconds at least. Returns without an
/// update after `patience_s` more.
Step next_step(const EnergyCounter& counter, const std::function<void()>& work, double least) {
  Step step{counter.millijoules(), 0, Clock::now()};
  const auto start = step.when;
  for (auto asked = start;;) {
    work();
    ++step.calls;
    if (seconds_since(asked) < between_s) continue;
    asked = Clock::now();
    const double now = counter.millijoules();
    const bool moved = now != step.millijoules;
    step.millijoules = now;
    step.when = asked;
    if (seconds_since(start) >= least && (moved || seconds_since(start) > least + patience_s))
      return step;
  }
}

}  // namespace

CallEnergy energy_per_call(const EnergyCounter& counter, const std::function<void()>& work) {
  work();
  const Step first = next_step(counter, work, 0), last = next_step(counter, work, least_s);
  const double taken = last.millijoules - first.millijoules,
               seconds = std::chrono::duration<double>(last.when - first.when).count();
  return {taken / static_cast<double>(last.calls), 1e-3 * taken / seconds};
}

}  // namespace gantry
