#pragma once

#include <QObject>

namespace gantry {

/// Emits received() in the event loop for SIGINT, SIGTERM and SIGHUP, except those that were
/// ignored when the program started. A second signal ends the program at once. Only one object may
/// exist at a time.
class SignalNotifier : public QObject {
  Q_OBJECT
 public:
  explicit SignalNotifier(QObject* parent = nullptr);

 signals:
  void received(int signal);

 private:
  void read(int descriptor);
};

}  // namespace gantry
