#pragma once

#include "gui/session/autosave.hpp"
#include "tests/gui/window_fixture.hpp"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace gantry::test {

/// A window that saves what it is at, by hand, and two seconds after an edit; regularly only after
/// the given seconds.
struct SavingWindow : WindowFixture {
  explicit SavingWindow(const QString& base, double shortest_s = 3600)
      : autosave(new Autosave(*window, base, 3600, shortest_s)) {}

  /// Both runs, until each has made three iterations, then at rest.
  void compute() {
    Experiment experiment = small();
    experiment.runs[1].solver = "fista";  // which carries more than its iterate
    experiment.runs[1].solver_params = {};
    for (RunSpec& run : experiment.runs) run.iterations = 100000;
    model().reset(experiment, QStringLiteral("/somewhere/small.json"));
    for (const int id : model().runIds()) controller().start(id);
    for (const int id : model().runIds()) WAIT_FOR(iterations(id) >= 3);
    for (const int id : model().runIds()) controller().pause(id);
    for (const int id : model().runIds()) WAIT_FOR(!controller().status(id).isActive());
  }
  void restore() {
    autosave->offerRestoring();
    QVERIFY(bannerButton(QStringLiteral("Restore")) != nullptr);
    QSignalSpy restored(autosave, &Autosave::restored);
    bannerButton(QStringLiteral("Restore"))->click();
    WAIT_FOR(restored.count() == 1);
    for (const int id : model().runIds())  // a run that had computed nothing is as it was
      WAIT_FOR(iterations(id) == 0 || state(id) != RunState::idle);
  }

  Autosave* autosave;  // the window's
};

}  // namespace gantry::test
