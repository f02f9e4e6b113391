// A session is saved as one file and comes back with everything that was open.
#include "core/job/experiment_file.hpp"
#include "core/job/session_file.hpp"
#include "gui/data/lessons.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/rail.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/session/session_files.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/banners.hpp"
#include "tests/gui/session/session_window.hpp"
#include "tests/support/same_numbers.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestSession : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  QString path(const char* name = "s.gantry") const {
    return folder_->filePath(QString::fromLatin1(name));
  }

  /// A finished run, a paused one with more to do and more state than its iterate, and one that was
  /// never started.
  static void compute(WindowFixture& w) {
    Experiment experiment = WindowFixture::small();
    experiment.runs[0].iterations = 4;
    experiment.runs[1].solver = "fista";
    experiment.runs[1].iterations = 100000;
    experiment.runs.push_back(experiment.runs[0]);
    experiment.runs[2].colour = 5;
    experiment.metrics.regions.roi = Region{};
    experiment.metrics.regions.roi->half_width_mm = experiment.metrics.regions.roi->half_height_mm =
        20;
    w.model().reset(experiment, {});
    w.controller().start(w.run(0));
    WAIT_FOR(w.state(w.run(0)) == RunState::finished);
    // Step by step: of many iterations not all would be kept and measured again.
    for (int done = 1; done <= 4; ++done) {
      w.controller().stepIteration(w.run(1));
      WAIT_FOR(w.iterations(w.run(1)) == done && w.state(w.run(1)) == RunState::paused);
    }
  }
  static bool isMeasured(WindowFixture& w, int id) {
    const RunStatus& run = w.controller().status(id);
    const ReferenceKey key = w.controller().referenceKeyOf(id);
    return std::ranges::all_of(
        run.history, [&](const HistoryEntry& entry) { return run.isAgainst(key, entry); });
  }
  /// Everything else that a session keeps, other than it is at first.
  static void arrange(WindowFixture& w) {
    MainWindow& window = *w.window;
    window.controller().pinReference(w.run(0));
    WAIT_FOR(w.controller().pinnedRun() == w.run(0));
    for (const std::size_t i : {0, 1})  // what is kept is measured against the pinned estimate
      WAIT_FOR(isMeasured(w, w.run(i)));
    window.runs().selectRun(w.run(1));
    window.applyLayout(WindowLayout::present);
    window.panels().rail().open(QStringLiteral("scan"));
    window.panels().open(QStringLiteral("histogram"));
    ViewState& views = window.viewState();
    views.setWindowLevel(0.013, 0.021);
    views.setHu(true);
    views.setCamera(SliceCamera{12.5, -7.25, 0.625});
    views.setProfile(LineSegment{-30, 1, 40, 2.5});
    views.setInterpolation(Interpolation::linear);
    window.board().tile(w.run(1))->show({TileContent::Kind::difference, w.run(0)});
    auto* quantity = window.findChild<QComboBox*>(QStringLiteral("quantity"));
    quantity->setCurrentIndex(2);
    w.window->playhead().set(ProgressAxis::iterations, 2);
    window.lesson().showText(QStringLiteral("What do you see?"));
    window.sweepPages().setCurrentIndex(1);
  }
  /// What must be the same again, as text.
  static QString shown(WindowFixture& w) {
    const ViewState& s = w.window->viewState();
    QStringList all = {w.window->board().tile(w.run(0))->status(),
                       w.window->board().tile(w.run(1))->caption(),
                       w.window->findChild<QComboBox*>(QStringLiteral("quantity"))->currentText(),
                       w.window->panels().rail().openStep(),
                       w.window->lesson().text(),
                       QString::number(w.window->sweepPages().currentIndex())};
    all << QString::number(static_cast<int>(w.window->layout()))
        << QString::number(s.window(), 'g', 17) << QString::number(s.level(), 'g', 17)
        << QString::number(s.inHu()) << QString::number(s.slice())
        << QString::number(s.camera() ? s.camera()->mm_per_pixel : 0, 'g', 17)
        << QString::number(s.profile() ? s.profile()->v1_mm : 0)
        << QString::number(static_cast<int>(s.interpolation()))
        << QString::number(w.window->playhead().position().value_or(-1))
        << QString::number(*w.model().indexOf(w.window->runs().selectedRun()))
        << QString::number(*w.model().indexOf(w.controller().pinnedRun()));
    return all.join(QLatin1Char('|'));
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void everythingComesBack() {
    Experiment experiment;
    std::vector<std::shared_ptr<const std::vector<float>>> images;
    std::vector<std::vector<HistoryEntry>> curves;
    QString before;
    {
      WindowFixture w;
      compute(w);
      arrange(w);
      experiment = w.model().experiment();
      for (const std::size_t i : {0, 1}) {
        images.push_back(w.image(w.run(i)));
        curves.push_back(w.controller().status(w.run(i)).history);
      }
      before = shown(w);
      save_session(w, path());
      QCOMPARE(w.model().path(), path());
      QVERIFY(!w.window->unsavedWork().any());
      QVERIFY2(w.window->windowTitle().startsWith(QStringLiteral("s.gantry —")),
               qPrintable(w.window->windowTitle()));
    }
    WindowFixture w;
    open_session(w, path());
    QVERIFY(w.model().experiment() == experiment);
    QVERIFY(!w.window->unsavedWork().any());
    QCOMPARE(w.state(w.run(0)), RunState::finished);
    QCOMPARE(w.state(w.run(1)), RunState::paused);
    QCOMPARE(w.state(w.run(2)), RunState::idle);
    for (const std::size_t i : {0, 1}) {
      QVERIFY(same_history(w.controller().status(w.run(i)).history, curves[i]));
      QVERIFY(*w.image(w.run(i)) == *images[i]);
    }
    WAIT_FOR(w.controller().status(w.run(1)).iterates != nullptr);
    QTRY_COMPARE_WITH_TIMEOUT(shown(w), before, 5000);
    QCOMPARE(w.controller().status(w.run(0)).iterates->size(), 4U);
    QCOMPARE(w.window->playhead().iterateOf(w.controller().status(w.run(0)))->iteration, 2);
    // and goes on as a run that was never left
    const int id = w.run(1);
    w.controller().stepIteration(id);
    WAIT_FOR(w.iterations(id) == static_cast<int>(curves[1].size()) + 1 &&
             w.state(id) == RunState::paused);
    ReconstructionJob calm(experiment.runs[1], w.controller().data(), experiment.metrics,
                           w.program.catalog, w.program.backends, nullptr);
    calm.set_reference(w.controller().reference());
    std::vector<HistoryEntry> all;
    while (static_cast<int>(all.size()) < w.iterations(id))
      if (auto entry = calm.advance()) all.push_back(std::move(*entry));
    QVERIFY(same_numbers(w.controller().status(id).history.back(), all.back()));
    QVERIFY(*w.image(id) == calm.solution());
  }

  /// Regions that are drawn after a session has come back are measured, in runs that compute no
  /// more.
  void newRegionsAreMeasuredInRestoredRuns() {
    {
      WindowFixture w;
      compute(w);
      save_session(w, path());
    }
    WindowFixture w;
    open_session(w, path());
    w.model().edit(QStringLiteral("regions"), [](Experiment& e) {
      e.metrics.regions.roi = Region::circle(0, 0, 30);
      e.metrics.regions.background = Region::circle(40, 0, 20);
    });
    for (const int id : {w.run(0), w.run(1)}) {
      const auto& history = w.controller().status(id).history;
      WAIT_FOR(history.back().metrics.contains("cnr") &&
               std::isfinite(history.back().metrics.at("cnr")));
    }
  }

  /// A sweep of the weight of another run than the first, in steps of equal ratio.
  void aSweepOfAWeightComesBack() {
    const auto title = [](WindowFixture& w) {
      return w.window->sweep().findChild<QComboBox*>(QStringLiteral("sweepParam"))->currentText();
    };
    const auto is_logarithmic = [](WindowFixture& w) {
      return w.window->sweep().findChild<QCheckBox*>()->isChecked();
    };
    const auto chart_is_logarithmic = [](WindowFixture& w) {
      return w.window->sweep().findChildren<ChartView*>().front()->chart().model().logX();
    };
    QString swept;
    {
      WindowFixture w;
      Experiment experiment = WindowFixture::small();
      experiment.runs[1].solver = "fista";
      experiment.runs[1].iterations = 2;
      w.model().reset(experiment, {});
      w.controller().prepareData();
      WAIT_FOR(w.isReady());
      w.window->runs().selectRun(w.run(1));
      w.window->applyLayout(WindowLayout::sweep);
      w.window->sweep().chooseParam(QStringLiteral("prior:weight"));
      swept = title(w);
      QVERIFY2(swept.startsWith(QStringLiteral("Prior: ")), qPrintable(swept));
      QVERIFY(is_logarithmic(w));
      w.part<QPushButton>("startSweep").click();
      WAIT_FOR(w.window->sweep().points().size() == 9 && !w.window->sweep().isBusy());
      save_session(w, path());
      // A run whose parameters vary in equal steps; the chart is that of the sweep all the same.
      w.window->runs().selectRun(w.run(0));
      QVERIFY(!is_logarithmic(w) && chart_is_logarithmic(w));
      save_session(w, path("other.gantry"));
    }
    WindowFixture w;
    open_session(w, path());
    WAIT_FOR(w.window->sweep().points().size() == 9);
    QTest::qWait(200);
    QCOMPARE(title(w), swept);
    QVERIFY(is_logarithmic(w) && chart_is_logarithmic(w));
    open_session(w, path("other.gantry"));
    WAIT_FOR(w.window->sweep().points().size() == 9);
    QVERIFY(!is_logarithmic(w) && chart_is_logarithmic(w));
  }

  /// A run that goes on while the session is written is in it as it was at one moment.
  void aRunningRunIsSavedAsItIs() {
    {
      WindowFixture w;
      Experiment experiment = WindowFixture::small();
      for (RunSpec& run : experiment.runs) run.iterations = 100000;
      w.model().reset(experiment, {});
      for (const int id : w.model().runIds()) w.controller().start(id);
      for (const int id : w.model().runIds()) WAIT_FOR(w.iterations(id) >= 2);
      save_session(w, path());
      QVERIFY(w.controller().anyActive());
    }
    const Session session = read_session(path().toStdString(), compose().catalog);
    int runs = 0;
    for (std::size_t i = 0; i < session.parts.size(); ++i) {
      if (session.parts[i].role != SessionRole::run) continue;
      QCOMPARE(session.checkpoints[i].history.back().report.iteration,
               session.checkpoints[i].progress.iterations);
      ++runs;
    }
    QCOMPARE(runs, 2);
    WindowFixture w;
    open_session(w, path());
    QCOMPARE(w.model().runIds().size(), std::size_t{2});
    for (const int id : w.model().runIds()) QCOMPARE(w.state(id), RunState::paused);
  }

  /// A run that was extended goes on to where it was to go.
  void anExtendedRunGoesOn() {
    int end = 0;
    {
      WindowFixture w;
      compute(w);
      const int id = w.run(0);
      w.controller().extend(id, 100000);
      WAIT_FOR(w.iterations(id) > 4);
      w.controller().pause(id);
      WAIT_FOR(!w.controller().anyActive());
      end = w.controller().status(id).snapshot->planned_iterations;
      save_session(w, path());
    }
    WindowFixture w;
    open_session(w, path());
    WAIT_FOR(w.state(w.run(0)) == RunState::paused);
    WAIT_FOR(w.controller().status(w.run(0)).snapshot != nullptr);
    QCOMPARE(w.controller().status(w.run(0)).snapshot->planned_iterations, end);
  }

  void badSessionsLeaveTheWindowAsItWas_data() {
    QTest::addColumn<QString>("damage");
    QTest::addColumn<QString>("says");
    QTest::newRow("damaged") << "damaged"
                             << "its checksum differs";
    QTest::newRow("newer") << "newer"
                           << "newer version of Gantry";
    QTest::newRow("foreign") << "foreign"
                             << "bad.gantry";
    QTest::newRow("its data are gone") << "gone"
                                       << "does not exist";
  }
  void badSessionsLeaveTheWindowAsItWas() {
    QFETCH(QString, damage);
    QFETCH(QString, says);
    WindowFixture w;
    compute(w);
    if (damage == QLatin1String("gone")) {
      Experiment experiment = w.model().experiment();
      experiment.source.kind = SourceKind::scan;
      experiment.source.path = path("gone.scan.json").toStdString();
      SessionHead head = read_saved(w);
      head.experiment = format_experiment(experiment, folder_->path().toStdString());
      head.parts.clear();
      write_session(path("bad.gantry").toStdString(), head, {});
    } else {
      save_session(w, path());
      QByteArray content = bytes_of_file(path());
      if (damage == QLatin1String("damaged")) content[content.size() / 2] ^= 4;
      if (damage == QLatin1String("newer")) content.replace(0, 16, "gantry-session 9");
      if (damage == QLatin1String("foreign")) content = "PK\x03\x04 something else";
      write_file(path("bad.gantry"), content);
    }
    const std::vector<int> ids = w.model().runIds();
    const QString title = w.window->windowTitle();
    w.window->open(path("bad.gantry"));
    const QString file = QStringLiteral("opening failed");
    WAIT_FOR(w.window->banners().has(file) ||
             w.window->banners().has(QStringLiteral("data failed")));
    const QString text =
        w.window->banners().text(file) + w.window->banners().text(QStringLiteral("data failed"));
    QVERIFY2(text.contains(says) && !text.contains(QLatin1Char('\n')), qPrintable(text));
    QVERIFY(w.model().runIds() == ids);
    QCOMPARE(w.window->windowTitle(), title);
    QCOMPARE(w.iterations(ids[0]), 4);
  }
  SessionHead read_saved(WindowFixture& w) {
    save_session(w, path());
    return read_session_head(path().toStdString());
  }

  /// A save that fails says so; what was saved before stays, and is still the file of the window.
  void aFailedSaveKeepsTheEarlierFile() {
    WindowFixture w;
    compute(w);
    save_session(w, path());
    const QByteArray before = bytes_of_file(path());
    w.controller().stepIteration(w.run(1));
    WAIT_FOR(w.window->unsavedWork().any() && !w.controller().anyActive());
    QSignalSpy failed(&w.window->files(), &FileActions::failed);
    w.sessions->save(path("no/such/folder.gantry"));
    WAIT_FOR(failed.count() == 1);
    QVERIFY(w.window->unsavedWork().any());
    QCOMPARE(w.model().path(), path());
    QVERIFY(!before.isEmpty() && bytes_of_file(path()) == before);
  }

  /// Opened by a drop, and by the list of recent files.
  void aDroppedSessionOpens() {
    {
      WindowFixture w;
      compute(w);
      save_session(w, path());
    }
    WindowFixture w;
    QSignalSpy opened(w.sessions, &SessionFiles::opened);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path())});
    QDropEvent drop(QPointF(9, 9), Qt::CopyAction, &data, Qt::LeftButton, {});
    static_cast<QObject*>(w.window.get())->event(&drop);
    WAIT_FOR(opened.count() == 1);
    QCOMPARE(FileActions::recent().value(0), path());
  }

  /// Answering "Save" to the question saves a session, and with it all results.
  void saveAnswersTheQuestionWithASession() {
    WindowFixture w;
    compute(w);
    save_session(w, path());
    w.controller().stepIteration(w.run(1));
    WAIT_FOR(w.window->unsavedWork().any() && !w.controller().anyActive());
    w.window->files().setAsksUser(true);
    int asked = 0;
    w.window->unsavedWork().setQuestion([&](const QString&, const QString&) {
      ++asked;
      return LossAnswer::save;
    });
    const int iterations = w.iterations(w.run(1));
    w.window->close();
    WAIT_FOR(!w.window->isVisible());
    QCOMPARE(asked, 1);
    const Session session = read_session(path().toStdString(), w.program.catalog);
    int saved = 0;  // iterations of the run that went on
    for (std::size_t i = 0; i < session.parts.size(); ++i)
      if (session.parts[i].role == SessionRole::run && session.parts[i].place == 1)
        saved = static_cast<int>(session.checkpoints[i].history.size());
    QCOMPARE(saved, iterations);
  }
};

GANTRY_TEST(TestSession)
#include "test_session.moc"
