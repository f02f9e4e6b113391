// The playhead: views show kept iterates, and runs go on from them.
#include "gui/models/playhead.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestTimeline : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  const RunStatus& status(int id) { return w_->controller().status(id); }
  const std::vector<float>& estimate(int id, std::size_t kept) {
    return status(id).iterates->at(kept).progress->solver.arrays.front();
  }
  const std::vector<float>& shown(int id) {
    return window().board().tile(id)->view().slice().image()->values;
  }
  QToolButton* button(const char* name) {
    return window().findChild<QToolButton*>(QLatin1String(name));
  }
  void runAll() {
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds())
      WAIT_FOR(w_->state(id) == RunState::finished && status(id).iterates->size() == 12);
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_->window.get()));
    window().activateWindow();
    window().setFocus();
    Experiment few = WindowFixture::small();
    few.runs[1].solver = "cgls";  // whose next iteration needs more than the image
    for (RunSpec& run : few.runs) run.iterations = 12;
    w_->model().reset(few, {});
    runAll();
  }
  void cleanup() { w_.reset(); }

  /// With a click in the chart and the mouse, and with the keyboard.
  void allViewsShowTheIterate() {
    ChartView& chart = window().convergence().chart();
    const auto at = [&](double x) {
      return QPoint(qRound(chart.chart().toDisplay(x, 1).x),
                    qRound(chart.chart().plotRect().centre().y));
    };
    WAIT_FOR(chart.chart().plotRect().width > 100);
    QVERIFY(!button("goOnFromHere")->isVisible());
    QTest::mouseClick(&chart, Qt::LeftButton, {}, at(5.3));
    for (const int id : w_->model().runIds()) QCOMPARE(shown(id), estimate(id, 4));
    QCOMPARE(*window().playhead().position(), 5.0);  // at an iteration, not between two
    QVERIFY(button("goOnFromHere")->isVisible());
    QVERIFY(window().board().tile(w_->run(0))->status().contains(QStringLiteral("it 5")));

    QTest::mousePress(&chart, Qt::LeftButton, {}, at(2));  // not on the line
    QTest::mouseMove(&chart, at(7));
    QTest::mouseMove(&chart, at(9.2));
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, at(9.2));
    for (const int id : w_->model().runIds()) QCOMPARE(shown(id), estimate(id, 8));

    QTest::keyClick(&window(), Qt::Key_BracketLeft);
    QCOMPARE(shown(w_->run(0)), estimate(w_->run(0), 7));
    for (int i = 0; i < 4; ++i) QTest::keyClick(&window(), Qt::Key_BracketRight);
    QCOMPARE(shown(w_->run(0)), estimate(w_->run(0), 11));
    QTest::keyClick(&window(), Qt::Key_BracketRight);
    QVERIFY(!window().playhead().position());  // live
    QTest::keyClick(&window(), Qt::Key_BracketLeft);
    QTest::keyClick(&window(), Qt::Key_Escape);
    QVERIFY(!window().playhead().position() && !button("goOnFromHere")->isVisible());
  }

  /// A double click shows all of the curves, and the latest estimates; other data are shown whole.
  void theCurvesAreShownWholeAgain() {
    ChartView& chart = window().convergence().chart();
    chart.edit([](ChartScene& scene) { scene.setRange({4, 6, 0.001, 0.01}); });
    QTest::mouseDClick(&chart, Qt::LeftButton, {}, chart.rect().center());
    QVERIFY(chart.chart().followsData());
    QVERIFY(!window().playhead().position());
    chart.edit([](ChartScene& scene) { scene.setRange({4, 6, 0.001, 0.01}); });
    w_->openSmall();
    WAIT_FOR(chart.chart().followsData());
  }

  /// Over seconds each run shows what it had at that time.
  void secondsAreAMomentOfAllRuns() {
    const double middle = status(w_->run(0)).iterates->at(5).progress->seconds;
    window().playhead().set(ProgressAxis::seconds, middle);
    QCOMPARE(shown(w_->run(0)), estimate(w_->run(0), 5));
    const KeptIterate* other = window().playhead().iterateOf(status(w_->run(1)));
    QVERIFY(other->iteration == 1 || other->progress->seconds <= middle);
    QVERIFY(other->iteration == 12 ||
            status(w_->run(1))
                    .iterates->at(static_cast<std::size_t>(other->iteration))
                    .progress->seconds > middle);
  }

  void goingOnEqualsTheFirstPass_data() {
    QTest::addColumn<int>("index");
    QTest::newRow("SART") << 0;
    QTest::newRow("CGLS") << 1;
  }
  void goingOnEqualsTheFirstPass() {
    QFETCH(int, index);
    const int id = w_->run(static_cast<std::size_t>(index));
    const std::vector<float> last = estimate(id, 11), fifth = estimate(id, 4);
    const std::vector<HistoryEntry> history = status(id).history;
    const int epoch = status(id).epoch;
    window().runs().selectRun(id);
    window().playhead().set(ProgressAxis::iterations, 5);
    button("goOnFromHere")->click();
    QVERIFY(!window().playhead().position());
    WAIT_FOR(status(id).epoch != epoch && w_->state(id) == RunState::finished);
    WAIT_FOR(status(id).iterates->size() == 12);
    QVERIFY(estimate(id, 11) == last);
    QVERIFY(estimate(id, 4) == fifth);
    QCOMPARE(status(id).history.size(), history.size());
    for (std::size_t i = 0; i < history.size(); ++i) {
      QCOMPARE(status(id).history[i].report.iteration, static_cast<int>(i) + 1);
      QCOMPARE(status(id).history[i].metrics.at("rmse"), history[i].metrics.at("rmse"));
    }
    QTest::keyClick(&window(), Qt::Key_Z, Qt::ControlModifier);
    WAIT_FOR(status(id).epoch == epoch);
    QVERIFY(estimate(id, 11) == last);
  }

  /// A run goes on from the rounded image: close to what it had computed, and it says so.
  void roundedIteratesAreShownAndGoneOnFrom() {
    const int id = w_->run(0);
    const std::vector<float> fifth = estimate(id, 4), last = estimate(id, 11);
    auto* rounds = window().findChild<QAction*>(QStringLiteral("roundedIterates"));
    rounds->setChecked(true);
    const int epoch = status(id).epoch;
    w_->controller().start(id);
    WAIT_FOR(status(id).epoch != epoch && w_->state(id) == RunState::finished &&
             status(id).iterates->size() == 12);
    QVERIFY(!status(id).iterates->at(4).is_exact());
    const auto differs = [](const std::vector<float>& a, const std::vector<float>& b) {
      double difference = 0, norm = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        difference += std::pow(a[i] - b[i], 2);
        norm += std::pow(b[i], 2);
      }
      return std::sqrt(difference / norm);
    };
    window().runs().selectRun(id);
    window().playhead().set(ProgressAxis::iterations, 5);
    QVERIFY(differs(shown(id), fifth) < 5e-4 && shown(id) != fifth);
    QVERIFY(button("goOnFromHere")->toolTip().contains(QStringLiteral("not be exactly")));
    button("goOnFromHere")->click();
    WAIT_FOR(w_->iterations(id) == 12 && w_->state(id) == RunState::finished &&
             status(id).iterates->size() == 12);
    QVERIFY(differs(*status(id).iterates->back().image(), last) < 2e-3);
    rounds->setChecked(false);
  }

  /// Pause, step and keep take one action each, going on from an earlier iteration two.
  void actionsAreFew() {
    const int id = w_->run(0);
    window().runs().selectRun(id);
    w_->model().editRun(id, QStringLiteral("iterations"),
                        [](RunSpec& run) { run.iterations = 1000000; });
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::running && w_->iterations(id) >= 6);
    window().activateWindow();
    window().setFocus();
    QTest::keyClick(&window(), Qt::Key_Space);
    WAIT_FOR(w_->state(id) == RunState::paused);
    const int paused_at = w_->iterations(id);
    QTest::keyClick(&window(), Qt::Key_S);
    WAIT_FOR(w_->iterations(id) == paused_at + 1 && w_->state(id) == RunState::paused);
    for (QToolButton* tool : window().findChildren<QToolButton*>())
      if (tool->isVisible() && tool->accessibleName() == QStringLiteral("Stop and keep"))
        tool->click();
    WAIT_FOR(w_->state(id) == RunState::stopped);
    // One click in the curves, one on the button.
    const auto& kept = *status(id).iterates;
    const int wanted = kept.at(std::min<std::size_t>(4, kept.size() - 1)).iteration;
    ChartView& chart = window().convergence().chart();
    chart.edit([](ChartScene& scene) { scene.setRange({0, 12, 1e-4, 1e-1}); });
    WAIT_FOR(chart.chart().plotRect().width > 100);
    const QPoint at(qRound(chart.chart().toDisplay(wanted + 0.2, 1).x),
                    qRound(chart.chart().plotRect().centre().y));
    const int epoch = status(id).epoch;
    QTest::mouseClick(&chart, Qt::LeftButton, {}, at);
    QTest::mouseClick(button("goOnFromHere"), Qt::LeftButton);
    WAIT_FOR(status(id).epoch != epoch && w_->iterations(id) > wanted);
    QCOMPARE(status(id).history.at(static_cast<std::size_t>(wanted) - 1).report.iteration, wanted);
    w_->controller().pause(id);
    WAIT_FOR(w_->state(id) == RunState::paused || w_->state(id) == RunState::finished);
  }

  /// Iteration 5 of the old settings is followed by iteration 6 of the new ones.
  void goingOnTakesChangedSettings() {
    const int id = w_->run(0);
    const std::vector<float> fifth = estimate(id, 4), sixth = estimate(id, 5);
    w_->model().editRun(id, QStringLiteral("relaxation"),
                        [](RunSpec& run) { run.solver_params.set("relaxation", 0.9); });
    w_->controller().goOnFrom(id, 5);
    WAIT_FOR(w_->state(id) == RunState::finished && w_->iterations(id) == 12 &&
             status(id).iterates->size() == 12);
    QVERIFY(estimate(id, 4) == fifth);
    QVERIFY(estimate(id, 5) != sixth);
    QCOMPARE(status(id).started.stages.size(), std::size_t{1});
    QCOMPARE(status(id).started.stages[0].until_iteration, 5);
    QVERIFY(w_->controller().isCurrent(id));
  }
};

GANTRY_TEST(TestTimeline)
#include "test_timeline.moc"
