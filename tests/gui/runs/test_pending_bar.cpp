// The amber bar over the views: an edit of a run that has computed waits until the user chooses.
#include "gui/runs/pending_bar.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QLabel>
#include <QPushButton>

using namespace gantry;
using namespace gantry::test;

class TestPendingBar : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  PendingBar& bar() { return w_->part<PendingBar>("pendingBar"); }
  QString text() { return w_->part<QLabel>("pendingText").text(); }
  void change(int id, double relaxation) {
    w_->model().editRun(id, QStringLiteral("relaxation"),
                        [=](RunSpec& run) { run.solver_params.set("relaxation", relaxation); });
  }
  std::vector<double> residuals(int id) {
    std::vector<double> all;
    for (const HistoryEntry& entry : w_->controller().status(id).history)
      all.push_back(entry.report.residual_norm);
    return all;
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) run.iterations = 4;
    w_->model().reset(few, {});
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
    QVERIFY(bar().isHidden());
  }
  void cleanup() { w_.reset(); }

  /// The bar says what changed; the edit alone computes nothing; undo takes both back.
  void anEditWaits() {
    const int id = w_->run(1), epoch = w_->controller().status(id).epoch;
    change(id, 0.7);
    QVERIFY(bar().isVisible() && bar().pending() == std::vector<int>{id});
    QVERIFY2(text().contains(QStringLiteral("SIRT, λ 1: λ 0.7")), qPrintable(text()));
    QCOMPARE(w_->controller().status(id).epoch, epoch);
    QVERIFY(w_->state(id) == RunState::finished);
    w_->model().undoStack().undo();
    QVERIFY(bar().isHidden());
    change(w_->run(0), 0.3);
    change(id, 0.7);
    QCOMPARE(bar().pending(), w_->model().runIds());
    QVERIFY(text().contains(QStringLiteral("SART")) && text().contains(QStringLiteral("SIRT")));
  }

  void applyAndRestart() {
    const int id = w_->run(1);
    const std::vector<double> before = residuals(id);
    change(id, 0.7);
    w_->part<QPushButton>("applyRestart").click();
    WAIT_FOR(w_->state(id) == RunState::finished && w_->iterations(id) == 4 &&
             w_->controller().isCurrent(id));
    QVERIFY(bar().isHidden());
    QVERIFY(residuals(id) != before);
    w_->model().undoStack().undo();  // the restart
    QVERIFY(residuals(id) == before && bar().isVisible());
    w_->model().undoStack().undo();  // the edit
    QVERIFY(bar().isHidden() && w_->controller().isCurrent(id));
  }

  /// The changed settings make a new stage, as many iterations as before; undo brings back what
  /// there was.
  void continueFromHere() {
    const int id = w_->run(1);
    const std::vector<double> before = residuals(id);
    change(id, 0.7);
    w_->part<QPushButton>("continueHere").click();
    WAIT_FOR(w_->state(id) == RunState::finished && w_->iterations(id) == 8);
    QVERIFY(bar().isHidden());
    QCOMPARE(w_->controller().label(id), std::string("SIRT, λ 1 to iteration 4, λ 0.7 from 5"));
    QCOMPARE(w_->model().run(id)->iterations, 8);
    const std::vector<double> after = residuals(id);
    QVERIFY(std::equal(before.begin(), before.end(), after.begin()));
    while (w_->model().undoStack().canUndo()) w_->model().undoStack().undo();
    QVERIFY(residuals(id) == before && bar().isHidden());
    while (w_->model().undoStack().canRedo()) w_->model().undoStack().redo();
    QVERIFY(residuals(id) == after && bar().isHidden());
  }

  void aRunningRunGoesOnAsAStage() {
    const int id = w_->run(1);
    w_->model().editRun(id, QStringLiteral("long"), [](RunSpec& run) { run.iterations = 100000; });
    w_->controller().start(id);
    WAIT_FOR(w_->iterations(id) >= 3);
    change(id, 0.7);
    QVERIFY(bar().isVisible() && w_->controller().status(id).isActive());
    w_->part<QPushButton>("continueHere").click();
    WAIT_FOR(!w_->model().run(id)->stages.empty() && bar().isHidden());
    WAIT_FOR(w_->controller().status(id).isActive());
    w_->controller().pause(id);
    WAIT_FOR(w_->state(id) == RunState::paused);
  }

  /// Other data cannot be continued with, and the button says so.
  void otherDataAllowARestartOnly() {
    w_->model().edit(QStringLiteral("noise"),
                     [](Experiment& e) { e.noise.photons_per_ray = 5000; });
    QVERIFY(bar().isVisible());
    QVERIFY(!w_->part<QPushButton>("continueHere").isEnabled());
    QVERIFY(
        w_->part<QPushButton>("continueHere").toolTip().contains(QStringLiteral("only a restart")));
    QCOMPARE(bar().pending(), w_->model().runIds());
    w_->part<QPushButton>("applyRestart").click();
    WAIT_FOR(bar().isHidden());
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
    QVERIFY(w_->controller().data()->noise_norm > 0);
  }
};

GANTRY_TEST(TestPendingBar)
#include "test_pending_bar.moc"
