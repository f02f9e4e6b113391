// Closing the window, or opening something else in it, asks about what would be lost, and about
// nothing else.
#include "core/io/volumes/volume_file.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/data/lessons.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestClosing : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QStringList asked_, acts_;

  QString path(const QString& name) const { return folder_.filePath(name); }

  /// A window with the small experiment, whose question is answered so.
  std::unique_ptr<WindowFixture> opened(LossAnswer answer) {
    auto w = std::make_unique<WindowFixture>();
    asked_.clear();
    acts_.clear();
    w->window->files().setAsksUser(true);
    w->window->unsavedWork().setLongSeconds(0);  // as if each sweep took minutes
    w->window->unsavedWork().setQuestion([this, answer](const QString& act, const QString& lost) {
      acts_ << act;
      asked_ << lost;
      return answer;
    });
    w->openSmall();
    return w;
  }
  static void edit(WindowFixture& w) {
    w.model().edit(QStringLiteral("Title"), [](Experiment& e) { e.title = "changed"; });
  }
  /// Three iterations of each run.
  static void runAll(WindowFixture& w) {
    Experiment short_one = WindowFixture::small();
    for (RunSpec& run : short_one.runs) run.iterations = 3;
    w.model().reset(short_one, {});
    for (const int id : w.model().runIds()) w.controller().start(id);
    for (const int id : w.model().runIds()) WAIT_FOR(w.state(id) == RunState::finished);
  }

  /// Two values of the relaxation beside that of the first run, by one iteration.
  static void sweep(WindowFixture& w) {
    WAIT_FOR(w.isReady());
    w.window->sweep().chooseParam(QStringLiteral("solver:relaxation"));
    w.part<QSpinBox>("sweepCount").setValue(2);
    w.part<QSpinBox>("sweepIterations").setValue(1);
    QSignalSpy finished(&w.window->sweep(), &SweepBoard::finished);
    w.window->sweep().start(true);
    WAIT_FOR(finished.count() == 1);
  }

 private slots:
  void nothingToLoseNothingAsked() {
    const auto w = opened(LossAnswer::cancel);
    QVERIFY(w->window->close());
    QVERIFY(asked_.isEmpty());
  }

  void theReadyExperimentIsNobodysLoss() {
    const auto w = opened(LossAnswer::cancel);
    w->window->openReadyExperiment();
    WAIT_FOR(w->iterations(w->run(0)) > 0);
    QVERIFY(w->window->close());
    QVERIFY(asked_.isEmpty());
  }

  /// What somebody asked for beyond what the program had started is work.
  void theProgramsOwnRunsAreSomebodysWhoGoesOn() {
    const auto w = opened(LossAnswer::cancel);
    Experiment short_one = WindowFixture::small();
    for (RunSpec& run : short_one.runs) run.iterations = 3;
    w->model().reset(short_one, {});
    w->window->unsavedWork().markRunsAutomatic();
    const int id = w->run(0);
    w->controller().start(id);
    WAIT_FOR(w->state(id) == RunState::finished);
    QVERIFY(!w->window->unsavedWork().any());
    w->controller().extend(id, 2);
    WAIT_FOR(w->iterations(id) == 5);
    replace(*w, QStringLiteral("lesson"));
    QCOMPARE(asked_.size(), 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("results are not saved: SART")),
             qPrintable(asked_[0]));
  }

  /// The program began the runs of a lesson, but for somebody who chose it.
  void theResultsOfALessonAreAskedAbout() {
    const auto w = opened(LossAnswer::discard);
    w->startFirstLesson();
    asked_.clear();
    WAIT_FOR(w->iterations(w->run(0)) > 0);
    QVERIFY(w->window->windowTitle().contains(QLatin1Char('*')));
    QVERIFY(w->window->close());
    QCOMPARE(asked_.size(), 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("results are not saved: SART")),
             qPrintable(asked_[0]));
  }

  /// Results that belong to no run: those of a sweep, and of a race.
  void theResultsOfASweepAreAskedAbout_data() {
    QTest::addColumn<QString>("way");
    for (const char* way : {"close", "open", "lesson"}) QTest::newRow(way) << QString(way);
  }
  void theResultsOfASweepAreAskedAbout() {
    QFETCH(QString, way);
    const auto w = opened(LossAnswer::cancel);
    sweep(*w);
    const auto lose = [&] {
      way == QLatin1String("close") ? static_cast<void>(w->window->close()) : replace(*w, way);
    };
    QVERIFY(w->window->windowTitle().contains(QLatin1Char('*')));
    lose();
    QTest::qWait(50);
    QCOMPARE(asked_.size(), 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("not saved: the sweep of Relaxation")),
             qPrintable(asked_[0]));
    QCOMPARE(w->window->sweep().points().size(), 3U);
    w->window->unsavedWork().setQuestion([this](const QString&, const QString& lost) {
      asked_ << lost;
      return LossAnswer::discard;
    });
    lose();
    WAIT_FOR(w->window->sweep().points().empty() || !w->window->isVisible());
    QCOMPARE(asked_.size(), 2);
  }

  /// Applies an edit of the scan, which makes other data.
  static void applyFewerViews(WindowFixture& w) {
    w.model().edit(QStringLiteral("Views"), [](Experiment& e) {
      e.geometry->view_angles_rad = angles_from_degrees(1, 12, 30);
    });
    w.part<QPushButton>("applyRestart").click();
  }

  /// Other data end a sweep, too: its results are asked about, once for all runs that start, and
  /// the bar that offers the start names them.
  void otherDataAskAboutASweep() {
    const auto w = opened(LossAnswer::cancel);
    runAll(*w);
    sweep(*w);
    const auto& bar = w->part<QLabel>("pendingText");
    applyFewerViews(*w);
    QVERIFY2(bar.text().contains(QStringLiteral("ends the sweep of Relaxation")),
             qPrintable(bar.text()));
    WAIT_FOR(asked_.size() == 1);
    QTest::qWait(50);
    QCOMPARE(asked_.size(), 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("the sweep of Relaxation")), qPrintable(asked_[0]));
    QVERIFY(!w->controller().isPreparing() && !w->controller().anyActive());
    QCOMPARE(w->window->sweep().points().size(), 3U);
    QVERIFY(w->window->windowTitle().contains(QLatin1Char('*')));
    w->window->unsavedWork().setQuestion([this](const QString&, const QString& lost) {
      asked_ << lost;
      return LossAnswer::discard;
    });
    w->part<QPushButton>("applyRestart").click();
    for (const int id : w->model().runIds())
      WAIT_FOR(w->state(id) == RunState::finished && w->controller().isCurrent(id));
    QCOMPARE(asked_.size(), 2);
    QVERIFY(w->window->sweep().points().empty());
    QVERIFY(w->window->windowTitle().contains(QLatin1Char('*')));
    // Nothing is left to be lost.
    w->model().undoStack().undo();
    w->model().undoStack().undo();
    WAIT_FOR(w->isReady());
    QCOMPARE(asked_.size(), 2);
  }

  void aSweepIsSavedBeforeOtherData() {
    const auto w = opened(LossAnswer::save);
    runAll(*w);
    QSignalSpy saved(w->sessions, &SessionFiles::saved);
    w->sessions->save(path(QStringLiteral("before.gantry")));
    WAIT_FOR(saved.count() == 1);
    sweep(*w);
    applyFewerViews(*w);
    WAIT_FOR(saved.count() == 2);
    WAIT_FOR(w->window->sweep().points().empty());
    for (const int id : w->model().runIds())
      WAIT_FOR(w->state(id) == RunState::finished && w->controller().isCurrent(id));
    QCOMPARE(asked_.size(), 1);
    w->window->unsavedWork().setQuestion(
        [](const QString&, const QString&) { return LossAnswer::discard; });
    w->window->open(path(QStringLiteral("before.gantry")));
    WAIT_FOR(w->window->sweep().points().size() == 3);
  }

  /// A distance or an angle is work as a region is.
  void aDistanceIsAskedAbout() {
    const auto w = opened(LossAnswer::cancel);
    WAIT_FOR(w->isReady());
    Measurements& measured = w->window->board().measurements();
    measured.addRuler({0, Axis::axial, 0, {{0, 0}, {30, 40}}});
    QVERIFY(w->window->windowTitle().contains(QLatin1Char('*')));
    replace(*w, QStringLiteral("lesson"));
    QCOMPARE(asked_.size(), 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("Distances")), qPrintable(asked_[0]));
    QCOMPARE(measured.rulers().size(), 1U);
    w->model().undoStack().undo();
    QVERIFY(!w->window->windowTitle().contains(QLatin1Char('*')));
    QVERIFY(w->window->close());
    QCOMPARE(asked_.size(), 1);
  }

  /// A session holds it; a file of the experiment does not.
  void aDistanceIsSavedWithASession() {
    const auto w = opened(LossAnswer::cancel);
    WAIT_FOR(w->isReady());
    w->window->board().measurements().addRuler({0, Axis::axial, 0, {{0, 0}, {30, 40}}});
    w->window->files().saveExperiment(path(QStringLiteral("ruled.json")));
    QVERIFY(w->window->windowTitle().contains(QLatin1Char('*')));
    QSignalSpy saved(w->sessions, &SessionFiles::saved);
    w->sessions->save(path(QStringLiteral("ruled.gantry")));
    WAIT_FOR(saved.count() == 1);
    QVERIFY(!w->window->windowTitle().contains(QLatin1Char('*')));
    QVERIFY(w->window->close());
    const auto again = opened(LossAnswer::cancel);
    WAIT_FOR(again->isReady());
    again->window->open(path(QStringLiteral("ruled.gantry")));
    WAIT_FOR(again->window->board().measurements().rulers().size() == 1);
    QTest::qWait(50);
    QVERIFY(!again->window->unsavedWork().any());
  }

  void theResultsOfARaceAreAskedAbout() {
    const auto w = opened(LossAnswer::cancel);
    WAIT_FOR(w->isReady());
    w->part<QSpinBox>("raceIterations").setValue(1);
    w->part<QPushButton>("startRace").click();
    WAIT_FOR(w->window->race().done() > 0 && !w->window->race().isBusy());
    QVERIFY(!w->window->close());
    QVERIFY2(asked_.join(QString()).contains(QStringLiteral("not saved: the race of methods")),
             qPrintable(asked_.join(QString())));
  }

  /// A session holds the sweep; a file of the experiment alone does not.
  void aSweepIsSavedAsASession() {
    const auto w = opened(LossAnswer::cancel);
    sweep(*w);
    w->window->files().saveExperiment(path(QStringLiteral("sweep.json")));
    QVERIFY(!w->window->close());
    QSignalSpy saved(w->sessions, &SessionFiles::saved);
    w->sessions->save(path(QStringLiteral("sweep.gantry")));
    WAIT_FOR(saved.count() == 1);
    QVERIFY(!w->window->windowTitle().contains(QLatin1Char('*')));
    asked_.clear();
    QVERIFY(w->window->close());
    QVERIFY(asked_.isEmpty());
    // Opened again, it is saved, until there is another one.
    const auto again = opened(LossAnswer::cancel);
    WAIT_FOR(again->isReady());
    again->window->open(path(QStringLiteral("sweep.gantry")));
    WAIT_FOR(again->window->sweep().points().size() == 3);
    QTest::qWait(50);
    QVERIFY(!again->window->unsavedWork().any());
    sweep(*again);
    QVERIFY(again->window->unsavedWork().any());
  }

  void cancelKeepsTheWindow() {
    const auto w = opened(LossAnswer::cancel);
    edit(*w);
    QVERIFY(!w->window->close());
    QVERIFY(w->window->isVisible());
    QCOMPARE(asked_.size(), 1);
    QVERIFY(asked_[0].contains(QStringLiteral("changes that are not saved")));
    w->model().undoStack().undo();  // and then there is nothing to ask about
    QVERIFY(w->window->close());
    QCOMPARE(asked_.size(), 1);
  }

  void discardCloses() {
    const auto w = opened(LossAnswer::discard);
    edit(*w);
    QVERIFY(w->window->close());
    QCOMPARE(asked_.size(), 1);
  }

  void saveWritesTheExperimentAndCloses() {
    const auto w = opened(LossAnswer::save);
    w->window->files().saveExperiment(path(QStringLiteral("e.json")));
    edit(*w);
    w->window->close();
    WAIT_FOR(!w->window->isVisible());
    QCOMPARE(asked_.size(), 1);
    QCOMPARE(
        read_experiment(path(QStringLiteral("e.json")).toStdString(), w->program.catalog).title,
        std::string("changed"));
    QVERIFY(!QDir(path(QStringLiteral("e-results"))).exists());
  }

  void saveWritesResultsBesideIt() {
    const auto w = opened(LossAnswer::save);
    runAll(*w);
    w->window->files().saveExperiment(path(QStringLiteral("r.json")));
    QVERIFY(QDir().mkpath(path(QStringLiteral("r-results"))));  // is taken
    w->window->close();
    WAIT_FOR(!w->window->isVisible());
    QCOMPARE(asked_.size(), 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("results are not saved: SART")),
             qPrintable(asked_[0]));
    const QDir results(path(QStringLiteral("r-results-2")));
    QCOMPARE(results.entryList(QDir::Files, QDir::Name),
             (QStringList{QStringLiteral("curves.csv"), QStringLiteral("experiment.json"),
                          QStringLiteral("run1-sart.mha"), QStringLiteral("run2-sirt.mha")}));
    QCOMPARE(
        load_volume(results.filePath(QStringLiteral("run1-sart.mha")).toStdString(), {}).grid.nx,
        64);
  }

  void savedResultsAreNotAskedAbout() {
    const auto w = opened(LossAnswer::cancel);
    runAll(*w);
    QVERIFY(!w->window->close());
    for (const int id : w->model().runIds()) {
      const QString file = path(QStringLiteral("v%1.mha").arg(id));
      w->window->files().saveVolume(id, file);
      WAIT_FOR(QFile::exists(file));
    }
    WAIT_FOR(w->window->close());
  }

  /// Whatever takes the place of the experiment: a lesson, a file, a drop.
  void replacingAsks_data() {
    QTest::addColumn<QString>("way");
    for (const char* way : {"lesson", "open", "drop"})
      QTest::newRow(way) << QString::fromLatin1(way);
  }
  void replace(WindowFixture& w, const QString& way) {
    const QString file = path(QStringLiteral("other.json"));
    if (!QFile::exists(file)) {
      Experiment other = WindowFixture::small();
      other.title = "other";
      write_experiment(file.toStdString(), other);
    }
    if (way == QLatin1String("lesson")) return w.startFirstLesson();
    if (way == QLatin1String("open")) return w.window->open(file);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDropEvent drop(QPointF(9, 9), Qt::CopyAction, &data, Qt::LeftButton, {});
    static_cast<QObject*>(w.window.get())->event(&drop);
  }
  void replacingAsks() {
    QFETCH(QString, way);
    const auto w = opened(LossAnswer::cancel);
    runAll(*w);
    const std::vector<int> before = w->model().runIds();
    replace(*w, way);
    QTest::qWait(50);
    QCOMPARE(asked_.size(), 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("results are not saved: SART")),
             qPrintable(asked_[0]));
    QVERIFY(!w->controller().isPreparing());
    QVERIFY(w->model().runIds() == before);
    QCOMPARE(w->iterations(before[0]), 3);
    w->window->unsavedWork().setQuestion(
        [](const QString&, const QString&) { return LossAnswer::discard; });
    replace(*w, way);
    WAIT_FOR(w->model().runIds() != before);
  }

  /// What is edited or computed while the other file is loaded is asked about when it is there.
  void whatChangesWhileAFileIsLoadedIsAskedAbout_data() {
    QTest::addColumn<QString>("way");
    QTest::addColumn<QString>("change");
    for (const char* way : {"open", "drop"})
      for (const char* change : {"edit", "run", "begin"})
        QTest::addRow("%s, %s", way, change) << QString(way) << QString(change);
  }
  void whatChangesWhileAFileIsLoadedIsAskedAbout() {
    QFETCH(QString, way);
    QFETCH(QString, change);
    const bool computes = change == QLatin1String("run"), begins = change == QLatin1String("begin");
    const auto w = opened(LossAnswer::cancel);
    WAIT_FOR(!w->controller().isPreparing());
    const std::vector<int> before = w->model().runIds();
    const auto change_something = [&] {
      if (computes) return w->controller().stepIteration(before[0]);
      if (begins) return w->controller().stepSubset(before[0]);  // of sixty in an iteration
      edit(*w);
    };
    replace(*w, way);
    QVERIFY(w->controller().isPreparing());
    QVERIFY(asked_.isEmpty());
    change_something();
    WAIT_FOR(asked_.size() == 1);
    QCOMPARE(acts_, QStringList{QStringLiteral("Open other.json")});
    // The iteration may have ended before the other file was loaded, or not.
    const QString is_begun = QStringLiteral("are in their first iteration: SART");
    QVERIFY2(asked_[0].contains(begins ? is_begun : QStringLiteral("are not saved")) ||
                 (computes && asked_[0].contains(is_begun)),
             qPrintable(asked_[0]));
    if (computes) WAIT_FOR(w->iterations(before[0]) == 1);
    WAIT_FOR(!w->controller().isPreparing());
    QVERIFY(w->model().runIds() == before);
    QVERIFY(w->controller().dataAreCurrent());
    QCOMPARE(w->window->unsavedWork().edits(), !computes && !begins);
    // What has been agreed to be lost is not asked about again.
    w->window->unsavedWork().setQuestion([this](const QString&, const QString& lost) {
      asked_ << lost;
      return LossAnswer::discard;
    });
    replace(*w, way);
    WAIT_FOR(w->model().experiment().title == "other");
    QCOMPARE(asked_.size(), 2);
  }

  /// Saved while the other file waits: then it takes the place, without another question.
  void whatChangesWhileAFileIsLoadedCanBeSaved() {
    const auto w = opened(LossAnswer::save);
    w->window->files().saveExperiment(path(QStringLiteral("late.json")));
    WAIT_FOR(!w->controller().isPreparing());
    replace(*w, QStringLiteral("open"));
    edit(*w);
    WAIT_FOR(w->model().experiment().title == "other");
    QCOMPARE(asked_.size(), 1);
    QCOMPARE(
        read_experiment(path(QStringLiteral("late.json")).toStdString(), w->program.catalog).title,
        std::string("changed"));
  }

  /// Save first writes everything, and then replaces.
  void savedFirstReplacedThen() {
    const auto w = opened(LossAnswer::save);
    runAll(*w);
    w->window->files().saveExperiment(path(QStringLiteral("s.json")));
    replace(*w, QStringLiteral("open"));
    WAIT_FOR(w->model().experiment().title == "other");
    QCOMPARE(asked_.size(), 1);
    QCOMPARE(QDir(path(QStringLiteral("s-results"))).entryList(QDir::Files).size(), 4);
  }

  void whatIsSavedOrTheProgramsOwnIsReplacedWithoutAWord() {
    const auto w = opened(LossAnswer::cancel);
    w->window->openReadyExperiment();
    WAIT_FOR(w->iterations(w->run(0)) > 0);
    replace(*w, QStringLiteral("open"));
    WAIT_FOR(w->model().experiment().title == "other");
    QVERIFY(asked_.isEmpty());
  }

  /// A save under way may end after a question that had nothing to ask, and write an earlier state
  /// than the present one.
  void whatALateSaveLeavesUnsavedIsAskedAbout() {
    const auto w = opened(LossAnswer::cancel);
    UnsavedWork& unsaved = w->window->unsavedWork();
    edit(*w);
    const Experiment being_saved = w->model().experiment();
    w->model().undoStack().undo();
    QVERIFY(unsaved.mayLose(QStringLiteral("Open"), [] {}));
    QVERIFY(asked_.isEmpty());
    w->model().markSaved(path(QStringLiteral("late.json")), being_saved);
    QVERIFY(!unsaved.mayStillLose([] {}));
    QCOMPARE(asked_.size(), 1);
    QVERIFY(asked_[0].contains(QStringLiteral("changes that are not saved")));
  }

  void nobodyIsAskedWhereNobodyIsThere() {
    const auto w = opened(LossAnswer::cancel);
    w->window->files().setAsksUser(false);
    edit(*w);
    QVERIFY(w->window->close());
    QVERIFY(asked_.isEmpty());
  }
};

GANTRY_TEST(TestClosing)
#include "test_closing.moc"
