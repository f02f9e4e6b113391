// Closing the window asks about what would be lost, and about nothing else.
#include "core/io/volume_file.hpp"
#include "core/job/experiment_file.hpp"
#include "tests/gui/window_fixture.hpp"

#include <QDir>
#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestClosing : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QStringList asked_;

  QString path(const QString& name) const { return folder_.filePath(name); }

  /// A window with the small experiment, whose question is answered so.
  std::unique_ptr<WindowFixture> opened(CloseAnswer answer) {
    auto w = std::make_unique<WindowFixture>();
    asked_.clear();
    w->window->files().setAsksBack(true);
    w->window->setCloseQuestion([this, answer](const QString& lost) {
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

 private slots:
  void nothingToLoseNothingAsked() {
    const auto w = opened(CloseAnswer::cancel);
    QVERIFY(w->window->close());
    QVERIFY(asked_.isEmpty());
  }

  void theReadyExperimentIsNobodysLoss() {
    const auto w = opened(CloseAnswer::cancel);
    w->window->openReadyExperiment();
    WAIT_FOR(w->iterations(w->run(0)) > 0);
    QVERIFY(w->window->close());
    QVERIFY(asked_.isEmpty());
  }

  void cancelKeepsTheWindow() {
    const auto w = opened(CloseAnswer::cancel);
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
    const auto w = opened(CloseAnswer::discard);
    edit(*w);
    QVERIFY(w->window->close());
    QCOMPARE(asked_.size(), 1);
  }

  void saveWritesTheExperimentAndCloses() {
    const auto w = opened(CloseAnswer::save);
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
    const auto w = opened(CloseAnswer::save);
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
             (QStringList{QStringLiteral("run1-sart.mha"), QStringLiteral("run2-sirt.mha")}));
    QCOMPARE(
        load_volume(results.filePath(QStringLiteral("run1-sart.mha")).toStdString(), {}).grid.nx,
        64);
  }

  void savedResultsAreNotAskedAbout() {
    const auto w = opened(CloseAnswer::cancel);
    runAll(*w);
    QVERIFY(!w->window->close());
    for (const int id : w->model().runIds()) {
      const QString file = path(QStringLiteral("v%1.mha").arg(id));
      w->window->files().saveVolume(id, file);
      WAIT_FOR(QFile::exists(file));
    }
    WAIT_FOR(w->window->close());
  }

  void nobodyIsAskedWhereNobodyIsThere() {
    const auto w = opened(CloseAnswer::cancel);
    w->window->files().setAsksBack(false);
    edit(*w);
    QVERIFY(w->window->close());
    QVERIFY(asked_.isEmpty());
  }
};

QTEST_MAIN(TestClosing)
#include "test_closing.moc"
