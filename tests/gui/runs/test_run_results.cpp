// What a run has computed is never lost by one click: discarding, restarting and removing can be
// undone, or are asked about.
#include "gui/data/unsaved_work.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QMenu>
#include <QToolBar>

using namespace gantry;
using namespace gantry::test;

class TestRunResults : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  /// Five iterations of each run.
  void runAll() {
    Experiment short_one = WindowFixture::small();
    for (RunSpec& run : short_one.runs) run.iterations = 5;
    w_->model().reset(short_one, {});
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds())
      WAIT_FOR(w_->state(id) == RunState::finished && w_->controller().status(id).snapshot);
  }
  std::vector<float> picture(int id) {
    const auto slice = window().board().slice(id, Axis::axial, 0);
    return slice != nullptr ? slice->values : std::vector<float>{};
  }
  std::size_t points(int id) {
    const ChartSeries* curve =
        window().convergence().chart().chart().model().find(std::to_string(id));
    return curve != nullptr ? curve->xs.size() : 0;
  }
  QString title(int id) { return window().board().tile(id)->caption(); }
  void undo() { window().findChild<QAction*>(QStringLiteral("undo"))->trigger(); }
  QString undoText() { return window().findChild<QAction*>(QStringLiteral("undo"))->text(); }
  void relax(int id, double relaxation) {
    w_->model().editRun(id, QStringLiteral("relaxation"), [relaxation](RunSpec& run) {
      run.solver_params.set("relaxation", relaxation);
    });
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    runAll();
  }
  void cleanup() { w_.reset(); }

  /// In the menu of a view as in that of a run in the list.
  void noEntryStandsTwiceInAMenu() {
    const int id = w_->run(0);
    const auto entries = [](const QMenu& menu) {
      QStringList texts;
      for (const QAction* action : menu.actions())
        if (!action->isSeparator()) texts << action->text().section(QStringLiteral(" ("), 0, 0);
      return texts;
    };
    const std::unique_ptr<QMenu> of_list(window().runMenu(id));
    QCOMPARE(entries(*of_list).count(QStringLiteral("Only this view")), 1);
    QStringList of_view;
    QTimer::singleShot(0, this, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (menu == nullptr) return;
      of_view = entries(*menu);
      menu->close();
    });
    emit window().board().menuRequested(id, window().mapToGlobal(QPoint(300, 300)));
    // What the buttons over a tile do, its menu does, too.
    for (const char* entry : {"Only this view", "Difference", "Unlink", "Pin as reference"})
      QVERIFY2(of_view.contains(QLatin1String(entry)), entry);
    QCOMPARE(of_view.removeDuplicates(), 0);
  }

  void discardingMeansOneRunAndIsUndone() {
    const int id = w_->run(1);
    const auto history = w_->controller().status(id).history;
    const std::vector<float> before = picture(id);
    QVERIFY(!before.empty());
    const std::unique_ptr<QMenu> menu(window().runMenu(id));
    menu->findChild<QAction*>(QStringLiteral("discardRun"))->trigger();
    WAIT_FOR(w_->state(id) == RunState::idle);
    QVERIFY(w_->controller().status(id).history.empty());
    QCOMPARE(points(id), std::size_t{0});
    QVERIFY(picture(id).empty());
    QCOMPARE(w_->iterations(w_->run(0)), 5);  // the other one keeps what it has
    QVERIFY2(undoText().contains(QStringLiteral("Discard SIRT")), qPrintable(undoText()));

    undo();
    WAIT_FOR(w_->state(id) == RunState::finished && picture(id) == before);
    QCOMPARE(w_->iterations(id), 5);
    QCOMPARE(points(id), std::size_t{5});
    QCOMPARE(w_->metric(id, "rmse"), history.back().metrics.at("rmse"));
    QVERIFY(w_->controller().isCurrent(id));
    window().runs().selectRun(id);
    w_->controller().extend(id, extendBy);  // and it goes on from there
    WAIT_FOR(w_->iterations(id) == 5 + extendBy);
  }

  void theToolBarDiscardsNothing() {
    for (const QAction* action : window().findChild<QToolBar*>()->actions())
      QVERIFY2(!action->text().contains(QStringLiteral("Discard")), qPrintable(action->text()));
    window().runs().selectRun(w_->run(1));
    window().runActions().discard()->trigger();  // of the Run menu: the selected run alone
    WAIT_FOR(w_->state(w_->run(1)) == RunState::idle);
    QCOMPARE(w_->iterations(w_->run(0)), 5);
  }

  void aRestartIsUndoneAndRedone() {
    const int id = w_->run(0);
    const std::vector<float> first = picture(id);
    relax(id, 0.1);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished && picture(id) != first && !picture(id).empty());
    const std::vector<float> second = picture(id);
    undo();
    WAIT_FOR(picture(id) == first);
    QCOMPARE(w_->iterations(id), 5);
    QVERIFY(!w_->controller().isCurrent(id));  // it was made with another relaxation
    undo();
    QVERIFY(w_->controller().isCurrent(id));
    w_->model().undoStack().redo();
    w_->model().undoStack().redo();
    WAIT_FOR(picture(id) == second && w_->controller().isCurrent(id));
  }

  /// What was computed in the place of something discarded can be had again as well.
  void aRunAfterADiscardIsUndoneAndRedone() {
    const int id = w_->run(0);
    const std::vector<float> first = picture(id);
    w_->controller().discard(id);
    WAIT_FOR(picture(id).empty());
    relax(id, 0.1);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished && !picture(id).empty());
    const std::vector<float> second = picture(id);
    QVERIFY2(title(id).startsWith(QStringLiteral("SART, λ 0.1")), qPrintable(title(id)));
    undo();  // the run
    WAIT_FOR(picture(id).empty());
    undo();  // the relaxation
    undo();  // the discarding
    WAIT_FOR(picture(id) == first);
    QVERIFY2(title(id).startsWith(QStringLiteral("SART, λ 0.5")), qPrintable(title(id)));
    for (int i = 0; i < 3; ++i) w_->model().undoStack().redo();
    WAIT_FOR(picture(id) == second && w_->controller().isCurrent(id));
    QVERIFY2(title(id).startsWith(QStringLiteral("SART, λ 0.1")), qPrintable(title(id)));
  }

  /// Names are those of what is shown, whatever the form says.
  void undoBringsTheNameBackWithTheResult() {
    const int id = w_->run(0);
    relax(id, 0.1);
    w_->controller().start(id);
    WAIT_FOR(w_->iterations(id) == 5 && w_->state(id) == RunState::finished);
    QVERIFY2(title(id).startsWith(QStringLiteral("SART, λ 0.1")), qPrintable(title(id)));
    undo();
    QVERIFY2(title(id).startsWith(QStringLiteral("SART, λ 0.5")), qPrintable(title(id)));
    QCOMPARE(points(id), std::size_t{5});
  }

  /// What is stopped in the middle comes back paused, and goes on to the same numbers.
  void aRunningRunComesBackPaused() {
    const int id = w_->run(1);
    w_->model().editRun(id, QStringLiteral("long"), [](RunSpec& run) { run.iterations = 1000000; });
    w_->controller().extend(id, 999995);
    WAIT_FOR(w_->iterations(id) > 8);
    w_->controller().discard(id);
    undo();
    WAIT_FOR(w_->state(id) == RunState::paused);
    WAIT_FOR(w_->controller().status(id).snapshot->state == RunState::paused &&
             w_->controller().status(id).snapshot->iterations == w_->iterations(id));
    const auto& history = w_->controller().status(id).history;
    for (std::size_t i = 0; i < history.size(); ++i)
      QCOMPARE(history[i].report.iteration, static_cast<int>(i) + 1);
    const int before = w_->iterations(id);
    w_->controller().stepIteration(id);
    WAIT_FOR(w_->iterations(id) == before + 1);
    QCOMPARE(w_->controller().status(id).history.back().report.iteration, before + 1);
  }

  void aRemovedRunComesBackWithItsResults() {
    const int id = w_->run(0);
    const std::vector<float> before = picture(id);
    w_->controller().removeRun(id);
    QVERIFY(w_->model().run(id) == nullptr);
    undo();
    WAIT_FOR(w_->state(id) == RunState::finished && picture(id) == before);
    QCOMPARE(points(id), std::size_t{5});
  }

  void whatIsTooLargeToKeepIsAskedAbout() {
    const int id = w_->run(0);
    w_->controller().setMostBytesAside(1);
    window().files().setAsksUser(true);
    QStringList asked;
    LossAnswer answer = LossAnswer::cancel;
    window().unsavedWork().setQuestion([&](const QString& act, const QString& lost) {
      asked << act + QLatin1Char('\n') + lost;
      return answer;
    });
    w_->controller().discard(id);
    w_->controller().removeRun(id);
    relax(id, 0.1);
    w_->controller().start(id);
    w_->model().edit(QStringLiteral("noise"), [](Experiment& e) { e.noise.photons_per_ray = 1e4; });
    w_->controller().stepIteration(id);  // on other data it would begin anew
    w_->model().undoStack().undo();
    QCOMPARE(asked.size(), 4);
    for (const QString& text : asked)
      QVERIFY2(text.contains(QStringLiteral("SART")) &&
                   text.contains(QStringLiteral("too large to be kept for undo")),
               qPrintable(text));
    QCOMPARE(w_->iterations(id), 5);
    answer = LossAnswer::discard;
    w_->controller().discard(id);
    WAIT_FOR(w_->state(id) == RunState::idle);
    QVERIFY2(!undoText().contains(QStringLiteral("Discard")), qPrintable(undoText()));
    window().files().setAsksUser(false);
  }

  /// Where room was needed the older results are gone, and the text says so.
  void undoPromisesNothingThatItCannotBring() {
    const int id = w_->run(0);
    const auto bytes = [this](int run) {
      return w_->controller().status(run).snapshot->held_bytes;
    };
    w_->controller().setMostBytesAside(std::max(bytes(id), bytes(w_->run(1))));
    w_->controller().discard(id);
    w_->controller().discard(w_->run(1));
    QVERIFY2(undoText().contains(QStringLiteral("Discard SIRT")), qPrintable(undoText()));
    undo();
    WAIT_FOR(w_->iterations(w_->run(1)) == 5);
    QVERIFY2(undoText().contains(QStringLiteral("were dropped to save memory")),
             qPrintable(undoText()));
  }
};

GANTRY_TEST(TestRunResults)
#include "test_run_results.moc"
