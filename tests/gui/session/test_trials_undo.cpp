// A sweep or a race ends with its data, and undo that leads back to these data brings it back.
#include "gui/data/unsaved_work.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "tests/gui/box_answer.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTreeWidget>

using namespace gantry;
using namespace gantry::test;

class TestTrialsUndo : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  QStringList asked_;
  LossAnswer answer_ = LossAnswer::discard;

  SweepBoard& sweeps() { return w_->window->sweep(); }
  RaceBoard& races() { return w_->window->race(); }
  QUndoStack& undo() { return w_->model().undoStack(); }
  std::shared_ptr<const ExperimentData> data() { return w_->controller().data(); }
  void undoAll() {
    while (undo().canUndo()) undo().undo();
  }
  void redoAll() {
    while (undo().canRedo()) undo().redo();
  }

  void beginSweep(int iterations) {
    sweeps().chooseParam(QStringLiteral("solver:relaxation"));
    w_->part<QSpinBox>("sweepCount").setValue(2);
    w_->part<QSpinBox>("sweepIterations").setValue(iterations);
    sweeps().start(true);
  }
  void sweep() {
    QSignalSpy finished(&sweeps(), &SweepBoard::finished);
    beginSweep(1);
    WAIT_FOR(finished.count() == 1);
  }
  void race() {
    auto& methods = w_->part<QTreeWidget>("raceMethods");
    for (int i = 2; i < methods.topLevelItemCount(); ++i)
      methods.topLevelItem(i)->setCheckState(0, Qt::Unchecked);
    w_->part<QSpinBox>("raceIterations").setValue(1);
    QSignalSpy finished(&races(), &RaceBoard::finished);
    w_->part<QPushButton>("startRace").click();
    WAIT_FOR(finished.count() == 1);
  }
  /// Other data: of fewer views.
  void editViews() {
    w_->model().edit(QStringLiteral("Views"), [](Experiment& e) {
      e.geometry->view_angles_rad = angles_from_degrees(1, 12, 30);
    });
  }
  /// Starts a run with them.
  void start(std::size_t run) {
    const int id = w_->run(run);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished && w_->controller().isCurrent(id));
  }
  std::vector<std::vector<float>> images() {
    std::vector<std::vector<float>> all;
    for (const SweepPoint& point : sweeps().points()) all.push_back(point.image);
    return all;
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    asked_.clear();
    answer_ = LossAnswer::discard;
    w_->window->files().setAsksUser(true);
    w_->window->unsavedWork().setLongSeconds(0);  // as if each trial took minutes
    w_->window->unsavedWork().setQuestion([this](const QString&, const QString& lost) {
      asked_ << lost;
      return answer_;
    });
    Experiment small = WindowFixture::small();
    for (RunSpec& run : small.runs) run.iterations = 3;
    w_->open(small);
    WAIT_FOR(w_->isReady());
  }
  void cleanup() { w_.reset(); }

  /// The results of runs lead back to the data, or the sweep does so itself.
  void undoBringsASweepBack_data() {
    QTest::addColumn<bool>("hasRuns");
    QTest::newRow("after a run") << true;
    QTest::newRow("alone") << false;
  }
  void undoBringsASweepBack() {
    QFETCH(const bool, hasRuns);
    if (hasRuns) start(0);
    sweep();
    const auto before = images();
    const auto first = data();
    QCOMPARE(before.size(), 3U);
    editViews();
    if (hasRuns)
      start(0);
    else
      w_->controller().prepareData();
    WAIT_FOR(data() != first && w_->isReady());
    QCOMPARE(asked_.size(), 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("comes back by undo")), qPrintable(asked_[0]));
    QVERIFY(sweeps().points().empty());
    sweep();  // one of the newer data
    const auto after = images();
    QVERIFY(after != before);

    undoAll();
    WAIT_FOR(w_->isReady());
    QVERIFY(data() == first && w_->controller().dataAreCurrent());
    QVERIFY(images() == before);
    QVERIFY(sweeps().sweptLabel().startsWith(QStringLiteral("Relaxation")));
    QVERIFY(w_->window->windowTitle().contains(QLatin1Char('*')));
    redoAll();
    QVERIFY(data() != first && images() == after);
    QCOMPARE(asked_.size(), 1);  // nothing was lost
  }

  /// Where a run has results of the newer data, undo of the edit leaves them what is shown. The
  /// earlier data, asked for, are those that the sweep was made of.
  void dataThatAreAskedForBringItBack() {
    sweep();
    const auto before = images();
    const auto first = data();
    editViews();
    start(1);
    undoAll();
    QVERIFY(data() != first && !w_->controller().dataAreCurrent());
    start(1);
    QVERIFY(data() == first && images() == before);
  }

  void undoBringsARaceBack() {
    race();
    const auto first = data();
    QCOMPARE(races().done(), 2U);
    editViews();
    w_->controller().prepareData();
    WAIT_FOR(data() != first && w_->isReady());
    QCOMPARE(races().done(), 0U);
    undoAll();
    QVERIFY(data() == first);
    QCOMPARE(races().done(), 2U);
    QCOMPARE(w_->part<QTreeWidget>("raceTable").topLevelItemCount(), 2);
  }

  /// Undo that would end a sweep under way asks; cancelled, it is as if there had been no undo.
  void aSweepUnderWayIsAskedAbout() {
    sweep();
    const auto before = images();
    const auto first = data();
    editViews();
    w_->controller().prepareData();
    WAIT_FOR(data() != first && w_->isReady());
    asked_.clear();
    answer_ = LossAnswer::cancel;
    beginSweep(1'000'000);
    const int ticket = sweeps().ticket();
    const int index = undo().index();
    undo().undo();
    WAIT_FOR(asked_.size() == 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("the sweep of Relaxation")), qPrintable(asked_[0]));
    QVERIFY(sweeps().isBusy() && sweeps().ticket() == ticket);
    QCOMPARE(undo().index(), index);
    QVERIFY(data() != first && w_->controller().dataAreCurrent());
    answer_ = LossAnswer::discard;
    undo().undo();
    WAIT_FOR(data() == first);
    QCOMPARE(asked_.size(), 2);
    QVERIFY(!sweeps().isBusy() && images() == before);
  }

  /// What took seconds and comes back by undo is no loss. The answers about what took longer say
  /// that the change goes on.
  void onlyALongSweepIsAskedAbout() {
    w_->window->unsavedWork().setLongSeconds(60);
    sweep();
    const auto before = images();
    const auto first = data();
    editViews();
    w_->controller().prepareData();
    WAIT_FOR(data() != first && w_->isReady());
    QVERIFY2(asked_.isEmpty(), qPrintable(asked_.join(QLatin1Char('\n'))));
    undoAll();
    WAIT_FOR(data() == first);
    QVERIFY(images() == before);

    w_->window->unsavedWork().setLongSeconds(0);
    w_->window->unsavedWork().setQuestion({});
    const BoxAnswer answer(QStringLiteral("Go on without saving"));
    editViews();
    w_->controller().prepareData();
    WAIT_FOR(data() != first && w_->isReady());
    QVERIFY2(answer.asked().contains(QStringLiteral("The change is kept")) &&
                 answer.asked().contains(QStringLiteral("|Save and go on")) &&
                 !answer.asked().contains(QStringLiteral("Discard")),
             qPrintable(answer.asked()));
  }

  /// What takes too much memory is not kept, and the question says so.
  void aLargeSweepIsNotKept() {
    sweeps().setMostBytesForUndo(1000);
    sweep();
    const auto first = data();
    editViews();
    w_->controller().prepareData();
    WAIT_FOR(data() != first && w_->isReady());
    QCOMPARE(asked_.size(), 1);
    QVERIFY2(asked_[0].contains(QStringLiteral("too large")), qPrintable(asked_[0]));
    undoAll();
    QVERIFY(data() != first && sweeps().points().empty());
  }

  /// Undo does not lead back to another experiment, whose sweep therefore stays away.
  void anotherExperimentBringsNothingBack() {
    sweep();
    const auto first = data();
    Experiment other = WindowFixture::small();
    other.geometry->view_angles_rad = angles_from_degrees(1, 12, 30);
    w_->open(other);
    WAIT_FOR(data() != first && w_->isReady());
    w_->open(WindowFixture::small());
    WAIT_FOR(w_->isReady() && w_->controller().dataAreCurrent());
    QVERIFY(sweeps().points().empty());
  }
};

GANTRY_TEST(TestTrialsUndo)
#include "test_trials_undo.moc"
