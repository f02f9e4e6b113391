// A run that goes on with other settings, in the window: what it is called, where its curve is
// marked, and what is saved of it.
#include "core/job/experiment_file.hpp"
#include "gui/runs/run_card.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/banners.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestRunStages : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  std::string name(int id) const {
    return run_label(w_->controller().computed(id), w_->program.catalog);
  }
  /// In the list of runs.
  QString listed(int id) const { return w_->window->runs().card(id)->name(); }
  const ChartSeries& curve(int id) const {
    return *w_->window->convergence().chart().chart().model().find(std::to_string(id));
  }
  void change(int id, double relaxation, int iterations) {
    w_->model().editRun(id, QStringLiteral("relaxation"), [=](RunSpec& run) {
      run.solver_params.set("relaxation", relaxation);
      run.iterations = iterations;
    });
  }

 private slots:
  /// Four iterations of each run.
  void init() {
    w_ = std::make_unique<WindowFixture>();
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) run.iterations = 4;
    w_->model().reset(few, {});
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
  }
  void cleanup() { w_.reset(); }

  void namesAndMarksFollowWhatHasComputed() {
    const int id = w_->run(1);
    change(id, 0.7, 9);
    QCOMPARE(name(id), std::string("SIRT, λ 1"));
    QCOMPARE(curve(id).style.label, name(id));
    QCOMPARE(listed(id).toStdString(), name(id));
    w_->controller().continueFromHere(id);
    QCOMPARE(name(id), std::string("SIRT, λ 1"));
    WAIT_FOR(w_->iterations(id) == 9 && w_->state(id) == RunState::finished);
    QCOMPARE(name(id), std::string("SIRT, λ 1 to iteration 4, λ 0.7 from 5"));
    QCOMPARE(curve(id).style.label, name(id));
    QCOMPARE(listed(id).toStdString(), name(id));
    QCOMPARE(curve(id).marks.size(), std::size_t{1});
    QCOMPARE(curve(id).marks[0].x, 5.0);
    QCOMPARE(curve(id).marks[0].text, std::string("from here: λ 0.7"));
    QVERIFY(w_->controller().isCurrent(id));
    // Begun anew it has no past.
    w_->controller().start(id);
    WAIT_FOR(w_->iterations(id) == 9 && w_->state(id) == RunState::finished);
    QCOMPARE(name(id), std::string("SIRT, λ 0.7"));
    QVERIFY(w_->model().run(id)->stages.empty() && curve(id).marks.empty());
  }

  void whatIsSavedComputesItAgain() {
    const int id = w_->run(1);
    change(id, 0.7, 6);
    QVERIFY(w_->controller().experimentToSave().runs[1].stages.empty());
    w_->controller().continueFromHere(id);
    WAIT_FOR(w_->iterations(id) == 6 && w_->state(id) == RunState::finished);
    w_->controller().extend(id, 2);
    WAIT_FOR(w_->iterations(id) == 8 && w_->state(id) == RunState::finished);
    const RunSpec saved = w_->controller().experimentToSave().runs[1];
    QCOMPARE(saved.iterations, 8);
    QCOMPARE(saved.stages.size(), std::size_t{1});
    std::vector<float> shown;
    w_->controller().requestVolume(
        id, [&](const std::shared_ptr<const std::vector<float>>& mu, int) { shown = *mu; });
    WAIT_FOR(!shown.empty());
    ReconstructionJob again(saved, w_->controller().data(), w_->model().experiment().metrics,
                            w_->program.catalog, w_->program.backends, nullptr);
    while (!again.finished()) again.advance();
    QVERIFY(again.solution() == shown);
    // Settings that have not run are a run that begins anew; what has computed is told, and its
    // experiment can be had as well.
    change(id, 0.2, 6);
    QVERIFY(w_->controller().experimentToSave().runs[1].stages.empty());
    QCOMPARE(w_->controller().runsOfOtherSettings(), std::vector<int>{id});
    QCOMPARE(w_->controller().experimentAsComputed().runs[1], saved);
    QTemporaryDir folder;
    w_->window->files().saveExperiment(folder.filePath(QStringLiteral("e.json")));
    QVERIFY2(w_->window->banners()
                 .text(QStringLiteral("saved"))
                 .contains(QStringLiteral("the results shown of these runs were made with other "
                                          "settings: SIRT, λ 1 to iteration 4")),
             qPrintable(w_->window->banners().text(QStringLiteral("saved"))));
    w_->window->files().saveComputed(folder.filePath(QStringLiteral("computed.json")));
    QCOMPARE(read_experiment(folder.filePath(QStringLiteral("computed.json")).toStdString(),
                             w_->program.catalog)
                 .runs[1],
             saved);
    w_->model().undoStack().undo();
    w_->window->files().saveExperiment(folder.filePath(QStringLiteral("e.json")));
    QVERIFY(!w_->window->banners().has(QStringLiteral("saved")));
  }

  /// A live edit starts the run anew, without its stages: one step of undo brings all back.
  void oneUndoTakesBackTheRestartOfARunWithStages() {
    const int id = w_->run(1);
    change(id, 0.7, 6);
    w_->controller().continueFromHere(id);
    WAIT_FOR(w_->iterations(id) == 6 && w_->state(id) == RunState::finished);
    const RunSpec before = *w_->model().run(id);
    const int steps = w_->model().undoStack().index();
    QCOMPARE(before.stages.size(), std::size_t{1});
    change(id, 0.2, 6);
    w_->controller().startAfterEdit(id);
    WAIT_FOR(w_->iterations(id) == 6 && w_->state(id) == RunState::finished);
    QCOMPARE(name(id), std::string("SIRT, λ 0.2"));
    QCOMPARE(w_->model().undoStack().index(), steps + 1);
    w_->model().undoStack().undo();
    QVERIFY(*w_->model().run(id) == before && w_->controller().isCurrent(id));
    QCOMPARE(name(id), std::string("SIRT, λ 1 to iteration 4, λ 0.7 from 5"));
    w_->model().undoStack().redo();
    QCOMPARE(name(id), std::string("SIRT, λ 0.2"));
    QVERIFY(w_->model().run(id)->stages.empty() && w_->controller().isCurrent(id));
  }

  /// One step of a run whose settings were changed goes on from what it has.
  void aStepGoesOnWithChangedSettings() {
    const int id = w_->run(0);
    change(id, 0.3, 9);
    w_->controller().stepIteration(id);
    WAIT_FOR(w_->iterations(id) == 5 && w_->state(id) == RunState::paused);
    QCOMPARE(name(id), std::string("SART, λ 0.5 to iteration 4, λ 0.3 from 5"));
    w_->controller().stepIteration(id);
    WAIT_FOR(w_->iterations(id) == 6 && w_->state(id) == RunState::paused);
    change(id, 0.2, 9);
    w_->controller().stepSubset(id);
    WAIT_FOR(w_->controller().status(id).started.solver_params ==
                 w_->model().run(id)->solver_params &&
             w_->state(id) == RunState::paused);
    QCOMPARE(w_->iterations(id), 6);
    WAIT_FOR(w_->controller().status(id).snapshot->part_of_iteration > 0);
  }

  /// Settings that cannot work compute nothing, and leave no trace.
  void settingsThatCannotWorkRenameNothing() {
    const int id = w_->run(1);
    w_->model().editRun(id, QStringLiteral("device"),
                        [](RunSpec& run) { run.backend = "no_such_device"; });
    w_->controller().continueFromHere(id);
    WAIT_FOR(w_->state(id) == RunState::failed);
    QCOMPARE(name(id), std::string("SIRT, λ 1"));
    QVERIFY(w_->model().run(id)->stages.empty());
    QCOMPARE(w_->controller().status(id).started.backend, std::string("auto"));
  }
};

GANTRY_TEST(TestRunStages)
#include "test_run_stages.moc"
