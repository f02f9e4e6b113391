#include "app/cli/signals.hpp"

#include "core/io/files/temporary_files.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace gantry::cli {

namespace {

constexpr std::array handled_signals = {SIGINT, SIGTERM, SIGHUP};

/// Data of the thread that waits for signals and of the program. Never destroyed, because the
/// thread waits until the program ends.
struct Shared {
  Interrupt interrupt;
  std::atomic<int> signal = 0;
  std::mutex mutex;  // guards interruptible_count
  int interruptible_count = 0;
};
Shared& shared() {
  static auto* const one = new Shared;
  return *one;
}

[[noreturn]] void end_at_once(int signal) {
  remove_temporaries();
  const std::string line = "gantry-cli: ended at once by " + signal_name(signal) + "\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  _exit(exit_status_of(signal));
}

void wait_for_signals(sigset_t signals) {
  for (;;) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    const std::scoped_lock lock(shared().mutex);
    int none = 0;
    const bool is_first = shared().signal.compare_exchange_strong(none, signal);
    if (!is_first || shared().interruptible_count == 0) end_at_once(signal);
    shared().interrupt.raise();
  }
}

}  // namespace

void handle_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : handled_signals) {
    struct sigaction action = {};
    const bool is_ignored =
        sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!is_ignored) sigaddset(&signals, signal);
  }
  shared();  // created before the thread uses it
  // The signals are blocked in this thread and in every thread that starts later; one thread waits
  // for them.
  if (pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0) return;
  try {
    std::thread(wait_for_signals, signals).detach();
  } catch (const std::system_error&) {
    // No memory for a thread: signals end the program as by default.
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

int received_signal() { return shared().signal; }

std::string signal_name(int signal) {
  return signal == SIGINT    ? "SIGINT"
         : signal == SIGTERM ? "SIGTERM"
         : signal == SIGHUP  ? "SIGHUP"
                             : "signal " + std::to_string(signal);
}

int exit_status_of(int signal) { return 128 + signal; }

SignalInterrupt::SignalInterrupt() {
  const std::scoped_lock lock(shared().mutex);
  ++shared().interruptible_count;
}

SignalInterrupt::~SignalInterrupt() {
  const std::scoped_lock lock(shared().mutex);
  --shared().interruptible_count;
}

const Interrupt& SignalInterrupt::interrupt() const { return shared().interrupt; }

}  // namespace gantry::cli
