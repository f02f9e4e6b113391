#include "app/signal_notifier.hpp"

#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>

namespace gantry {

namespace {

volatile std::sig_atomic_t write_end = -1;

/// Signal handler; uses only async-signal-safe functions.
void write_to_socket(int signal) {
  const int error = errno;
  const auto byte = static_cast<unsigned char>(signal);
  [[maybe_unused]] const ssize_t written = write(write_end, &byte, 1);
  errno = error;
}

}  // namespace

SignalNotifier::SignalNotifier(QObject* parent) : QObject(parent) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) return;
  write_end = ends[0];
  auto* notifier = new QSocketNotifier(ends[1], QSocketNotifier::Read, this);
  connect(notifier, &QSocketNotifier::activated, this, [this, end = ends[1]] { read(end); });
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = write_to_socket;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

void SignalNotifier::read(int descriptor) {
  unsigned char signal = 0;
  while (::read(descriptor, &signal, 1) == 1) emit received(signal);
}

}  // namespace gantry
