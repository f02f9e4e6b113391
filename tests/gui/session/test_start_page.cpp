// What the window shows while nothing is open, and how it comes back to what was open last.
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/session/autosave.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/start/start_page.hpp"
#include "gui/start/thumbnails.hpp"
#include "gui/top_bar.hpp"
#include "gui/widgets/banners.hpp"
#include "tests/gui/counted_user.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QToolBar>
#include <QToolButton>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A window as the program makes it, with the start page. The user is there.
struct StartedWindow : WindowFixture {
  explicit StartedWindow(const QString& base) : autosave(new Autosave(*window, base, 3600)) {
    autosave->keepOnClose();
    autosave->offerOn(window->startPage());
    window->showStartPage();
    window->files().setAsksUser(true);
    window->unsavedWork().setQuestion([this](const QString&, const QString& lost) {
      questions << lost;
      return LossAnswer::cancel;
    });
    window->activateWindow();
  }
  QToolButton* card(const char* name) {
    return window->startPage().findChild<QToolButton*>(QString::fromLatin1(name));
  }
  void click(const char* name) { QTest::mouseClick(card(name), Qt::LeftButton); }

  Autosave* autosave;  // the window's
  QStringList questions;
};

}  // namespace

class TestStartPage : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  QString base() const { return folder_->filePath(QStringLiteral("autosave")); }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// gantry --time-start ends after the first picture, also where no run computes.
  void theTimeOfAFirstPictureIsTold() {
    VolumeToWrite out;
    out.grid = VolumeGrid::centered(24, 24, 3, {8, 8, 8});
    const std::vector<float> values(out.grid.voxels(), 0.02F);
    out.mu = values;
    const QString volume = folder_->filePath(QStringLiteral("small.mha"));
    write_volume(volume.toStdString(), out);
    const ScanGeometry geometry(default_scan(128, 40, 16));
    const QString scan = folder_->filePath(QStringLiteral("small.scan.json"));
    write_scan(scan.toStdString(), geometry, std::vector<float>(geometry.rays(), 0.1F), "small");
    for (const QString& path : {volume, scan}) {
      QProcess program;
      QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
      environment.insert(QStringLiteral("XDG_DATA_HOME"), folder_->path());
      environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder_->path());
      environment.insert(QStringLiteral("GANTRY_AUTOSAVE"), QStringLiteral("off"));
      program.setProcessEnvironment(environment);
      program.start(QStringLiteral(GANTRY_WINDOW), {QStringLiteral("--time-start"), path});
      const bool ended = program.waitForFinished(60000);
      const QByteArray told = program.readAllStandardOutput();
      const QByteArray complaints = program.readAllStandardError();
      QVERIFY2(ended && told.contains("first picture painted"), (told + complaints).constData());
      QCOMPARE(program.exitCode(), 0);
      // The window was not taken away while it was being painted.
      QVERIFY2(!complaints.contains("QBackingStore"), complaints.constData());
    }
  }

  void nothingIsOpen() {
    StartedWindow w(base());
    QVERIFY(w.window->startPage().isVisible());
    QVERIFY(!w.window->board().isVisible());
    QCOMPARE(w.window->windowTitle(), QStringLiteral("Gantry"));
    for (const char* name : {"rail", "convergence", "inspectorBar"})
      QVERIFY2(!w.window->findChild<QWidget*>(QString::fromLatin1(name))->isVisible(), name);
    QVERIFY(!w.card("continueLast")->isEnabled());
    QVERIFY(w.card("continueLast")->toolTip().contains(QStringLiteral("when you quit")));
    QVERIFY(w.model().runIds().empty());
    w.window->close();
    WAIT_FOR(!w.window->isVisible());
    QVERIFY(w.questions.isEmpty());
  }

  /// Panels are as they were, and the window keeps its size.
  void panelsComeBack() {
    StartedWindow w(base());
    const QSize size = w.window->size();
    w.click("takeDemo");
    QVERIFY(!w.window->startPage().isVisible());
    QVERIFY(w.window->board().isVisible());
    for (const char* name : {"rail", "convergence", "inspectorBar"})
      QVERIFY2(w.window->findChild<QWidget*>(QString::fromLatin1(name))->isVisible(), name);
    WAIT_FOR(w.iterations(w.run(0)) > 0);
    QVERIFY2(w.window->width() <= size.width(), qPrintable(QString::number(w.window->width())));
    QVERIFY(!w.window->unsavedWork().any());
  }

  void aLessonIsACard() {
    StartedWindow w(base());
    QVERIFY(!w.card("lesson0")->accessibleName().isEmpty());
    w.click("lesson0");
    WAIT_FOR(w.model().experiment().title == "Watch SART beat SIRT");
    QVERIFY(w.window->findChild<QLabel*>(QStringLiteral("lessonText"))->isVisible());
  }

  /// Cards of lessons have pictures of their data, which are kept.
  void lessonsHavePictures() {
    {
      const StartedWindow names(base());
    }  // gives the application its names, as the folder of caches
    QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) +
         QStringLiteral("/thumbnails"))
        .removeRecursively();
    StartedWindow w(base());
    const auto picture = [&] { return w.card("lesson1")->icon().pixmap(thumbnail_size).toImage(); };
    const QImage empty = picture();
    QTRY_VERIFY_WITH_TIMEOUT(picture() != empty, 120000);
    StartedWindow again(base());
    QVERIFY(again.card("lesson1")->icon().pixmap(thumbnail_size).toImage() != empty);
  }

  /// Every card and button can be reached by the keyboard and is pressed by it.
  void theKeyboardReachesEverything() {
    StartedWindow w(base());
    int buttons = 0;
    for (QAbstractButton* button : w.window->startPage().findChildren<QAbstractButton*>()) {
      if (!button->isVisible() || !button->isEnabled() ||
          button->objectName() == QStringLiteral("earlierSessions"))
        continue;
      QVERIFY2(button->focusPolicy() & Qt::TabFocus, qPrintable(button->accessibleName()));
      ++buttons;
    }
    QVERIFY(buttons >= 3);  // the demo, opening a file, the lessons
    w.card("takeDemo")->setFocus();
    QTest::keyClick(w.card("takeDemo"), Qt::Key_Space);
    WAIT_FOR(!w.model().runIds().empty());
  }

  /// Tab goes through the cards as they are read, Enter chooses one, and the focus can be seen.
  void cardsAreChosenByTabAndEnter() {
    const QString recent = folder_->filePath(QStringLiteral("recent.json"));
    write_experiment(recent.toStdString(), WindowFixture::small());
    StartedWindow w(base());
    w.window->files().remember(recent);
    w.window->startPage().refresh();
    QStringList order;
    for (QWidget* at = w.card("takeDemo"); order.size() < 3; at = at->nextInFocusChain())
      if (qobject_cast<QToolButton*>(at) != nullptr) order << at->objectName();
    QCOMPARE(order, (QStringList{QStringLiteral("takeDemo"), QStringLiteral("recent0"),
                                 QStringLiteral("lesson0")}));
    QToolButton* demo = w.card("takeDemo");
    WAIT_FOR(w.window->isActiveWindow());
    w.card("lesson0")->setFocus();
    const QImage before = demo->grab().toImage();
    demo->setFocus();
    QVERIFY(demo->grab().toImage() != before);
    QTest::keyClick(demo, Qt::Key_Return);
    WAIT_FOR(!w.model().runIds().empty());
  }

  /// The task of the specification: the session is saved, the program ended, and everything is as
  /// it was, with two actions: a key and a click.
  void quitAndComeBackInTwoActions() {
    int actions = 0;
    Experiment experiment;
    std::vector<std::vector<HistoryEntry>> curves;
    QString caption;
    {
      StartedWindow w(base());
      Experiment endless = WindowFixture::small();  // no run may end before the test pauses it
      for (RunSpec& run : endless.runs) run.iterations = 100000;
      w.open(endless);
      w.model().edit(QStringLiteral("Title"), [](Experiment& e) { e.title = "mine"; });
      for (const int id : w.model().runIds()) w.controller().start(id);
      for (const int id : w.model().runIds()) WAIT_FOR(w.iterations(id) >= 3);
      for (const int id : w.model().runIds()) w.controller().pause(id);
      WAIT_FOR(!w.controller().anyActive());
      w.window->viewState().setWindowLevel(0.011, 0.022);
      w.window->viewState().setCamera(SliceCamera{3, 4, 0.5});
      w.window->runs().selectRun(w.run(1));
      experiment = w.model().experiment();
      for (const int id : w.model().runIds()) curves.push_back(w.controller().status(id).history);
      caption = w.window->board().tile(w.run(0))->caption();
      CountedUser user(*w.window);
      user.press(Qt::Key_Q, Qt::ControlModifier);
      actions = user.actions();
      WAIT_FOR(!w.window->isVisible());
      QVERIFY(w.questions.isEmpty());  // nothing is lost, so nothing is asked
    }
    StartedWindow w(base());
    QVERIFY(!w.window->banners().has(QStringLiteral("restore")));  // nothing went wrong
    QVERIFY2(w.card("continueLast")->toolTip().startsWith(QStringLiteral("mine of")),
             qPrintable(w.card("continueLast")->toolTip()));
    QSignalSpy restored(w.autosave, &Autosave::restored);
    CountedUser user(*w.window);
    user.click(*w.card("continueLast"));
    WAIT_FOR(restored.count() == 1);
    QVERIFY(actions + user.actions() <= 2);
    QVERIFY(w.model().experiment() == experiment);
    for (std::size_t i = 0; i < curves.size(); ++i) {
      WAIT_FOR(w.state(w.run(i)) == RunState::paused);
      QCOMPARE(w.controller().status(w.run(i)).history.size(), curves[i].size());
    }
    QCOMPARE(w.window->runs().selectedRun(), w.run(1));
    QCOMPARE(w.window->board().tile(w.run(0))->caption(), caption);
    QCOMPARE(w.window->viewState().camera(), std::optional(SliceCamera{3, 4, 0.5}));
    QVERIFY(w.window->unsavedWork().any());  // as before
    QVERIFY(!w.window->startPage().isVisible());
  }

  /// The user gives the saving up: the window stays, and the runs go on.
  void closingCanBeCancelled() {
    StartedWindow w(base());
    w.openSmall();
    Experiment experiment = WindowFixture::small();
    for (RunSpec& run : experiment.runs) run.iterations = 100000;
    w.model().reset(experiment, {});
    w.controller().start(w.run(0));
    WAIT_FOR(w.iterations(w.run(0)) >= 1);
    w.window->close();
    QVERIFY(w.window->banners().has(QStringLiteral("closing")));
    emit w.window->banners().cancelled(QStringLiteral("closing"));
    QCoreApplication::processEvents();
    QVERIFY(!w.window->banners().has(QStringLiteral("closing")));
    WAIT_FOR(w.controller().status(w.run(0)).isActive());
    QVERIFY(w.window->isVisible());
    w.window->close();  // and this time it may
    WAIT_FOR(!w.window->isVisible());
  }

  /// Where nothing can be written, the user is asked as before.
  void whatCannotBeKeptIsAskedAbout() {
    StartedWindow w(base());
    w.openSmall();
    w.model().edit(QStringLiteral("Title"), [](Experiment& e) { e.title = "mine"; });
    WAIT_FOR(w.controller().data() != nullptr);
    QVERIFY(QDir(w.autosave->path()).removeRecursively());
    w.window->close();
    WAIT_FOR(w.questions.size() == 1);
    QVERIFY(w.questions.front().contains(QStringLiteral("changes that are not saved")));
    QVERIFY(w.window->isVisible());
  }

  /// A file that was open is among the recent ones, with a picture of it.
  void recentFilesHavePictures() {
    const QString file = folder_->filePath(QStringLiteral("recent.json"));
    write_experiment(file.toStdString(), WindowFixture::small());
    {
      StartedWindow w(base());
      w.window->open(file);
      WAIT_FOR(!w.model().runIds().empty());
      w.controller().start(w.run(0));
      WAIT_FOR(w.iterations(w.run(0)) > 0);
      QTRY_VERIFY_WITH_TIMEOUT(!kept_thumbnail(file).isNull(), 40000);
      w.window->showStartPage();
      QToolButton* card = w.card("recent0");
      QVERIFY(card != nullptr);
      QCOMPARE(card->accessibleName(), QStringLiteral("recent.json"));
      QTest::mouseClick(card, Qt::LeftButton);
      WAIT_FOR(w.model().path() == file);
    }
  }

  /// The start page is there when the first file cannot be opened.
  void aBadFirstFileLeavesTheStartPage() {
    WindowFixture w;
    w.window->open(folder_->filePath(QStringLiteral("absent.mha")));
    WAIT_FOR(w.window->startPage().isVisible());
    QVERIFY(w.window->banners().has(QStringLiteral("opening failed")));
  }

  /// A file that cannot be opened while the first data are prepared, and while the experiment has
  /// changes, leaves both.
  void aBadFileLeavesTheFirstExperiment() {
    WindowFixture w;
    w.openSmall();
    QVERIFY(w.controller().data() == nullptr);
    w.window->open(folder_->filePath(QStringLiteral("absent.mha")));
    QVERIFY(w.window->banners().has(QStringLiteral("opening failed")));
    QCOMPARE(w.model().experiment(), WindowFixture::small());
    w.model().edit(QStringLiteral("Title"), [](Experiment& e) { e.title = "mine"; });
    w.controller().cancelPreparing();
    WAIT_FOR(!w.controller().isPreparing());
    w.window->open(folder_->filePath(QStringLiteral("absent.mha")));
    QCOMPARE(w.model().experiment().title, std::string("mine"));
    QVERIFY(!w.window->startPage().isVisible());
  }

  /// Five sessions of closed windows are kept, the latest first.
  void fiveSessionsAreKept() {
    for (int i = 0; i < 7; ++i) {
      StartedWindow w(base());
      w.openSmall();
      WAIT_FOR(w.controller().data() != nullptr);
      w.model().edit(QStringLiteral("Title"),
                     [i](Experiment& e) { e.title = "number " + std::to_string(i); });
      w.window->close();
      WAIT_FOR(!w.window->isVisible());
    }
    StartedWindow w(base());
    QCOMPARE(w.autosave->earlier().size(), 5U);
    QVERIFY(w.autosave->earlier().front().name.startsWith(QStringLiteral("number 6 of")));
    QVERIFY(w.card("earlierSessions")->isVisible());
  }
};

GANTRY_TEST(TestStartPage)
#include "test_start_page.moc"
