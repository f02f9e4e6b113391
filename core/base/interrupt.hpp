#pragma once

#include <atomic>

namespace gantry {

/// Thrown out of a long operation that was interrupted. Interrupted is no Error, since nothing is
/// wrong. A function that throws Interrupted, or lets it pass, leaves its object as it was before
/// the call, so that the same call can be repeated.
struct Interrupted {};

/// Requests that a computation on another thread stop soon. Requests are counted, so that two
/// requesting threads do not cancel each other: the thread that serves a request calls lower() once
/// for each raise().
class Interrupt {
 public:
  Interrupt() = default;
  virtual ~Interrupt() = default;
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  void raise() { requests_.fetch_add(1, std::memory_order_relaxed); }
  void lower() { requests_.fetch_sub(1, std::memory_order_relaxed); }
  bool raised() const { return requests_.load(std::memory_order_relaxed) > 0; }

  /// Called by the computing thread between blocks of work of at most some tenths of a second. Runs
  /// the short tasks of a derived class, if any, then throws Interrupted if an interrupt is
  /// requested.
  void check() const {
    run_queued_tasks();
    if (raised()) throw Interrupted{};
  }

 private:
  /// Runs short tasks on the computing thread, for example queued commands of the user.
  virtual void run_queued_tasks() const {}

  std::atomic<int> requests_{0};
};

}  // namespace gantry
