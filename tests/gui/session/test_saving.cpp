// What saving says and proposes, and what counts as changed.
#include "core/io/volumes/volume_file.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/data/save_targets.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/box_answer.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTimer>

using namespace gantry;
using namespace gantry::test;

class TestSaving : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }

  static void runAll(WindowFixture& w, int iterations) {
    Experiment experiment = WindowFixture::small();
    for (RunSpec& run : experiment.runs) run.iterations = iterations;
    w.model().reset(experiment, {});
    for (const int id : w.model().runIds()) w.controller().start(id);
    for (const int id : w.model().runIds()) WAIT_FOR(w.state(id) == RunState::finished);
  }
  /// What a file dialog proposes, which `act` opens; it is closed again.
  struct Proposal {
    QString title, folder, file, filters;
  };
  static Proposal proposal(const std::function<void()>& act) {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    Proposal seen;
    QTimer look;
    look.setInterval(20);
    connect(&look, &QTimer::timeout, &look, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      look.stop();
      seen = {dialog->windowTitle(), dialog->directory().absolutePath(),
              QFileInfo(dialog->selectedFiles().value(0)).fileName(),
              dialog->nameFilters().join(QLatin1Char('\n'))};
      dialog->reject();
    });
    look.start();
    act();
    // The dialog may wait for an estimate.
    return QTest::qWaitFor([&] { return !look.isActive(); }, 40000) ? seen : Proposal{};
  }
  static QAction* action(WindowFixture& w, const QString& text) {
    for (QAction* one : w.window->files().findChildren<QAction*>())
      if (one->text() == text) return one;
    return nullptr;
  }

 private slots:
  /// The dialog says which run and which unit, and proposes a folder of results.
  void savingSaysWhatAndWhere() {
    const QString scans = path("scans");
    QVERIFY(QDir().mkpath(scans));
    WindowFixture w;
    const QString file = scans + QStringLiteral("/e.json");
    write_experiment(file.toStdString(), WindowFixture::small());
    w.window->open(file);
    WAIT_FOR(w.model().path() == file);
    w.controller().start(w.run(0));
    WAIT_FOR(w.iterations(w.run(0)) >= 2);
    w.controller().pause(w.run(0));
    WAIT_FOR(!w.controller().anyActive());
    w.window->files().setSelectedRun(w.run(0));
    const Proposal volume = proposal([&] { action(w, QStringLiteral("Save volume…"))->trigger(); });
    QVERIFY2(
        volume.title.contains(QStringLiteral("SART")) &&
            volume.title.contains(QStringLiteral("%1 iteration").arg(w.iterations(w.run(0)))) &&
            volume.title.contains(QStringLiteral("1/mm")) &&
            volume.title.contains(QStringLiteral("HU")),
        qPrintable(volume.title));
    QVERIFY2(volume.folder != scans, qPrintable(volume.folder));
    QCOMPARE(volume.file, QStringLiteral("run1-sart"));
    const Proposal session = proposal([&] { w.window->files().saveAction()->trigger(); });
    QVERIFY(session.folder != scans);
    QCOMPARE(session.file, QStringLiteral("e.gantry"));
    // What was saved where once is proposed again.
    QSignalSpy done(&w.window->files(), &FileActions::done);
    w.window->files().saveVolume(w.run(0), path("v.mha"));
    WAIT_FOR(done.count() == 1);
    const QString said = done.front().front().toString();
    QVERIFY2(said.contains(QStringLiteral("v.mha")) && said.contains(QStringLiteral("SART")) &&
                 said.contains(QStringLiteral("in 1/mm")),
             qPrintable(said));
  }

  /// A run goes on while the dialog is open; the file holds the iterate that the title names.
  void theFileHoldsTheIterateOfTheTitle() {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    WindowFixture w;
    Experiment long_one = WindowFixture::small();
    for (RunSpec& run : long_one.runs) run.iterations = 100000;
    w.model().reset(long_one, {});
    const int id = w.run(0);
    w.controller().start(id);
    WAIT_FOR(w.iterations(id) >= 2);
    w.window->files().setSelectedRun(id);
    QSignalSpy saved(&w.window->files(), &FileActions::volumeSaved);
    QSignalSpy done(&w.window->files(), &FileActions::done);
    QString title;
    int at_opening = 0;
    QTimer answers;
    connect(&answers, &QTimer::timeout, &answers, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      if (title.isEmpty()) at_opening = w.iterations(id);
      title = dialog->windowTitle();
      if (w.iterations(id) < at_opening + 3) return;
      answers.stop();
      dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path("title.mha"));
      QMetaObject::invokeMethod(dialog, "accept");
    });
    answers.start(20);
    action(w, QStringLiteral("Save volume…"))->trigger();
    WAIT_FOR(saved.count() == 1);
    const int written = saved[0][1].toInt();
    QVERIFY2(title.contains(QStringLiteral(", %1 iterations (the latest)").arg(written)),
             qPrintable(QStringLiteral("%1; %2 were written").arg(title).arg(written)));
    QVERIFY(written < w.iterations(id));
    QVERIFY2(done[0][0].toString().contains(QStringLiteral(", %1 iterations").arg(written)),
             qPrintable(done[0][0].toString()));
    w.controller().pause(id);
    WAIT_FOR(!w.controller().anyActive());
  }

  /// Where the playhead shows an earlier iterate, it is asked which one is meant.
  void theIterateThatIsShownCanBeSaved() {
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    WindowFixture w;
    runAll(w, 6);
    const int id = w.run(0);
    w.window->files().setSelectedRun(id);
    w.window->playhead().set(ProgressAxis::iterations, 2);
    const KeptIterate* shown = w.window->playhead().iterateOf(w.controller().status(id));
    QVERIFY(shown != nullptr && shown->iteration == 2);
    QSignalSpy done(&w.window->files(), &FileActions::done);
    BoxAnswer answer(QStringLiteral("The one shown"));
    QTimer name;
    QString title;
    connect(&name, &QTimer::timeout, &name, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      name.stop();
      title = dialog->windowTitle();
      dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path("shown.mha"));
      QMetaObject::invokeMethod(dialog, "accept");
    });
    name.start(20);
    action(w, QStringLiteral("Save volume…"))->trigger();
    WAIT_FOR(done.count() == 1);
    QVERIFY2(answer.asked().contains(QStringLiteral("2 iterations")) &&
                 answer.asked().contains(QStringLiteral("|The latest")),
             qPrintable(answer.asked()));
    QVERIFY2(title.contains(QStringLiteral("2 iterations (the one shown)")), qPrintable(title));
    QVERIFY2(QFile::exists(path("shown.mha")), qPrintable(done[0][0].toString()));
    const auto stored = load_volume(path("shown.mha").toStdString(), {});
    QVERIFY(stored.mu == *shown->image());
    // The run itself is not saved by that.
    QCOMPARE(w.window->unsavedWork().results().size(), 2U);
  }

  /// A long path is shortened where the status bar has no room, and stands in the tool tip.
  void aLongPathIsShortened() {
    WindowFixture w;
    const QString file = QStringLiteral("/data/") + QStringLiteral("folder/").repeated(60) +
                         QStringLiteral("head.mha: SART, 3 iterations");
    emit w.window->files().done(file);
    const QStatusBar& bar = *w.window->statusBar();
    const QString shown = bar.currentMessage();
    QVERIFY2(shown.contains(QStringLiteral("…")) && shown.endsWith(QStringLiteral("3 iterations")),
             qPrintable(shown));
    const auto* readout = w.window->findChild<QLabel*>(QStringLiteral("statusReadout"));
    QVERIFY(bar.fontMetrics().horizontalAdvance(shown) < readout->x());
    QCOMPARE(bar.toolTip(), file);
  }

  /// The title of the bar is bold, and measured as such.
  void aLongTitleEndsInDots() {
    WindowFixture w;
    w.openSmall();
    w.model().edit(QStringLiteral("title"), [](Experiment& e) {
      e.title = "WWW A measured scan of a walnut, with rings and a long name";
    });
    const auto& name = w.part<QLabel>("experimentName");
    QVERIFY(name.text().contains(QStringLiteral("…")));
    QVERIFY(name.fontMetrics().horizontalAdvance(name.text()) <= name.maximumWidth());
    QCOMPARE(name.toolTip(), QStringLiteral("WWW A measured scan of a walnut, with rings and a "
                                            "long name *"));
  }

  /// Naming no file changes nothing, also while the first data are being prepared.
  void savingNowhereKeepsTheExperiment() {
    WindowFixture w;
    w.openSmall();
    QVERIFY(w.controller().data() == nullptr);
    const Experiment before = w.model().experiment();
    proposal([&] { w.window->files().saveAction()->trigger(); });
    QVERIFY(w.model().experiment() == before);
  }

  void namesOfSessionsSuitEveryFileSystem() {
    QCOMPARE(session_file_name(QStringLiteral("a/b: c")), QStringLiteral("a-b- c.gantry"));
    QCOMPARE(session_file_name({}), QStringLiteral("session.gantry"));
    QVERIFY(is_session_name(QStringLiteral("x.GANTRY")) &&
            !is_session_name(QStringLiteral("x.json")));
  }

  /// An edit of what the program made is an edit, and the title says so until it is undone.
  void anEditOfTheProgramsOwnStarsTheTitle() {
    WindowFixture w;
    w.window->openReadyExperiment();
    WAIT_FOR(w.iterations(w.run(0)) > 0);
    QVERIFY2(!w.window->windowTitle().contains(QLatin1Char('*')),
             qPrintable(w.window->windowTitle()));
    w.model().editRun(w.run(1), QStringLiteral("Iterations"), [](RunSpec& r) { r.iterations = 7; });
    QVERIFY2(w.window->windowTitle().contains(QLatin1Char('*')),
             qPrintable(w.window->windowTitle()));
    w.model().undoStack().undo();
    QVERIFY2(!w.window->windowTitle().contains(QLatin1Char('*')),
             qPrintable(w.window->windowTitle()));
  }

  /// The question names the runs that the user started, and no others.
  void onlyTheUsersRunsAreNamed() {
    WindowFixture w;
    QStringList asked;
    w.window->files().setAsksUser(true);
    w.window->unsavedWork().setQuestion([&](const QString&, const QString& lost) {
      asked << lost;
      return LossAnswer::cancel;
    });
    runAll(w, 2);
    w.window->unsavedWork().markRunsAutomatic();
    RunSpec mine;
    mine.solver = "cgls";
    mine.iterations = 2;
    const int id = w.model().addRun(mine);
    w.controller().start(id);
    WAIT_FOR(w.state(id) == RunState::finished);
    QVERIFY(!w.window->close());
    QCOMPARE(asked.size(), 1);
    QVERIFY2(asked[0].contains(QStringLiteral("CGLS")) &&
                 !asked[0].contains(QStringLiteral("SART")) &&
                 !asked[0].contains(QStringLiteral("SIRT")),
             qPrintable(asked[0]));
    w.window->files().setAsksUser(false);
  }

  /// Opened again after a zoom, the views show regions where a fresh window shows them.
  void regionMarksFollowAReopenedExperiment() {
    Experiment experiment = WindowFixture::small();
    Region region;
    region.x_mm = 30;
    region.half_width_mm = region.half_height_mm = 25;
    experiment.metrics.regions.roi = region;
    const QString file = path("regions.json");
    write_experiment(file.toStdString(), experiment);
    const auto open = [&](WindowFixture& w) {
      const auto before = w.model().runIds();
      w.window->open(file);
      WAIT_FOR(w.model().runIds() != before && w.controller().reference() != nullptr);
      WAIT_FOR(!w.controller().isPreparing());
    };
    const auto picture = [](WindowFixture& w) {
      return w.window->board().tile(SliceTile::referenceId)->view().grabImage(1);
    };
    WindowFixture fresh, zoomed;
    open(fresh);
    open(zoomed);
    QTRY_COMPARE(picture(zoomed), picture(fresh));  // once both windows have their layout
    const QImage expected = picture(fresh);
    zoomed.window->viewState().setCamera(SliceCamera{20, 10, 0.2});
    QVERIFY(picture(zoomed) != expected);
    open(zoomed);
    QTRY_COMPARE(picture(zoomed), expected);
  }
};

GANTRY_TEST(TestSaving)
#include "test_saving.moc"
