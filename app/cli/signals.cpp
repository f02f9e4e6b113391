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

constexpr std::array taken_signals = {SIGINT, SIGTERM, SIGHUP};

/// What the thread that waits for signals shares with the program; never destroyed, as it waits to
/// the end.
struct Shared {
  Interrupt interrupt;
  std::atomic<int> signal = 0;
  std::mutex mutex;  // of the line below: work may begin or end to give way meanwhile
  int giving_way = 0;
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
    if (!is_first || shared().giving_way == 0) end_at_once(signal);
    shared().interrupt.raise();
  }
}

}  // namespace

void take_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : taken_signals) {
    struct sigaction action = {};
    const bool is_ignored =
        sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!is_ignored) sigaddset(&signals, signal);
  }
  shared();  // before the thread
  // Blocked here and in every thread that starts later; one waits for them.
  if (pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0) return;
  try {
    std::thread(wait_for_signals, signals).detach();
  } catch (const std::system_error&) {  // no memory for a thread: signals end the program, as ever
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

int signal_taken() { return shared().signal; }

std::string signal_name(int signal) {
  return signal == SIGINT    ? "SIGINT"
         : signal == SIGTERM ? "SIGTERM"
         : signal == SIGHUP  ? "SIGHUP"
                             : "signal " + std::to_string(signal);
}

int exit_status_of(int signal) { return 128 + signal; }

GivesWay::GivesWay() {
  const std::scoped_lock lock(shared().mutex);
  ++shared().giving_way;
}

GivesWay::~GivesWay() {
  const std::scoped_lock lock(shared().mutex);
  --shared().giving_way;
}

const Interrupt& GivesWay::interrupt() const { return shared().interrupt; }

}  // namespace gantry::cli
