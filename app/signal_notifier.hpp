#pragma once

#include <QObject>

namespace gantry {

/// Tells of SIGINT, SIGTERM and SIGHUP in the event loop; those that the program was started with
/// ignored stay so. A second one ends the program at once. One object at a time.
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
