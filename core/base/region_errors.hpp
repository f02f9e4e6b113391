#pragma once

#include <atomic>
#include <exception>

namespace gantry {

/// Carries the first exception out of an OpenMP region, which none may leave by itself: the program
/// would end, for want of memory as well. Made before the region; what allocates or throws in it is
/// given to run(), and rethrow() follows the region.
class RegionErrors {
 public:
  /// Runs body(), unless one has thrown already. Any thread of the region may call.
  template <class Body>
  void run(const Body& body) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      body();
    } catch (...) {
      if (!failed_.exchange(true)) first_ = std::current_exception();
    }
  }

  /// Throws what was thrown first.
  void rethrow() const {
    if (first_ != nullptr) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::exception_ptr first_;
};

}  // namespace gantry
