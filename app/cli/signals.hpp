#pragma once

#include "core/base/interrupt.hpp"

#include <string>

namespace gantry::cli {

/// From now on SIGINT, SIGTERM and SIGHUP end the program in order; those that it was started with
/// ignored stay so. Work that gives way is asked to at the first signal; other work, and any at the
/// second one, ends at once. Either way no half-written file is left. Before other threads start.
void take_signals();

/// The first signal that came; 0: none did.
int signal_taken();
/// "SIGINT"
std::string signal_name(int signal);
/// 128 + signal, as shells have it.
int exit_status_of(int signal);

/// While one of these lives, the work under way gives way to the first signal.
class GivesWay {
 public:
  GivesWay();
  ~GivesWay();
  GivesWay(const GivesWay&) = delete;
  GivesWay& operator=(const GivesWay&) = delete;

  const Interrupt& interrupt() const;
};

}  // namespace gantry::cli
