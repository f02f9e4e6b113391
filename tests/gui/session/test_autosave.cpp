// What a window was at comes back after it was killed, and goes on as if it had not been.
#include "core/io/files/atomic_file.hpp"
#include "gui/data/unsaved_work.hpp"
#include "gui/session/program_end.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/widgets/banners.hpp"
#include "tests/gui/session/saving_window.hpp"
#include "tests/support/same_numbers.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QMenu>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include <csignal>
#include <sys/types.h>

using namespace gantry;
using namespace gantry::test;

namespace {

QString statusOf(SavingWindow& w, std::size_t run) {
  return w.window->board().tile(w.run(run))->status();
}

}  // namespace

class TestAutosave : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  QString base() const { return folder_->filePath(QStringLiteral("autosave")); }
  QStringList folders() const { return QDir(base()).entryList(QDir::Dirs | QDir::NoDotAndDotDot); }
  QStringList filesOf(const QString& folder) const {
    return QDir(folder).entryList(QDir::Files, QDir::Name);
  }
  /// A killed window's folder, with the estimates and curves that it had.
  struct Killed {
    Experiment experiment;
    std::vector<std::shared_ptr<const std::vector<float>>> images;
    std::vector<std::vector<HistoryEntry>> curves;
  };
  void kill(Killed& killed) const {
    SavingWindow w(base());
    w.compute();
    killed.experiment = w.model().experiment();
    for (const int id : w.model().runIds()) {
      killed.images.push_back(w.image(id));
      killed.curves.push_back(w.controller().status(id).history);
    }
    QVERIFY(w.autosave->saveNow(60000));
    w.autosave->keep();
  }

  /// The program itself, under way with the ready experiment.
  void startProgram(QProcess& program) const {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder_->path());
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder_->path());
    environment.insert(QStringLiteral("GANTRY_AUTOSAVE"), QStringLiteral("0.5"));
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::ForwardedChannels);
    program.setChildProcessModifier([] { std::signal(SIGTERM, SIG_DFL); });
    program.start(QStringLiteral(GANTRY_WINDOW), QStringList());
  }
  QString programBase() const {
    return folder_->filePath(QStringLiteral("Gantry/Gantry/autosave"));
  }
  bool programHasSaved() const {
    for (const QString& name : QDir(programBase()).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
      if (!QDir(programBase() + '/' + name).entryList({QStringLiteral("*.gantry")}).isEmpty())
        return true;
    return false;
  }
  void restoreProgram() const {
    SavingWindow w(programBase());
    w.restore();
    QCOMPARE(w.model().experiment().source.phantom, std::string("forbild_head"));
    int computed = 0;
    for (const int id : w.model().runIds()) computed += w.iterations(id) > 0 ? 1 : 0;
    QVERIFY(computed > 0);
    for (const int id : w.model().runIds())
      if (w.iterations(id) > 0) {
        QVERIFY(w.controller().status(id).snapshot != nullptr);
        QCOMPARE(w.controller().status(id).snapshot->iterations, w.iterations(id));
      }
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void aKilledWindowComesBack() {
    Killed killed;
    kill(killed);
    QCOMPARE(folders().size(), 1);
    SavingWindow w(base());
    w.restore();
    QVERIFY(w.model().experiment() == killed.experiment);
    QCOMPARE(w.model().path(), QStringLiteral("/somewhere/small.json"));
    QVERIFY(w.window->unsavedWork().any());  // nobody has saved it
    QVERIFY(w.window->unsavedWork().edits());
    QCOMPARE(w.window->unsavedWork().results().size(), 2U);
    QVERIFY2(w.window->windowTitle().startsWith(QStringLiteral("small.json *")),
             qPrintable(w.window->windowTitle()));
    for (std::size_t i = 0; i < 2; ++i) {  // over each picture
      const int done = killed.curves[i].back().report.iteration;
      QVERIFY2(statusOf(w, i).startsWith(QStringLiteral("it %1   ").arg(done)),
               qPrintable(statusOf(w, i)));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const int id = w.run(i);
      QCOMPARE(w.state(id), RunState::paused);
      QVERIFY(same_history(w.controller().status(id).history, killed.curves[i]));
      QVERIFY(*w.image(id) == *killed.images[i]);
      // and goes on as a run that was never left
      const auto before = static_cast<int>(killed.curves[i].size());
      for (int n = 1; n <= 2; ++n) {
        w.controller().stepIteration(id);
        WAIT_FOR(w.iterations(id) == before + n && w.state(id) == RunState::paused);
      }
      ReconstructionJob calm(killed.experiment.runs[i], w.controller().data(),
                             killed.experiment.metrics, w.program.catalog, w.program.backends,
                             nullptr);
      std::vector<HistoryEntry> all;
      while (static_cast<int>(all.size()) < before + 2)
        if (auto entry = calm.advance()) all.push_back(std::move(*entry));
      QVERIFY(same_history(w.controller().status(id).history, all));
      QVERIFY(*w.image(id) == calm.solution());
    }
  }

  /// One question for all of them; each can be had, or discarded, by itself.
  void severalAreOneQuestion() {
    Killed first, second;
    kill(first);
    {
      SavingWindow w(base());
      w.model().edit(QStringLiteral("Title"), [](Experiment& e) { e.title = "the other"; });
      QVERIFY(w.autosave->saveNow(60000));
      w.autosave->keep();
    }
    QCOMPARE(folders().size(), 2);
    SavingWindow w(base());
    w.autosave->offerRestoring();
    QVERIFY(w.bannerButton(QStringLiteral("Restore")) != nullptr);
    QCOMPARE(w.bannerTexts().size(), 1);
    const QString text = w.bannerTexts().front();
    QVERIFY2(text.contains(QStringLiteral("the other of")) &&
                 text.contains(QStringLiteral("small.json of")),
             qPrintable(text));
    const QMenu* discard = w.bannerButton(QStringLiteral("Discard…"))->menu();
    QVERIFY(discard != nullptr);
    QCOMPARE(discard->actions().size(), 2);
    discard->actions()[0]->trigger();  // the latest
    QCOMPARE(folders().size(), 2);     // the window's own and the first
    QVERIFY(w.bannerButton(QStringLiteral("Restore")) != nullptr);
    QCOMPARE(w.bannerTexts().size(), 1);
    QVERIFY(!w.bannerTexts().front().contains(QStringLiteral("the other of")));
    QVERIFY(w.bannerTexts().front().contains(QStringLiteral("small.json of")));
    w.restore();
    QVERIFY(w.model().experiment() == first.experiment);
    QVERIFY(w.bannerButton(QStringLiteral("Restore")) == nullptr);
  }

  /// What is restored can change until its data are there; then somebody says no.
  void notWantedAfterAllIsOfferedAgain() {
    Killed killed;
    kill(killed);
    SavingWindow w(base());
    w.window->files().setAsksUser(true);
    w.window->unsavedWork().setQuestion(
        [](const QString&, const QString&) { return LossAnswer::cancel; });
    w.autosave->offerRestoring();
    QVERIFY(w.bannerButton(QStringLiteral("Restore")) != nullptr);
    w.bannerButton(QStringLiteral("Restore"))->click();
    w.model().edit(QStringLiteral("Title"), [](Experiment& e) { e.title = "kept"; });
    WAIT_FOR(w.bannerButton(QStringLiteral("Restore")) != nullptr);
    QCOMPARE(w.model().experiment().title, std::string("kept"));
  }

  /// The iteration written over a picture is right for a restored run and for a run in its first
  /// iteration.
  void theIterationOverAPictureIsTheTrueOne() {
    SavingWindow w(base());
    w.openSmall();
    w.controller().stepSubset(w.run(0));  // SART: one view of 60
    WAIT_FOR(w.state(w.run(0)) == RunState::paused &&
             w.controller().status(w.run(0)).snapshot->part_of_iteration > 0);
    QVERIFY2(statusOf(w, 0).startsWith(QStringLiteral("it 0.02   ")), qPrintable(statusOf(w, 0)));
  }

  void aFinishedRunComesBackFinished() {
    {
      SavingWindow w(base());
      Experiment experiment = WindowFixture::small();
      for (RunSpec& run : experiment.runs) run.iterations = 3;
      w.model().reset(experiment, {});
      w.controller().start(w.run(0));
      WAIT_FOR(w.state(w.run(0)) == RunState::finished);
      QVERIFY(w.autosave->saveNow(60000));
      w.autosave->keep();
    }
    SavingWindow w(base());
    w.autosave->offerRestoring();
    w.bannerButton(QStringLiteral("Restore"))->click();
    WAIT_FOR(w.model().runIds().size() == 2 && w.state(w.run(0)) == RunState::finished);
    QCOMPARE(w.iterations(w.run(0)), 3);
    QCOMPARE(w.state(w.run(1)), RunState::idle);
    w.controller().extend(w.run(0), 2);
    WAIT_FOR(w.iterations(w.run(0)) == 5 && w.state(w.run(0)) == RunState::finished);
  }

  /// Also where the runs compute and have to give way.
  void savingWaitsForRunningRuns() {
    {
      SavingWindow w(base());
      w.openSmall();
      for (const int id : w.model().runIds()) w.controller().start(id);
      for (const int id : w.model().runIds()) WAIT_FOR(w.iterations(id) >= 1);
      QVERIFY(w.autosave->saveNow(60000));
      w.autosave->keep();
    }
    SavingWindow w(base());
    w.restore();
    for (const int id : w.model().runIds()) QVERIFY(w.iterations(id) >= 1);
  }

  void aWindowThatClosesLeavesNothing() {
    {
      SavingWindow w(base());
      w.compute();
      QVERIFY(w.autosave->saveNow(60000));
      QCOMPARE(filesOf(w.autosave->path()).filter(QStringLiteral(".checkpoint")).size(), 2);
      QVERIFY(w.window->close());
    }
    QCOMPARE(folders(), QStringList());
  }

  void whatALiveWindowIsAtIsNotOffered() {
    SavingWindow w(base());
    w.compute();
    QVERIFY(w.autosave->saveNow(60000));
    SavingWindow other(base());
    other.autosave->offerRestoring();
    QVERIFY(other.bannerButton(QStringLiteral("Restore")) == nullptr);
  }

  void discardedIsGone() {
    Killed killed;
    kill(killed);
    {
      SavingWindow w(base());
      w.autosave->offerRestoring();
      w.bannerButton(QStringLiteral("Discard…"))->click();
      QVERIFY(w.bannerButton(QStringLiteral("Restore")) == nullptr);
    }
    QCOMPARE(folders(), QStringList());
  }

  /// One click takes nothing away for good.
  void discardingAsks() {
    Killed killed;
    kill(killed);
    SavingWindow w(base());
    w.window->files().setAsksUser(true);
    QStringList lost;
    w.window->unsavedWork().setQuestion([&](const QString&, const QString& what) {
      lost << what;
      return LossAnswer::cancel;
    });
    w.autosave->offerRestoring();
    w.bannerButton(QStringLiteral("Discard…"))->click();
    QCOMPARE(lost.size(), 1);
    QVERIFY2(lost[0].contains(QStringLiteral("small.json of")), qPrintable(lost[0]));
    QVERIFY(w.bannerButton(QStringLiteral("Restore")) != nullptr);
    QCOMPARE(folders().size(), 2);
    w.window->files().setAsksUser(false);
    w.restore();
    QVERIFY(w.model().experiment() == killed.experiment);
  }

  /// Nobody answered: it is offered the next time too.
  void unansweredStays() {
    Killed killed;
    kill(killed);
    {
      SavingWindow w(base());
      w.autosave->offerRestoring();
    }
    SavingWindow w(base());
    w.restore();
    QVERIFY(w.model().experiment() == killed.experiment);
  }

  void onlyWhatHasChangedIsWritten() {
    SavingWindow w(base());
    QVERIFY(w.autosave->saveNow(60000));
    QVERIFY(!filesOf(w.autosave->path()).contains(QStringLiteral("session.gantry")));
    w.compute();
    QVERIFY(w.autosave->saveNow(60000));
    const QStringList first = filesOf(w.autosave->path());
    QVERIFY(w.autosave->saveNow(60000));
    QCOMPARE(filesOf(w.autosave->path()), first);
    const int before = w.iterations(w.run(0));
    w.controller().stepIteration(w.run(0));
    WAIT_FOR(w.iterations(w.run(0)) == before + 1);
    QVERIFY(w.autosave->saveNow(60000));
    // Only the checkpoint of the run that went on is replaced; an iterate of it may come.
    const QStringList second = filesOf(w.autosave->path());
    QStringList gone;
    for (const QString& name : first)
      if (!second.contains(name)) gone << name;
    QCOMPARE(gone.filter(QStringLiteral(".checkpoint")).size(), 1);
    QVERIFY(second.size() >= first.size());
  }

  void aDamagedRunLeavesTheOthers() {
    Killed killed;
    kill(killed);
    const QDir left(base() + '/' + folders().front());
    const QString victim = left.entryList({QStringLiteral("*.checkpoint")}).front();
    QFile file(left.filePath(victim));
    QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(file.size() - 7));
    file.close();
    SavingWindow w(base());
    w.autosave->offerRestoring();
    QSignalSpy restored(w.autosave, &Autosave::restored);
    w.bannerButton(QStringLiteral("Restore"))->click();
    WAIT_FOR(restored.count() == 1);
    QVERIFY2(w.window->banners().text(QStringLiteral("autosave")).contains(victim),
             qPrintable(w.window->banners().text(QStringLiteral("autosave"))));
    QVERIFY(w.model().experiment() == killed.experiment);
    WAIT_FOR(w.iterations(w.run(0)) + w.iterations(w.run(1)) >= 3);
  }

  // ---- The end of the desktop's session

  /// Nobody can be asked: all is there at the next start.
  void aSessionThatEndsKeepsEverything() {
    std::vector<int> iterations;
    {
      SavingWindow w(base());
      ProgramEnd end(*w.window, w.autosave);
      w.compute();
      for (const int id : w.model().runIds()) w.controller().resume(id);
      for (const int id : w.model().runIds()) WAIT_FOR(w.controller().status(id).isActive());
      QVERIFY(end.endSession(false));
      for (const int id : w.model().runIds()) {
        QVERIFY(!w.controller().status(id).isActive());
        iterations.push_back(w.iterations(id));
      }
    }
    SavingWindow w(base());
    w.restore();
    for (std::size_t i = 0; i < iterations.size(); ++i)
      QCOMPARE(w.iterations(w.run(i)), iterations[i]);
  }

  /// The user is asked, and says no: the session goes on, and so do the runs.
  void aSessionThatMayAskAsks() {
    SavingWindow w(base());
    ProgramEnd end(*w.window, w.autosave);
    w.compute();
    for (const int id : w.model().runIds()) w.controller().resume(id);
    for (const int id : w.model().runIds()) WAIT_FOR(w.controller().status(id).isActive());
    w.window->files().setAsksUser(true);
    int asked = 0;
    LossAnswer answer = LossAnswer::cancel;
    w.window->unsavedWork().setQuestion([&](const QString&, const QString& lost) {
      ++asked;
      if (!lost.contains(QStringLiteral("results are not saved"))) asked = -99;
      return answer;
    });
    QVERIFY(!end.endSession(true));
    QCOMPARE(asked, 1);
    QVERIFY(w.window->isVisible());
    // On a busy machine the save outlasts the wait of endSession().
    WAIT_FOR(filesOf(w.autosave->path()).contains(QStringLiteral("session.gantry")));
    for (const int id : w.model().runIds()) WAIT_FOR(w.controller().status(id).isActive());
    answer = LossAnswer::discard;
    QVERIFY(end.endSession(true));
    QCOMPARE(asked, 2);
    QVERIFY(!w.window->isVisible());
  }

  // ---- The program itself

  void aTerminatedProgramComesBack() {
    QProcess program;
    startProgram(program);
    QTRY_VERIFY_WITH_TIMEOUT(programHasSaved(), 240000);
    QCOMPARE(::kill(static_cast<pid_t>(program.processId()), SIGTERM), 0);
    QVERIFY(program.waitForFinished(120000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 143);
    restoreProgram();
  }

  void aKilledProgramComesBack() {
    QProcess program;
    startProgram(program);
    QTRY_VERIFY_WITH_TIMEOUT(programHasSaved(), 240000);
    program.kill();
    QVERIFY(program.waitForFinished(120000));
    restoreProgram();
  }
};

GANTRY_TEST(TestAutosave)
#include "test_autosave.moc"
