// A session is one file with everything, or a file that names checkpoints beside it.
#include "core/job/experiment_file.hpp"
#include "core/job/session_file.hpp"
#include "tests/job/job_bench.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestSessionFile : public QObject, private JobBench {
  Q_OBJECT

  QTemporaryDir folder_;
  Experiment experiment_;
  std::vector<Checkpoint> made_;

  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  /// Two runs and an earlier iterate of the second.
  SessionHead head() const {
    SessionHead head;
    head.saved = "2026-03-01T10:00:00.000Z";
    head.path = "/somewhere/e.json";
    head.is_modified = true;
    head.experiment = format_experiment(experiment_, folder_.path().toStdString());
    head.window = R"({"notes":"a µ","zoom":0.1})";
    head.reference_label = "SIRT";
    head.parts = {{SessionRole::run, 0, {}},
                  {SessionRole::run, 1, {}},
                  {SessionRole::iterate, 1, {}},
                  {SessionRole::reference, -1, {}}};
    return head;
  }
  void save(const std::string& file, const SessionHead& head) const {
    write_session(file, head, [this](std::size_t part) { return made_.at(part); });
  }
  Session saved(const char* name) const {
    save(path(name), head());
    return read_session(path(name), workshop_.catalog);
  }

 private slots:
  void initTestCase() {
    data_ = small_data(workshop_);
    experiment_.title = "head";
    experiment_.runs = {run_spec("sirt", 4), run_spec("fista", 4)};
    for (const RunSpec& spec :
         {experiment_.runs[0], experiment_.runs[1], experiment_.runs[1], experiment_.runs[0]}) {
      ReconstructionJob run = job(spec);
      std::vector<HistoryEntry> history;
      while (history.size() < made_.size() + 1)
        if (auto entry = run.advance()) history.push_back(std::move(*entry));
      made_.push_back({run.spec(), "cpu", run.progress(), history});
    }
  }

  void everythingComesBack() {
    const Session back = saved("all.gantry");
    QVERIFY(is_session(path("all.gantry")));
    QVERIFY(back.experiment == experiment_);
    QVERIFY(back.parts == head().parts);
    QCOMPARE(back.head.path, head().path);
    QCOMPARE(back.head.window, head().window);
    QCOMPARE(back.head.reference_label, std::string("SIRT"));
    QVERIFY(back.head.is_modified && !back.head.is_closed);
    QCOMPARE(back.checkpoints.size(), made_.size());
    for (std::size_t i = 0; i < made_.size(); ++i) {
      QVERIFY(back.checkpoints[i].progress.solver.arrays == made_[i].progress.solver.arrays);
      QCOMPARE(back.checkpoints[i].progress.iterations, static_cast<int>(i) + 1);
      QCOMPARE(back.checkpoints[i].history.size(), i + 1);
      QCOMPARE(back.checkpoints[i].history.back().report.residual_norm,
               made_[i].history.back().report.residual_norm);
    }
    QCOMPARE(read_session_head(path("all.gantry")).saved, head().saved);
  }

  /// The folder of session and data moves: the data are found again.
  void pathsBelowTheFolderAreRelative() {
    const Experiment before = experiment_;
    experiment_.source.kind = SourceKind::scan;
    experiment_.source.path = path("scan.json");
    save(path("with_data.gantry"), head());
    experiment_ = before;
    QTemporaryDir other;
    const QString moved = other.filePath(QStringLiteral("moved.gantry"));
    QVERIFY(QFile::copy(QString::fromStdString(path("with_data.gantry")), moved));
    QCOMPARE(read_session(moved.toStdString(), workshop_.catalog).experiment.source.path,
             other.filePath(QStringLiteral("scan.json")).toStdString());
  }

  void checkpointsMayLieBesideTheSession() {
    SessionHead apart = head();
    for (std::size_t i = 0; i < apart.parts.size(); ++i) {
      apart.parts[i].file = "part" + std::to_string(i);
      write_checkpoint(path(apart.parts[i].file.c_str()), made_[i]);
    }
    save(path("apart.gantry"), apart);
    QVERIFY(read_session(path("apart.gantry"), workshop_.catalog).problems.empty());
    QVERIFY(QFile::remove(QString::fromStdString(path("part1"))));
    const Session back = read_session(path("apart.gantry"), workshop_.catalog);
    QCOMPARE(back.parts.size(), std::size_t{3});
    QCOMPARE(back.problems.size(), std::size_t{1});
    QVERIFY(back.problems[0].find("part1") != std::string::npos);
  }

  void damageIsFound_data() {
    QTest::addColumn<QString>("damage");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* damage, const char* says) {
      QTest::newRow(damage) << QString::fromLatin1(damage) << QString::fromLatin1(says);
    };
    row("absent", "cannot be read");
    row("empty", "is not a session");
    row("foreign", "is not a session");
    row("newer", "of version 2; this program reads version 1; open it with a newer version");
    row("cut header", "cut short");
    row("cut", "cut short");
    row("longer", "too long");
    row("header", "its checksum differs");
    row("value", "its checksum differs");
    row("path", "is not a plain file name");
  }
  void damageIsFound() {
    QFETCH(QString, damage);
    QFETCH(QString, says);
    SessionHead head = this->head();
    if (damage == "path") head.parts[1].file = "../elsewhere";
    save(path("good.gantry"), head);
    QByteArray content = bytes_of_file(path("good.gantry"));
    if (damage == "empty") content.clear();
    if (damage == "foreign") content = "PK\x03\x04" + content;
    if (damage == "newer") content.replace(0, 16, "gantry-session 2");
    if (damage == "cut header") content.truncate(200);
    if (damage == "cut") content.chop(5);
    if (damage == "longer") content += "rest";
    if (damage == "header") content.replace("\"head\"", "\"feet\"");
    if (damage == "value") content[content.size() - 3] = static_cast<char>(content.back() ^ 8);
    const std::string file = path("bad.gantry");
    QFile::remove(QString::fromStdString(file));
    if (damage != "absent") write_file(file, content);
    EXPECT_THROWS(InputError, read_session(file, workshop_.catalog), says.toStdString());
  }

  void theOldOneStays() {
    saved("kept.gantry");
    const QByteArray before = bytes_of_file(path("kept.gantry"));
    EXPECT_THROWS(OutputError,
                  write_session(path("kept.gantry"), head(),
                                [](std::size_t) -> Checkpoint {
                                  throw OutputError("the disk is full", "kept.gantry", "make room");
                                }),
                  "the disk is full");
    QCOMPARE(bytes_of_file(path("kept.gantry")), before);
    QCOMPARE(QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden).filter("kept").size(), 1);
  }
};

GANTRY_TEST(TestSessionFile)
#include "test_session_file.moc"
