#pragma once

#include "core/base/interrupt.hpp"

namespace gantry {

/// An Interrupt that can tell beforehand whether check() would run any tasks (see
/// Interrupt::run_queued_tasks), such as queued commands of the user.
class PollableInterrupt : public Interrupt {
 public:
  /// Returns whether tasks are waiting for the next check().
  virtual bool has_tasks() const = 0;
};

/// Calls interrupt.check() within a computation that has overwritten a part of its data, where
/// tasks that check() runs may read these data (for example the image on display). `put_back`
/// restores the data as they were before the computation, and `go_on`, called after check() also if
/// check() throws, brings the changes back. If the interrupt is pollable and no tasks are waiting,
/// neither is called. Throws Interrupted if an interrupt is requested.
template <class PutBack, class GoOn>
void check_with_restored_data(const Interrupt& interrupt, const PutBack& put_back,
                              const GoOn& go_on) {
  const auto* pollable = dynamic_cast<const PollableInterrupt*>(&interrupt);
  if (pollable != nullptr && !pollable->has_tasks()) {
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
