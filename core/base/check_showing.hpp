#pragma once

#include "core/base/interrupt.hpp"

namespace gantry {

/// An Interrupt that knows whether anybody waits to be attended to.
class PollableInterrupt : public Interrupt {
 public:
  virtual bool is_wanted() const = 0;
};

/// interrupt.check() of a computation that has changed in part what others may read while it
/// attends to them: `put_back` restores what was there before, `go_on` brings the changes back.
/// Neither is called where the interrupt knows that nobody waits.
template <class PutBack, class GoOn>
void check_showing(const Interrupt& interrupt, const PutBack& put_back, const GoOn& go_on) {
  const auto* pollable = dynamic_cast<const PollableInterrupt*>(&interrupt);
  if (pollable != nullptr && !pollable->is_wanted()) {
    if (interrupt.raised()) throw Interrupted{};
    return;
  }
  put_back();
  try {
    interrupt.check();
  } catch (...) {
    go_on();
    throw;
  }
  go_on();
}

}  // namespace gantry
