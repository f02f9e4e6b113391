// What is not left to the regular saves: edits, notes, workspaces and sweeps.
#include "core/base/error.hpp"
#include "core/job/session_file.hpp"
#include "gui/help/notes_panel.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "tests/gui/session/saving_window.hpp"
#include "tests/support/same_numbers.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestAutosaveEdits : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  QString base() const { return folder_->filePath(QStringLiteral("autosave")); }

  /// Whether the last complete save includes a result of a sweep.
  static bool holdsTrial(const SavingWindow& w) {
    const QString path = QDir(w.autosave->path()).filePath(QStringLiteral("session.gantry"));
    const auto is_trial = [](const SessionPart& part) { return part.role == SessionRole::trial; };
    return QFileInfo::exists(path) &&
           std::ranges::any_of(read_session_head(path.toStdString()).parts, is_trial);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// What is killed between two regular saves loses no edit, note or workspace.
  void editsAndNotesAreSavedSoon() {
    {
      SavingWindow w(base());
      w.compute();
      QVERIFY(w.autosave->saveNow(60000));
      const int done = w.iterations(w.run(0));
      w.controller().stepIteration(w.run(0));
      WAIT_FOR(w.iterations(w.run(0)) == done + 1);
      w.model().edit(QStringLiteral("Title"), [](Experiment& e) { e.title = "edited"; });
      w.window->applyLayout(WindowLayout::sweep);
      auto* notes = w.window->notes().findChild<QPlainTextEdit*>();
      notes->setPlainText(QStringLiteral("seen"));
      QSignalSpy saved(w.autosave, &Autosave::saved);
      WAIT_FOR(saved.count() >= 1);
      w.autosave->keep();
    }
    SavingWindow w(base());
    w.restore();
    QCOMPARE(w.model().experiment().title, std::string("edited"));
    QCOMPARE(w.window->layout(), WindowLayout::sweep);
    QCOMPARE(w.window->notes().text(), QStringLiteral("seen"));
    for (const int id : w.model().runIds()) QVERIFY(w.iterations(id) >= 3);  // the regular save
  }

  /// An edit right after the results came back, or after a run goes on from an earlier iterate,
  /// does not remove what lies on disk. The folder is read at every moment, as if the window were
  /// killed.
  void anEditKeepsTheResultsOnDisk_data() {
    QTest::addColumn<bool>("goes_on");
    QTest::addColumn<bool>("saves_at_once");
    QTest::addRow("restored") << false << false;
    QTest::addRow("restored, then on from an earlier iterate") << true << false;
    // The worker has not delivered the estimates by then.
    QTest::addRow("saved while the results arrive") << false << true;
  }
  void anEditKeepsTheResultsOnDisk() {
    QFETCH(bool, goes_on);
    QFETCH(bool, saves_at_once);
    {
      SavingWindow w(base());
      w.compute();
      QVERIFY(w.autosave->saveNow(60000));
      w.autosave->keep();
    }
    SavingWindow w(base());
    QSignalSpy saved(w.autosave, &Autosave::saved);
    if (saves_at_once)
      connect(w.autosave, &Autosave::restored, this, [&w] {
        QVERIFY(w.state(w.run(0)) == RunState::idle);
        w.autosave->save();
      });
    w.restore();
    const int id = w.run(0);
    if (goes_on) {
      WAIT_FOR(w.controller().status(id).iterates != nullptr &&
               !w.controller().status(id).iterates->empty());
      w.controller().goOnFrom(id, w.controller().status(id).iterates->front().iteration);
    }
    w.window->applyLayout(WindowLayout::sweep);
    const auto runs_on_disk = [&] {
      try {
        const SessionHead head = read_session_head(
            QDir(w.autosave->path()).filePath(QStringLiteral("session.gantry")).toStdString());
        return std::ranges::count_if(head.parts, [&](const SessionPart& part) {
          return part.role == SessionRole::run &&
                 QFile::exists(
                     QDir(w.autosave->path()).filePath(QString::fromStdString(part.file)));
        });
      } catch (const Error&) {
        return std::ptrdiff_t{0};
      }
    };
    std::ptrdiff_t least = 2;
    WAIT_FOR((least = std::min(least, runs_on_disk()), saved.count() >= 1));
    QCOMPARE(least, std::ptrdiff_t{2});
    QCOMPARE(runs_on_disk(), std::ptrdiff_t{2});
  }

  /// Results of runs that go on are saved after the shortest pause where a save takes little time,
  /// however long the longest is.
  void smallResultsAreSavedOften() {
    SavingWindow w(base(), 0.2);
    w.compute();
    WAIT_FOR(QDir(w.autosave->path()).entryList({QStringLiteral("*.checkpoint")}).size() == 2);
    QSignalSpy saved(w.autosave, &Autosave::saved);
    w.controller().stepIteration(w.run(0));
    WAIT_FOR(saved.count() >= 1);
  }

  /// A run that has ended is whole in what is saved, without a wait for the regular save.
  void aRunIsSavedWhenItEnds() {
    int iterations = 0;
    {
      SavingWindow w(base());
      w.openSmall();
      WAIT_FOR(w.isReady());
      for (const int id : w.model().runIds()) w.controller().start(id);
      for (const int id : w.model().runIds()) WAIT_FOR(w.state(id) == RunState::finished);
      iterations = w.iterations(w.run(0));
      QSignalSpy saved(w.autosave, &Autosave::saved);
      WAIT_FOR(saved.count() >= 1);
      w.autosave->keep();
    }
    SavingWindow w(base());
    w.restore();
    QVERIFY(iterations > 0);
    QCOMPARE(w.iterations(w.run(0)), iterations);
  }

  /// What a sweep has computed so far can be saved while it goes on.
  void aSweepIsSavedOnItsWay() {
    std::vector<float> first;
    {
      SavingWindow w(base());
      w.compute();
      w.window->applyLayout(WindowLayout::sweep);
      w.part<QSpinBox>("sweepIterations").setValue(500);
      w.part<QPushButton>("startSweep").click();
      const SweepBoard& sweep = w.window->sweep();
      WAIT_FOR(!sweep.points().empty());
      // A request is not heard while the save of the runs that have ended is still under way.
      WAIT_FOR((w.autosave->save(), holdsTrial(w)));
      QVERIFY(sweep.isBusy());  // else this is the test below
      first = sweep.points().front().image;
      w.autosave->keep();
    }
    SavingWindow w(base());
    w.restore();
    QVERIFY(!first.empty());
    QVERIFY(!w.window->sweep().points().empty());
    QVERIFY(w.window->sweep().points().front().image == first);
  }

  /// A race is saved when it ends, also where it is all that there is.
  void aRaceComesBack() {
    {
      SavingWindow w(base());
      w.openSmall();
      WAIT_FOR(w.isReady());
      w.part<QSpinBox>("raceIterations").setValue(2);
      QSignalSpy saved(w.autosave, &Autosave::saved);
      w.part<QPushButton>("startRace").click();
      WAIT_FOR(w.window->race().results().size() == 4 && !w.window->race().isBusy());
      WAIT_FOR(saved.count() >= 1);
      w.autosave->keep();
    }
    SavingWindow w(base());
    w.restore();
    QCOMPARE(w.window->race().results().size(), std::size_t{4});
    for (const TrialResult& result : w.window->race().results())
      QCOMPARE(result.history.size(), std::size_t{2});
  }

  /// A sweep is saved when it ends, and goes on as if the window had never been killed.
  void aSweepComesBack() {
    std::vector<SweepPoint> points;
    QString verdict;
    const auto text = [](SavingWindow& w) { return w.part<QLabel>("sweepState").text(); };
    {
      SavingWindow w(base());
      w.openSmall();
      w.window->runs().selectRun(w.run(0));
      w.window->applyLayout(WindowLayout::sweep);
      w.part<QSpinBox>("sweepIterations").setValue(2);
      w.part<QDoubleSpinBox>("sweepFrom").setValue(0.2);
      QSignalSpy saved(w.autosave, &Autosave::saved);
      w.part<QPushButton>("startSweep").click();
      WAIT_FOR(w.window->sweep().points().size() == 9 && !w.window->sweep().isBusy());
      WAIT_FOR(QDir(w.autosave->path()).entryList({QStringLiteral("*.estimate")}).size() == 9);
      WAIT_FOR(saved.count() >= 1);
      points = w.window->sweep().points();
      verdict = text(w);
      w.autosave->keep();
    }
    SavingWindow w(base());
    w.restore();
    const SweepBoard& sweep = w.window->sweep();
    QCOMPARE(sweep.points().size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      QCOMPARE(sweep.points()[i].value, points[i].value);
      QVERIFY(sweep.points()[i].image == points[i].image);
      QVERIFY(same_history(sweep.points()[i].history, points[i].history));
    }
    QCOMPARE(text(w), verdict);
    QVERIFY(verdict.startsWith(QStringLiteral("Best of 9")));
    QCOMPARE(w.part<QSpinBox>("sweepIterations").value(), 2);
    QCOMPARE(w.part<QDoubleSpinBox>("sweepFrom").value(), 0.2);
    w.part<QPushButton>("useBest").click();
    WAIT_FOR(w.state(w.run(0)) == RunState::finished);
    const auto& taken = w.controller().status(w.run(0)).history;
    QVERIFY(taken.size() > 2);
    QVERIFY(std::ranges::any_of(points, [&](const SweepPoint& point) {
      return point.history[1].report.seconds == taken[1].report.seconds;  // not computed again
    }));
  }
};

GANTRY_TEST(TestAutosaveEdits)
#include "test_autosave_edits.moc"
