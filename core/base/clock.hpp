#pragma once

#include <chrono>

namespace gantry {

/// The clock by which the program measures how long something takes.
using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

}  // namespace gantry
