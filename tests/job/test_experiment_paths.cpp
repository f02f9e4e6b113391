// Where an experiment is saved: the paths in the file, and who may read the file.
#include "core/base/error.hpp"
#include "core/job/experiment_file.hpp"
#include "core/job/reconstruction_job.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <filesystem>
#include <sys/stat.h>

using namespace gantry;

class TestExperimentPaths : public QObject {
  Q_OBJECT
  Catalog catalog_;
  QTemporaryDir folder_;

  std::string path(const QString& name) const { return folder_.filePath(name).toStdString(); }
  Experiment there_and_back(const Experiment& e) const {
    write_experiment(path("e.json"), e);
    return read_experiment(path("e.json"), catalog_);
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    QVERIFY(folder_.isValid());
  }

  void pathsCountFromTheFile() {
    QVERIFY(QDir(folder_.path()).mkpath("sub/data"));
    Experiment e;
    e.source.kind = SourceKind::scan;
    e.source.path = path("sub/data/a.scan.json");
    write_experiment(path("sub/e.json"), e);
    QFile file(QString::fromStdString(path("sub/e.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject source = QJsonDocument::fromJson(file.readAll())["source"].toObject();
    QCOMPARE(source["path"].toString(), QString("data/a.scan.json"));
    // The folder is moved as a whole, and still fits together.
    QVERIFY(QDir().rename(folder_.filePath("sub"), folder_.filePath("moved")));
    const Experiment moved = read_experiment(path("moved/e.json"), catalog_);
    QCOMPARE(moved.source.path, path("moved/data/a.scan.json"));
    // What lies outside keeps its full path, and so does a neighbour with the same beginning.
    for (const std::string outside : {"/data/b.scan.json", "/sub2/b.scan.json"}) {
      e.source.path = folder_.path().toStdString() + outside;
      write_experiment(path("moved/e.json"), e);
      QCOMPARE(read_experiment(path("moved/e.json"), catalog_).source.path, e.source.path);
    }
  }

  void theFolderItselfIsAPath() {
    Experiment e;
    e.source.kind = SourceKind::volume;
    e.source.path = folder_.path().toStdString();
    QVERIFY(there_and_back(e) == e);
  }

  /// A path relative to the working folder means the same file after saving somewhere else.
  void workingFolderPathsDoNotMove() {
    Experiment e;
    e.source.kind = SourceKind::scan;
    e.source.path = "a.scan.json";
    QCOMPARE(there_and_back(e).source.path, std::filesystem::absolute("a.scan.json").string());
  }

  void aFolderThatIsNotThereIsSaid() {
    EXPECT_THROWS(OutputError, write_experiment(path("no/such/e.json"), {}), "no/such");
  }

  /// DICOM is of patients; what is made from a file that is the owner's alone is so too.
  void experimentsOfPatientsAreTheOwnersAlone_data() {
    QTest::addColumn<SourceKind>("kind");
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("mode");
    QTest::newRow("phantom") << SourceKind::phantom << "" << 0644;
    QTest::newRow("DICOM folder") << SourceKind::volume << "series" << 0600;
    QTest::newRow("volume of all") << SourceKind::volume << "open.mha" << 0644;
    QTest::newRow("volume of the owner") << SourceKind::volume << "own.mha" << 0600;
    QTest::newRow("scan of all") << SourceKind::scan << "open.scan.json" << 0644;
    QTest::newRow("scan of the owner") << SourceKind::scan << "own.scan.json" << 0600;
  }
  void experimentsOfPatientsAreTheOwnersAlone() {
    QFETCH(SourceKind, kind);
    QFETCH(QString, source);
    QFETCH(int, mode);
    const std::string there = path(source), file = path("access.json");
    if (source.contains('.')) {
      QFile(QString::fromStdString(there)).open(QIODevice::WriteOnly);
      std::filesystem::permissions(there,
                                   std::filesystem::perms(source.startsWith("own") ? 0600 : 0644));
    }
    Experiment e;
    e.source.kind = kind;
    e.source.path = there;
    std::filesystem::remove(file);
    const mode_t before = umask(022);
    write_experiment(file, e);
    umask(before);
    QCOMPARE(static_cast<int>(std::filesystem::status(file).permissions()), mode);
  }
};

GANTRY_TEST(TestExperimentPaths)
#include "test_experiment_paths.moc"
