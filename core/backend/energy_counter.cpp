#include "core/backend/energy_counter.hpp"

#include <chrono>

namespace gantry {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double least_s = 1;
/// A counter that stands still for so long has no more steps to wait for.
constexpr double patience_s = 2;
/// The counter is asked no more often than this.
constexpr double between_s = 0.005;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Where the counter stood when it had just moved, and the calls made until then.
struct Step {
  double millijoules = 0;
  long calls = 0;
  Clock::time_point when;
};

/// Works until the counter moves, but not before `least_s` have passed.
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
