// The axis of rotation as the command line finds it.
#include "core/geometry/default_scan.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/cli/command.hpp"
#include "tests/support/catalog_phantoms.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestCliAlign : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  std::string path(const char* name) const {
    return folder_.filePath(QLatin1String(name)).toStdString();
  }

  /// Writes a scan with its axis at column 61.2 whose file states 63.5.
  void write(const char* name, double arc_deg) const {
    const auto head = phantom("forbild_head");
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec = default_scan(std::max(half.x, half.y), 0, 128);
    spec.view_angles_rad = angles_from_degrees(0, arc_deg / 90, 90);
    spec.central_column = 61.2;
    const ScanGeometry real(spec);
    std::vector<float> p(real.rays());
    project_exactly(*head, real, 1, p);
    spec.central_column = 63.5;
    write_scan(path(name), ScanGeometry(spec), p, "a head");
  }

 private slots:
  void theAxisIsSaidAndWritten() {
    write("s.scan.json", 360);
    QFile file(folder_.filePath("s.scan.json"));
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray licensed =
        file.readAll().replace("\"description\"", "\"license\": \"CC0\", \"description\"");
    QVERIFY(licensed.contains("CC0") && file.resize(0) && file.seek(0));
    QCOMPARE(file.write(licensed), licensed.size());
    file.close();
    const Answer said = cli("align s.scan.json");
    EXPECT_DONE(said);
    QVERIFY2(said.output.startsWith("central column 61.") &&
                 said.output.contains(", and the scan states 63.5; from 90 comparisons"),
             said.text().constData());
    QCOMPARE(QDir(folder_.path()).entryList(QDir::Files).size(), 2);  // nothing was written
    EXPECT_DONE(cli("align s.scan.json --out a.scan.json"));
    const LoadedScan before = read_scan(path("s.scan.json")),
                     after = read_scan(path("a.scan.json"));
    EXPECT_NEAR(after.geometry->spec().central_column, 61.2, 0.1);
    QVERIFY(after.line_integrals == before.line_integrals);
    QCOMPARE(after.description, std::string("a head (CC0)"));
  }

  void whatTellsNoAxisIsRefused() {
    write("third.scan.json", 120);
    const Answer answer = cli("align third.scan.json --out no.scan.json");
    QCOMPARE(answer.code, 1);
    QVERIFY2(answer.errors.contains("third.scan.json: the data do not tell the axis"),
             answer.text().constData());
    QVERIFY(!QFile::exists(folder_.filePath("no.scan.json")));
  }
};

GANTRY_TEST(TestCliAlign)
#include "test_cli_align.moc"
