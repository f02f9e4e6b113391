// The angles of Nikon's scans: measured ones in lists beside the settings.
#include "core/base/error.hpp"
#include "tests/core/io/imports/nikon_folder.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <filesystem>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int projections = NikonFolder::projections;

QByteArray settings() { return NikonFolder::settings(); }

}  // namespace

class TestNikonAngles : public QObject {
  Q_OBJECT
  std::unique_ptr<NikonFolder> folder_;

  std::string path(const std::string& name) const { return folder_->path(name); }
  void write_scan_files(const QByteArray& text) const { folder_->write_scan_files(text); }
  ImportRequest request() const { return folder_->request(); }

 private slots:
  void init() { folder_ = std::make_unique<NikonFolder>(); }

  void measuredAngles() {
    write_scan_files(settings());
    QByteArray lines = "Projections Frames Exposure\n8\t1\t1000\nProjection\tAngle\tTime\n", named;
    std::vector<double> degrees;
    for (int i = 0; i < projections; ++i) {
      degrees.push_back(5 + 45.25 * i);
      lines += QByteArray::number(i + 1) + "\t" + QByteArray::number(45.25 * i) + "\t7.5\n";
      named.prepend("Proj " + QByteArray::number(i + 1) + ": " + QByteArray::number(45.25 * i) +
                    "\n");
    }
    write_file(path("_ctdata.txt"), lines);
    const ImportedScan scan = import_scan(request());
    expect_angles(scan, degrees);
    QVERIFY(is_assumed(scan, "angles", "from _ctdata.txt, behind InitialAngle"));
    QVERIFY(scan.scan.notes.empty());
    // A list in the reverse order is sorted by its numbers; a list of other angles is noted.
    std::filesystem::remove(path("_ctdata.txt"));
    write_file(path("part.ang"), "Projection: Angle\n" + named);
    expect_angles(import_scan(request()), degrees);
    write_file(path("part.ang"), QByteArray(named).replace("8: 316.75", "8: 400"));
    QVERIFY(has_part(import_scan(request()).scan.notes, "differ by up to 85 degrees"));
    // The numbers name the images also where there are more lines; those not used are noted.
    write_file(path("part.ang"), named + "9: 362\n");
    ImportedScan more = import_scan(request());
    expect_angles(more, degrees);
    QVERIFY(has_part(more.scan.notes, "part.ang has 9 lines for 8 images; the last was not used"));
    write_file(path("part.ang"), named + "9: 362\n10: 407\n");
    more = import_scan(request());
    expect_angles(more, degrees);
    QVERIFY(has_part(more.scan.notes, "10 lines for 8 images; the last 2 were not used"));
    QByteArray from_zero;
    for (int i = 0; i <= projections; ++i)
      from_zero += QByteArray::number(i) + ": " + QByteArray::number(45.25 * i) + "\n";
    write_file(path("part.ang"), from_zero);
    more = import_scan(request());
    expect_angles(more, degrees);
    QVERIFY(has_part(more.scan.notes,
                     "part.ang has 9 lines for 8 images; line 0 was taken for the first image, and "
                     "the last was not used"));
    write_file(path("part.ang"), "1: 0\n2: 45\n");
    QVERIFY(has_part(import_scan(request()).scan.notes,
                     "part.ang lists no angle for 6 of the 8 images, part_0003.tif to "
                     "part_0008.tif, and was left out"));
  }

  /// Two lists that differ are noted; the head of a list may say that it is in radians.
  void listsThatDisagreeAreNoted() {
    write_scan_files(settings());
    QByteArray in_degrees, in_radians = "Proj\tAngle(rad)\n", others;
    std::vector<double> degrees;
    for (int i = 0; i < projections; ++i) {
      const QByteArray number = QByteArray::number(i + 1) + ":\t";
      const double angle = 45.25 * i;
      degrees.push_back(5 + angle);
      in_degrees += number + QByteArray::number(angle) + "\n";
      in_radians += number + QByteArray::number(angle * std::acos(-1.0) / 180, 'g', 15) + "\n";
      others += number + QByteArray::number(angle / 2) + "\n";
    }
    write_file(path("part.ang"), in_radians);
    ImportedScan scan = import_scan(request());
    expect_angles(scan, degrees);
    QVERIFY(has_part(scan.scan.notes, "part.ang states its angles in radians"));
    write_file(path("_ctdata.txt"), in_degrees);
    QVERIFY(!has_part(import_scan(request()).scan.notes, "differ"));
    write_file(path("part.ang"), others);
    scan = import_scan(request());
    expect_angles(scan, degrees);
    QVERIFY(has_part(scan.scan.notes,
                     "the angles in part.ang differ by up to 158.375 degrees from those in "
                     "_ctdata.txt, which were taken"));
  }

  /// Decimals behind a comma, as programs write them where that is usual.
  void decimalCommas() {
    write_scan_files(settings());
    QByteArray tabs = "Proj\tAngle(deg)\n", blanks, times = "Projs\n8\t45\nProj\tAngle\tTime\n";
    std::vector<double> degrees;
    for (int i = 0; i < projections; ++i) {
      const QByteArray number = QByteArray::number(i + 1),
                       angle = QByteArray::number(45.25 * i).replace('.', ',');
      degrees.push_back(5 + 45.25 * i);
      tabs += number + ":\t" + angle + "\n";
      blanks += "Proj " + number + ": " + angle + "\n";
      times += number + "\t" + angle + "\t" + QByteArray::number(1.5 * i).replace('.', ',') + "\n";
    }
    for (const QByteArray& lines : {tabs, blanks, times}) {
      write_file(path("part.ang"), lines);
      const ImportedScan scan = import_scan(request());
      expect_angles(scan, degrees);
      QVERIFY(is_assumed(scan, "decimals of the angles", "behind a comma"));
      QVERIFY(scan.scan.notes.empty());
    }
  }

  /// The line before the numbers says which column holds the angles, and their unit.
  void headsOfLists_data() {
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<double>("unit");
    QTest::addColumn<bool>("has_times_first");
    const auto row = [](const char* head, double unit, bool has_times_first = false) {
      QTest::newRow(QByteArray(head).simplified()) << QByteArray(head) << unit << has_times_first;
    };
    const double radian = std::acos(-1.0) / 180;
    row("Projs\tStep\n8\t45\nProj\tAngle(rad)\tTime(s)", radian);
    row("Projs\tStep size(rad)\n8\t0.785\nProj\tAngle(deg)\tTime(s)", 1);
    row("Proj\tTime(s)\tAngle(deg)", 1, true);
    row("Proj\tAngle(mrad)\tTime(s)", 1000 * radian);
    row("Proj\tAngle(arcsec)\tTime(s)", 3600);
  }
  void headsOfLists() {
    QFETCH(QByteArray, head);
    QFETCH(double, unit);
    QFETCH(bool, has_times_first);
    write_scan_files(settings());
    std::vector<double> degrees;
    QByteArray lines = head + "\n";
    for (int i = 0; i < projections; ++i) {
      degrees.push_back(5 + 45.25 * i);
      const QByteArray angle = QByteArray::number(45.25 * i * unit, 'g', 15),
                       time = QByteArray::number(1.5 * i);
      lines += QByteArray::number(i + 1) + "\t" + (has_times_first ? time : angle) + "\t" +
               (has_times_first ? angle : time) + "\n";
    }
    write_file(path("_ctdata.txt"), lines);
    const ImportedScan scan = import_scan(request());
    expect_angles(scan, degrees);
    QCOMPARE(has_part(scan.scan.notes, "were converted"), unit != 1);
    QCOMPARE(scan.scan.notes.size(), unit != 1 ? 1U : 0U);
  }

  /// Lists of other names: the only one is taken; several, and what a further one lacks, are named.
  void listsOfOtherNames() {
    write_scan_files(settings());
    QByteArray lines, later;
    std::vector<double> degrees;
    for (int i = 0; i < projections; ++i) {
      degrees.push_back(5 + 45.25 * i);
      lines += QByteArray::number(i + 1) + ":\t" + QByteArray::number(45.25 * i) + "\n";
      later += QByteArray::number(i + 1) + ":\t" + QByteArray::number(45.25 * i + 10) + "\n";
    }
    write_file(path("PART.ANG"), lines);
    ImportedScan scan = import_scan(request());
    expect_angles(scan, degrees);
    QVERIFY(is_assumed(scan, "angles", "from PART.ANG, behind InitialAngle"));
    QVERIFY(scan.scan.notes.empty());
    std::filesystem::rename(path("PART.ANG"), path("other.ang"));
    scan = import_scan(request());
    expect_angles(scan, degrees);
    QVERIFY(
        has_part(scan.scan.notes, "other.ang is not called as the scan, part, but is the only"));
    QByteArray double_steps;
    for (int i = 0; i < projections; ++i)
      double_steps += QByteArray::number(i + 1) + ":\t" + QByteArray::number(90 * i) + "\n";
    write_file(path("other.ang"), double_steps);  // of another scan
    scan = import_scan(request());
    expect_angles(scan, {5, 50, 95, 140, 185, 230, 275, 320});
    QVERIFY(has_part(scan.scan.notes,
                     "other.ang differ by up to 315 degrees from AngularStep, and "
                     "it is not called as the scan: it was left out"));
    QVERIFY(!has_part(scan.scan.notes, "is the only"));
    write_file(path("more.ang"), lines);
    scan = import_scan(request());
    expect_angles(scan, {5, 50, 95, 140, 185, 230, 275, 320});
    QVERIFY(has_part(scan.scan.notes, "more.ang, other.ang may list the angles too, but were not"));
    std::filesystem::remove(path("more.ang"));
    write_file(path("other.xtekct"), settings());  // whose list it is
    expect_angles(import_scan(request()), {5, 50, 95, 140, 185, 230, 275, 320});
    write_file(path("_ctdata.txt"), lines);
    write_file(path("part.ang"), later);
    scan = import_scan(request());
    expect_angles(scan, degrees);
    QVERIFY(
        has_part(scan.scan.notes, "all angles in part.ang are 10 degrees from those in _ctdata"));
    write_file(path("part.ang"), lines.left(lines.indexOf("8:")));
    QVERIFY(has_part(import_scan(request()).scan.notes,
                     "part.ang lists no angle for part_0008.tif and was left out: _ctdata.txt"));
  }

  /// A list without the lines of missing images is that of the others.
  void measuredAnglesOfImagesThatAreThere() {
    write_scan_files(settings());
    QByteArray lines = "Projections Frames\n7\t1\nProjection\tAngle\n";
    for (const int number : {1, 2, 3, 5, 6, 8})
      lines += QByteArray::number(number) + "\t" + QByteArray::number(45.25 * (number - 1)) + "\n";
    write_file(path("part.ang"), lines);
    const std::vector<double> nominal = {5, 50, 95, 140, 185, 230, 275, 320};
    const ImportedScan all = import_scan(request());  // a number of the head is no line
    expect_angles(all, nominal);
    QVERIFY(has_part(all.scan.notes,
                     "part.ang lists no angle for 2 of the 8 images, part_0004.tif to "
                     "part_0007.tif, and was left out"));
    std::filesystem::remove(path("part_0004.tif"));
    const ImportedScan one = import_scan(request());
    expect_angles(one, {5, 50, 95, 185, 230, 275, 320});
    QVERIFY(has_part(one.scan.notes, "part.ang lists no angle for part_0007.tif and was left out"));
    std::filesystem::remove(path("part_0007.tif"));
    const ImportedScan some = import_scan(request());
    expect_angles(some, {5, 50.25, 95.5, 186, 231.25, 321.75});
    QVERIFY(is_assumed(some, "angles", "from part.ang, behind InitialAngle"));
    QVERIFY(!has_part(some.scan.notes, "part.ang"));
  }
};

GANTRY_TEST(TestNikonAngles)
#include "test_nikon_angles.moc"
