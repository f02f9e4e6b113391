// Signals end the program in order: what was computed is in whole files, and a run that is taken up
// again comes to the same numbers as one that was never disturbed.
#include "tests/cli/command.hpp"
#include "tests/cli/plain_volume.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <memory>

using namespace gantry::test;

namespace {

constexpr const char* geometry = R"({"beam": "fan", "detector": "flat",
  "source_to_isocenter_mm": 500, "source_to_detector_mm": 750, "detector_columns": 96,
  "column_pitch_mm": 4, "view_angles_deg": {"first": 0, "step": 6, "count": 60}})";

const QString grid = QStringLiteral(" --grid 64,64 --voxel 4 ");

/// A program under way, which signals reach.
class Child {
 public:
  Child(const QString& arguments, const QString& folder) {
    process_.setWorkingDirectory(folder);
    // A shell without job control has its children ignore SIGINT, and these theirs.
    process_.setChildProcessModifier([] {
      for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    });
    process_.start(QStringLiteral(GANTRY_CLI), arguments.split(' ', Qt::SkipEmptyParts));
  }
  bool waitForOutput(const QByteArray& text) {
    QElapsedTimer timer;
    timer.start();
    while (!output_.contains(text) && timer.elapsed() < 120000) {
      if (!process_.waitForReadyRead(1000) && process_.state() == QProcess::NotRunning) break;
      output_ += process_.readAllStandardOutput();
    }
    return output_.contains(text);
  }
  /// Until the program has taken SIGTERM over, which it blocks in its threads.
  bool waitUntilTaken() {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 60000) {
      QFile status(QStringLiteral("/proc/%1/status").arg(process_.processId()));
      if (!process_.waitForStarted() || !status.open(QIODevice::ReadOnly)) return false;
      const QString text = QString::fromUtf8(status.readAll());
      const QString mask = text.section(QStringLiteral("SigBlk:"), 1).section('\n', 0, 0).trimmed();
      if ((mask.toULongLong(nullptr, 16) >> (SIGTERM - 1) & 1) != 0) return true;
      QThread::msleep(2);
    }
    return false;
  }
  void signal(int number) { kill(static_cast<pid_t>(process_.processId()), number); }
  Answer end() {
    Answer answer;
    if (process_.waitForFinished(120000) && process_.exitStatus() == QProcess::NormalExit)
      answer.code = process_.exitCode();
    answer.output = QString::fromUtf8(output_ + process_.readAllStandardOutput());
    answer.errors = QString::fromUtf8(process_.readAllStandardError());
    return answer;
  }

 private:
  QProcess process_;
  QByteArray output_;
};

/// The lines of a curve without the time that they took.
QStringList curve(const QString& path) {
  QStringList lines;
  for (const QString& line : QString::fromUtf8(bytes_of_file(path)).split('\n')) {
    if (line.startsWith('#') || line.isEmpty()) continue;
    // The label of a run is in quotes where it has a comma.
    QStringList fields = line.section(line.startsWith('"') ? "\"," : ",", 1).split(',');
    fields.removeAt(2);
    lines << fields.join(',');
  }
  return lines;
}

}  // namespace

class TestCliSignals : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  QString path(const QString& name) const { return folder_->filePath(name); }
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_->path()); }
  void put(const QString& name, const QByteArray& bytes) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }
  QStringList hidden() const {
    return QDir(folder_->path())
        .entryList({QStringLiteral(".*")},
                   QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot);
  }
  /// How many iterations the message of an interrupted run tells.
  static int told(const Answer& answer) {
    const QRegularExpression words(QStringLiteral("after (\\d+) of \\d+ iterations"));
    return words.match(answer.output).captured(1).toInt();
  }
  /// That `resumed` equals a run of so many iterations that nobody disturbed.
  void compareWithCalm(const QString& options, int iterations) const {
    const Answer calm =
        cli(QStringLiteral("reconstruct head.scan.json --out calm.mha --log calm.csv --reference "
                           "truth.mha --iterations %1 ")
                .arg(iterations) +
            options + grid);
    QVERIFY2(calm.code == 0, calm.text().constData());
    QVERIFY(read_plain(path("resumed.mha")).values == read_plain(path("calm.mha")).values);
    QCOMPARE(curve(path("resumed.csv")), curve(path("calm.csv")));
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    put("geometry.json", geometry);
    EXPECT_DONE(
        cli("simulate --phantom shepp_logan --geometry geometry.json --photons 1e6 "
            "--out head.scan.json"));
    EXPECT_DONE(
        cli("reconstruct head.scan.json --solver sirt --iterations 30 --out truth.mha" + grid));
  }

  void anInterruptedRunIsKeptAndGoesOn_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("options");
    QTest::newRow("sirt") << SIGINT << "--solver sirt";
    QTest::newRow("sart") << SIGTERM << "--solver sart --set solver.order=random";
    QTest::newRow("cgls") << SIGHUP << "--solver cgls";
    QTest::newRow("fista") << SIGINT << "--solver fista";
    QTest::newRow("mlem") << SIGTERM << "--solver mlem --format csr";
  }
  void anInterruptedRunIsKeptAndGoesOn() {
    QFETCH(int, signal);
    QFETCH(QString, options);
    const QString common = " --reference truth.mha " + options + grid;
    // CGLS may have converged before the signal arrives: each try signals sooner, the last at once.
    Answer answer;
    for (int tries = 5; tries > 0; --tries) {
      Child child(
          "reconstruct head.scan.json --out a.mha --log a.csv --iterations 1000000" + common,
          folder_->path());
      QVERIFY(child.waitForOutput("iteration 1,"));
      QTest::qWait(static_cast<int>(QRandomGenerator::global()->bounded(150)) * (tries - 1) / 4);
      child.signal(signal);
      answer = child.end();
      if (answer.code != 0) break;
    }
    QVERIFY2(answer.code == 128 + signal, answer.text().constData());
    QVERIFY2(answer.errors.contains(
                 "note: to go on, repeat the command with --resume a.mha.checkpoint\n"),
             answer.text().constData());
    QCOMPARE(hidden(), QStringList());
    const int iterations = told(answer);
    QVERIFY2(iterations >= 1, answer.text().constData());
    QCOMPARE(read_plain(path("a.mha")).values.size(), std::size_t{64 * 64});
    QCOMPARE(curve(path("a.csv")).size(), 1 + iterations);
    const Answer resumed =
        cli(QStringLiteral("reconstruct head.scan.json --out resumed.mha --log resumed.csv "
                           "--resume a.mha.checkpoint --iterations %1")
                .arg(iterations + 3) +
            common);
    QVERIFY2(resumed.code == 0, resumed.text().constData());
    compareWithCalm(options, iterations + 3);
  }

  /// Whenever it is killed, its checkpoint is whole, and no earlier than the last one.
  void aKilledRunHasItsCheckpoint() {
    const QString options = QStringLiteral(" --reference truth.mha --solver os_sart");
    for (int round = 0; round < 3; ++round) {
      QFile::remove(path("c"));
      Child child(
          "reconstruct head.scan.json --out a.mha --iterations 1000000 --checkpoint c "
          "--checkpoint-every 1" +
              options + grid,
          folder_->path());
      QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("c")), 60000);
      QTest::qWait(static_cast<int>(QRandomGenerator::global()->bounded(300)));
      child.signal(SIGKILL);
      child.end();
      QVERIFY(!QFile::exists(path("a.mha")));
      const Answer first =
          cli("reconstruct head.scan.json --out resumed.mha --log resumed.csv --resume c "
              "--iterations 2" +
              options + grid);
      QVERIFY2(first.code == 0, first.text().constData());
      const int iterations = static_cast<int>(curve(path("resumed.csv")).size()) - 1;
      QVERIFY(iterations >= 1);
      EXPECT_DONE(
          cli(QStringLiteral("reconstruct head.scan.json --out resumed.mha --log resumed.csv "
                             "--resume c --iterations %1")
                  .arg(iterations + 2) +
              options + grid));
      compareWithCalm(QStringLiteral("--solver os_sart"), iterations + 2);
    }
  }

  void aFinishedRunIsGoneOnWith() {
    EXPECT_DONE(
        cli("reconstruct head.scan.json --out a.mha --solver cgls --iterations 3 "
            "--checkpoint c --reference truth.mha" +
            grid));
    EXPECT_DONE(
        cli("reconstruct head.scan.json --out resumed.mha --log resumed.csv --solver cgls "
            "--iterations 7 --resume c --reference truth.mha" +
            grid));
    compareWithCalm(QStringLiteral("--solver cgls"), 7);
  }

  /// A run that is still computing on coarser grids has no image to write, but its iterations there
  /// are kept.
  void anInterruptedCoarseStartGoesOn() {
    const QString options =
        QStringLiteral("--solver sirt --coarse-levels 1 --coarse-iterations 3000 --iterations 2 ");
    Answer answer;
    for (const int wait : {300, 100, 30, 10, 0}) {  // a fast machine may be done with the grid
      QFile::remove(path("a.mha"));
      Child child("reconstruct head.scan.json --out a.mha " + options + grid, folder_->path());
      QVERIFY(child.waitForOutput("needs"));
      QTest::qWait(wait);
      child.signal(SIGINT);
      answer = child.end();
      if (answer.output.contains("on coarser grids")) break;
    }
    QVERIFY2(answer.code == 130, answer.text().constData());
    QVERIFY2(answer.output.contains("interrupted by SIGINT after 0 of 2 iterations and"),
             answer.text().constData());
    QVERIFY(!QFile::exists(path("a.mha")));
    const Answer resumed =
        cli("reconstruct head.scan.json --out resumed.mha --log resumed.csv --reference truth.mha "
            "--resume a.mha.checkpoint " +
            options + grid);
    QVERIFY2(resumed.code == 0, resumed.text().constData());
    compareWithCalm(options.section("--iterations", 0, 0), 2);
  }

  /// The first run is done, the second one is under way, the third has not begun.
  void anExperimentGoesOn() {
    const QByteArray text = R"({"format": "gantry-experiment", "version": 1,
      "source": {"kind": "scan", "path": "head.scan.json"},
      "grid": {"size": [64, 64, 1], "spacing_mm": [4, 4, 4]},
      "runs": [{"name": "first", "solver": "sirt", "iterations": 4},
               {"name": "second", "solver": "sart", "iterations": SECOND},
               {"name": "third", "solver": "cgls", "iterations": 3}]})";
    put("e.json", QByteArray(text).replace("SECOND", "1000000"));
    Child child(QStringLiteral("run e.json --out results"), folder_->path());
    QVERIFY(child.waitForOutput("second: iteration 1,"));
    child.signal(SIGTERM);
    const Answer answer = child.end();
    QVERIFY2(answer.code == 143, answer.text().constData());
    QVERIFY2(answer.errors.contains("note: to go on, repeat the command with --resume results\n"),
             answer.text().constData());
    const QDir results(path("results"));
    QCOMPARE(results.entryList(QDir::Files | QDir::Hidden, QDir::Name),
             (QStringList{"curves.csv", "first.checkpoint", "first.mha", "second.checkpoint",
                          "second.mha"}));
    put("e.json", QByteArray(text).replace("SECOND", QByteArray::number(told(answer) + 2)));
    const Answer resumed = cli("run e.json --out again --resume results");
    QVERIFY2(resumed.code == 0, resumed.text().constData());
    QVERIFY(!resumed.output.contains("first: iteration"));
    EXPECT_DONE(cli("run e.json --out calm"));
    QCOMPARE(curve(path("again/curves.csv")), curve(path("calm/curves.csv")));
    for (const char* run : {"first", "second", "third"})
      QVERIFY2(read_plain(path(QStringLiteral("again/%1.mha").arg(run))).values ==
                   read_plain(path(QStringLiteral("calm/%1.mha").arg(run))).values,
               run);
  }

  void aStudyKeepsItsTables() {
    Child child(
        QStringLiteral("study cuart --part reconstructions --scale 0.25 --sizes 512 --out study"),
        folder_->path());
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("study/report.html")), 120000);
    child.signal(SIGTERM);
    const Answer answer = child.end();
    QVERIFY2(answer.code == 143, answer.text().constData());
    QVERIFY2(answer.errors.endsWith("gantry-cli: interrupted by SIGTERM; the tables so far are "
                                    "above and in study\n"),
             answer.text().constData());
    QVERIFY2(answer.output.contains("ART, 1 thread"), answer.text().constData());
    QVERIFY(bytes_of_file(path("study/reconstructions-cpu.csv")).contains("ART, 1 thread"));
    QCOMPARE(hidden(), QStringList());
  }

  /// Whatever it was at, it ends, with no file in part.
  void twoSignalsEndAtOnce() {
    for (const int wait : {0, 20, 60, 150}) {
      Child child(
          "reconstruct head.scan.json --out a.mha --iterations 1000000 --solver sirt "
          "--checkpoint c --checkpoint-every 1" +
              grid,
          folder_->path());
      QVERIFY(child.waitForOutput("needs"));
      QTest::qWait(wait);
      child.signal(SIGINT);
      child.signal(SIGTERM);
      const Answer answer = child.end();
      QVERIFY2(answer.code == 130 || answer.code == 143, answer.text().constData());
      QCOMPARE(hidden(), QStringList());
      if (QFile::exists(path("a.mha")))
        QCOMPARE(read_plain(path("a.mha")).values.size(), std::size_t{64 * 64});
    }
  }

  void whatCannotGiveWayEndsAtOnce() {
    Child child(QStringLiteral("bench solvers --case A"), folder_->path());
    QVERIFY(child.waitUntilTaken());
    child.signal(SIGTERM);
    const Answer answer = child.end();
    QVERIFY2(answer.code == 143, answer.text().constData());
    QVERIFY2(answer.errors.contains("ended at once by SIGTERM"), answer.text().constData());
  }

  void aSimulationLeavesNothing() {
    Child child(
        QStringLiteral(
            "simulate --phantom forbild_head --preset head_fan --subrays 64 --out b.scan.json"),
        folder_->path());
    QVERIFY(child.waitUntilTaken());
    QTest::qWait(200);
    child.signal(SIGINT);
    const Answer answer = child.end();
    QVERIFY2(answer.code == 130 || answer.code == 0, answer.text().constData());
    QCOMPARE(QFile::exists(path("b.scan.json")), answer.code == 0);
    QCOMPARE(hidden(), QStringList());
  }

  /// There is no way back to an earlier iteration; that the result is a later one is said.
  void aRunThatWentFurtherIsSaidToHaveDoneSo() {
    const QString common = "reconstruct head.scan.json --solver sirt" + grid;
    EXPECT_DONE(cli(common + "--out a.mha --iterations 4 --checkpoint c"));
    const Answer answer = cli(common + "--out b.mha --iterations 2 --resume c");
    QVERIFY2(answer.code == 0, answer.text().constData());
    QVERIFY2(answer.errors.contains("c is of iteration 4, beyond the 2 that are asked for"),
             answer.text().constData());
    QVERIFY(read_plain(path("a.mha")).values == read_plain(path("b.mha")).values);
    EXPECT_DONE(cli(common + "--out b.mha --iterations 4 --resume c"));
  }

  // ---- What does not fit together

  void anotherRunIsRefused_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("code");
    QTest::newRow("solver") << "--solver sart --grid 64,64 --voxel 4 --resume c"
                            << "c: the checkpoint is of another run: the solver is sart, not sirt"
                            << 1;
    QTest::newRow("grid") << "--solver sirt --grid 64,64 --voxel 3 --resume c"
                          << "belongs to other data or another grid" << 1;
    QTest::newRow("absent") << "--solver sirt --grid 64,64 --voxel 4 --resume d"
                            << "d: the checkpoint cannot be read" << 1;
    QTest::newRow("no checkpoint") << "--solver sirt --grid 64,64 --voxel 4 --resume truth.mha"
                                   << "truth.mha: is not a checkpoint of Gantry" << 1;
    QTest::newRow("where") << "--solver sirt --checkpoint-every 4"
                           << "--checkpoint-every: there is no file for the checkpoints" << 2;
    QTest::newRow("no folder") << "--solver sirt --checkpoint none/c"
                               << "none/c: " << 1;
  }
  void anotherRunIsRefused() {
    QFETCH(QString, options);
    QFETCH(QString, says);
    QFETCH(int, code);
    EXPECT_DONE(
        cli("reconstruct head.scan.json --out a.mha --solver sirt --iterations 2 "
            "--checkpoint c" +
            grid));
    const Answer answer = cli("reconstruct head.scan.json --out b.mha " + options);
    QVERIFY2(answer.code == code, answer.text().constData());
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains(says), answer.text().constData());
    QVERIFY(!QFile::exists(path("b.mha")));
  }
};

GANTRY_TEST(TestCliSignals)
#include "test_cli_signals.moc"
