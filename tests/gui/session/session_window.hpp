#pragma once

#include "gui/session/session_files.hpp"
#include "tests/gui/window_fixture.hpp"

#include <QSignalSpy>
#include <QTest>

namespace gantry::test {

/// Writes what a window has open to a session, and waits for the end.
inline void save_session(WindowFixture& w, const QString& file) {
  QSignalSpy saved(w.sessions, &SessionFiles::saved);
  w.sessions->save(file);
  WAIT_FOR(saved.count() == 1);
}

/// Opens a session, and waits until its runs are there.
inline void open_session(WindowFixture& w, const QString& file) {
  QSignalSpy opened(w.sessions, &SessionFiles::opened);
  w.window->open(file);
  WAIT_FOR(opened.count() == 1);
  for (const int id : w.model().runIds())
    WAIT_FOR(w.iterations(id) == 0 || w.state(id) != RunState::idle);
}

}  // namespace gantry::test
