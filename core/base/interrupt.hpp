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
  Interrupt() = default;
  virtual ~Interrupt() = default;
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  void raise() { requests_.fetch_add(1, std::memory_order_relaxed); }
  void lower() { requests_.fetch_sub(1, std::memory_order_relaxed); }
  bool raised() const { return requests_.load(std::memory_order_relaxed) > 0; }

  /// Called by the computing thread between blocks of at most some tenths of a second of work:
  /// attends to small duties, then throws Interrupted when raised.
  void check() const {
    attend();
    if (raised()) throw Interrupted{};
  }

 private:
  virtual void attend() const {}

  std::atomic<int> requests_{0};
};

}  // namespace gantry
