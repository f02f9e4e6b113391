#pragma once

#include "core/base/interrupt.hpp"

#include <string>

namespace gantry::cli {

/// Handles SIGINT, SIGTERM and SIGHUP from now on, except those that were ignored when the program
/// started. While a SignalInterrupt exists, the first signal requests an interrupt; any other
/// signal ends the program at once. No unfinished file is left in either case. Must be called
/// before other threads start.
void handle_signals();

/// Returns the first signal that arrived; 0 if none has.
int received_signal();
/// Returns the name of a signal, "SIGINT".
std::string signal_name(int signal);
/// Returns 128 + signal, the usual exit status of a program that a signal ended.
int exit_status_of(int signal);

/// While an object of this class exists, the first signal requests an interrupt instead of ending
/// the program. Pass interrupt() to the computation.
class SignalInterrupt {
 public:
  SignalInterrupt();
  ~SignalInterrupt();
  SignalInterrupt(const SignalInterrupt&) = delete;
  SignalInterrupt& operator=(const SignalInterrupt&) = delete;

  const Interrupt& interrupt() const;
};

}  // namespace gantry::cli
