#pragma once

#include <atomic>
#include <exception>

namespace gantry {

/// Carries the first exception of an OpenMP region to the code after the region. An exception that
/// left the region itself, std::bad_alloc included, would end the program. The object is made
/// before the region, all code in the region that may throw or allocate is passed to run(), and
/// rethrow() is called after the region.
class ParallelErrors {
 public:
  /// Runs body() unless an earlier call has thrown. Any thread of the region may call run().
  template <class Body>
  void run(const Body& body) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      body();
    } catch (...) {
      if (!failed_.exchange(true)) first_ = std::current_exception();
    }
  }

  /// Throws the first exception that run() has caught, if any.
  void rethrow() const {
    if (first_ != nullptr) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::exception_ptr first_;
};

}  // namespace gantry
