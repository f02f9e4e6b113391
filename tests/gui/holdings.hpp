#pragma once

#include <QObject>
#include <QString>

namespace gantry::test {

/// Counts the events that the program's objects get.
class EventCount : public QObject {
 public:
  EventCount();
  qint64 events = 0;

 protected:
  bool eventFilter(QObject*, QEvent*) override;
};

/// The names of what holdings() returns, separated by commas.
QString holdingsHeader();

/// Returns what this program holds, separated by commas: the resident memory and what of it is
/// allocated by malloc(), in MB; the open file descriptors; the threads; the OpenGL contexts and
/// the objects in them. The last two are empty unless the library counted_gl
/// (tests/support/preloaded/counted_gl.cpp) was loaded before the program.
QString holdings();

}  // namespace gantry::test
