#pragma once

#include <atomic>

namespace gantry {

/// Thrown out of a long operation that was asked to give way. Not an Error: nothing is wrong.
/// Whoever throws or passes it leaves its object as it was before the operation began, so that the
/// same call can simply be made again.
struct Interrupted {};

/// Asks a computation on another thread to give way soon. Requests are counted, so that two askers
/// do not cancel each other: each raise() is paired with one lower() by whoever serves it.
class Interrupt {
 public:
  void raise() { requests_.fetch_add(1, std::memory_order_relaxed); }
  void lower() { requests_.fetch_sub(1, std::memory_order_relaxed); }
  bool raised() const { return requests_.load(std::memory_order_relaxed) > 0; }

  /// Throws Interrupted when raised. Called between blocks of at most some tens of milliseconds of work.
  void check() const {
    if (raised()) throw Interrupted{};
  }

 private:
  std::atomic<int> requests_{0};
};

}  // namespace gantry
