#pragma once

#include "core/base/interrupt.hpp"

#include <functional>

namespace gantry::test {

/// Raises the interrupt at its n-th check (1 for the first), once after each set(). The computing
/// thread itself raises it, so that the interruption occurs at the same point in every run.
class InterruptAtCheck final : public Interrupt {
 public:
  InterruptAtCheck() {
    at_check_ = [this] {
      if (++checks_ == n_) raise();
    };
  }
  void set(int n) {
    if (raised()) lower();
    n_ = n;
    checks_ = 0;
  }
  int checks() const { return checks_; }

 private:
  void run_queued_tasks() const override { at_check_(); }

  std::function<void()> at_check_;
  int n_ = 0, checks_ = 0;
};

}  // namespace gantry::test
