#pragma once

#include "core/base/interrupt.hpp"

#include <functional>

namespace gantry::test {

/// Asks to give way at the n-th check (1 for the first), and not again until the next set(): on one
/// thread, and so always at the same place.
class NthCheck final : public Interrupt {
 public:
  NthCheck() {
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
  void attend() const override { at_check_(); }

  std::function<void()> at_check_;
  int n_ = 0, checks_ = 0;
};

}  // namespace gantry::test
