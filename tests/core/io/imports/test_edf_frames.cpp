// Files in ESRF's data format, written as its description says, become scans: a folder with flats
// and darks by their names, and a file of frames.
#include "core/base/error.hpp"
#include "tests/core/io/imports/written_edf.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

namespace {

using Frame = std::vector<std::uint16_t>;

/// What is said of the last flat, which is no such frame.
constexpr const char* changed_beam =
    "the flat refHST0000.edf is 83 % darker than refHST0002.edf, and one flat was made of all: "
    "--interpolate-flats follows the beam";

}  // namespace

class TestEdfFrames : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  QString path(const QString& name = {}) const { return folder_->filePath(name); }
  ImportRequest request(const QString& name = {}) const {
    ImportRequest request;
    request.path = path(name).toStdString();
    request.centre = 4;
    return request;
  }
  /// Writes projections with these lines in their headers, three flats and three darks.
  void write_frames(int projections, const std::vector<QByteArray>& lines = {}) const {
    for (int i = 0; i < projections; ++i)
      write_file(
          path(QStringLiteral("scan_%1.edf").arg(i, 4, 10, QLatin1Char('0'))),
          edf(CountedFrames::projection(i),
              lines.empty() ? QByteArray() : lines[static_cast<std::size_t>(i)], i % 2 == 1));
    for (int i = 0; i < 3; ++i) {
      write_file(path(QStringLiteral("refHST000%1.edf").arg(i)), edf(CountedFrames::flat_frame(i)));
      write_file(path(QStringLiteral("darkend000%1.edf").arg(i)),
                 edf(CountedFrames::dark_frame(i)));
    }
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void aFolder() {
    write_frames(5);
    ImportRequest one = request();
    one.arc_deg = 180;
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, {0, 45, 90, 135, 180});
    for (const auto& [what, value] : std::vector<std::pair<const char*, const char*>>{
             {"projections", "scan_0000.edf to scan_0004.edf, 5 files"},
             {"flats", "refHST0000.edf to refHST0002.edf, 3 files"},
             {"darks", "darkend0000.edf to darkend0002.edf, 3 files"}})
      QVERIFY2(is_assumed(scan, what, value), what);
    QCOMPARE(scan.scan.notes, (std::vector<std::string>{changed_beam}));
  }

  /// The headers state where the motor of the rotation stood, and the size of a cell.
  void whatHeadersState() {
    std::vector<QByteArray> lines;
    std::vector<double> angles;
    for (int i = 0; i < 5; ++i) {
      angles.push_back(-10 + 22.5 * i);
      lines.push_back("motor_mne = sx srot sz ;\nmotor_pos = 1.5 " +
                      QByteArray::number(angles.back()) +
                      " -3 ;\nPSize_1 = 5e-06 ;\nPSize_2 = 5.1e-06 ;\n");
    }
    write_frames(5, lines);
    const ImportedScan scan = import_scan(request());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, angles);
    EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, 0.005, 1e-12);
    QVERIFY(is_assumed(scan, "angles", "positions of the motor srot, degrees"));
    QCOMPARE(scan.scan.notes,
             (std::vector<std::string>{"the headers contradict square cells: PSize_1 is 5e-06, "
                                       "PSize_2 is 5.1e-06; the first was taken",
                                       changed_beam}));
  }

  /// What ESRF's acquisition writes beside the frames: three more than projections, taken at angles
  /// that were measured before, and a dark that is a sum.
  void anInfoFileTellsWhatIsAProjection() {
    const auto name_of = [&](const char* word, int number) {
      return path(
          QStringLiteral("%1%2.edf").arg(QLatin1String(word)).arg(number, 4, 10, QLatin1Char('0')));
    };
    for (int i = 0; i < 8; ++i)
      write_file(name_of("scan_", i), edf(CountedFrames::projection(i < 5 ? i : 7 - i)));
    write_file(name_of("refHST", 0), edf(CountedFrames::flat_frame(0)));
    Frame sum = CountedFrames::dark_frame(0);
    for (std::uint16_t& count : sum) count = static_cast<std::uint16_t>(20 * count);
    write_file(name_of("darkend", 0), edf(sum));
    write_file(path("scan_.info"),
               "Prefix=             scan_\nTOMO_N=             5\nDARK_N=             20\n"
               "PixelSize=          5.1\nScanRange=          180\nEnergy= 25\nDistance= 50\n"
               "REF_ON= 5\nREF_N= 3\nDim_1= 9\nDim_2= 6\nOptic_used= 5.1\nSrCurrent= 200\n");
    const ImportedScan scan = import_scan(request());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, {0, 36, 72, 108, 144});
    EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, 0.0051, 1e-12);
    QVERIFY(is_assumed(scan, "size of a cell", "0.0051 mm"));
    QCOMPARE(scan.scan.notes,
             (std::vector<std::string>{
                 "scan_0005.edf to scan_0007.edf, 3 files, were left out as no projection: "
                 "scan_.info states 5",
                 "scan_.info states 25 keV and 50 mm from the object to the detector, which phase "
                 "retrieval does not take by itself: --correct "
                 "phase_retrieval:energy_kev=25,distance_mm=50",
                 "the darks were divided by 20, as DARK_N in scan_.info says that each is the sum "
                 "of so many"}));
    ImportRequest over_turn = request();  // the user knows better
    over_turn.arc_deg = 360;
    over_turn.arc_is_open = true;
    expect_angles(import_scan(over_turn), {0, 72, 144, 216, 288});
  }

  /// dark.edf, the mean that PyHST takes, is not averaged with the sum beside it.
  void aSumOfDarksBesideTheirMean() {
    write_frames(5);
    for (const char* name : {"darkend0001.edf", "darkend0002.edf"}) QFile::remove(path(name));
    Frame sum = CountedFrames::dark_frame(0);
    for (std::uint16_t& count : sum) count = static_cast<std::uint16_t>(20 * count);
    write_file(path("darkend0000.edf"), edf(sum));
    write_file(path("dark.edf"), edf(CountedFrames::dark_frame(0)));
    ImportRequest one = request();
    one.arc_deg = 180;
    for (const QByteArray info : {"", "DARK_N=20\n", "DARK_N=1\n"}) {
      if (!info.isEmpty()) write_file(path("scan_.info"), info);
      const ImportedScan scan = import_scan(one);
      const bool are_single = info.contains("=1");
      QCOMPARE(is_assumed(scan, "darks", "dark.edf"), !are_single);
      QCOMPARE(has_part(scan.scan.notes, "darkend0000.edf, was left out of the darks"),
               !are_single);
      if (!are_single) expect_line_integrals(scan, {0, 1, 2, 3, 4});
    }
  }

  /// ref0001_0005 is one of the flats that were taken before projection 5, here after the last.
  void namesOfFlatsTellWhenTheyWereTaken() {
    for (int i = 0; i < 5; ++i)
      write_file(path(QStringLiteral("scan_000%1.edf").arg(i)), edf(CountedFrames::projection(i)));
    for (const char* name : {"ref0000_0000", "ref0001_0000", "ref0002_0000", "ref0000_0005"})
      write_file(path(QLatin1String(name) + ".edf"), edf(CountedFrames::flat_frame(0)));
    write_file(path("darkend0000.edf"), edf(CountedFrames::dark_frame(0)));
    ImportRequest one = request();
    one.arc_deg = 180;
    one.normalise.average = FrameAverage::interpolated;
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    QVERIFY(has_part(scan.scan.notes, "darkend0000.edf, was taken as a single dark"));
    QVERIFY(is_assumed(scan, "time of the flats", "3 before, 1 after the projections"));
    QVERIFY(has_part(scan.scan.notes, "flats of 2 times were interpolated"));
  }

  /// A motor without a position does not hide the others; the rotation itself must have one.
  void motorsWithoutPosition() {
    std::vector<QByteArray> lines;
    for (int i = 0; i < 5; ++i)
      lines.push_back("motor_mne = sx srot sz ;\nmotor_pos = nan +" + QByteArray::number(45 * i) +
                      " nan ;\n");
    write_frames(5, lines);
    expect_angles(import_scan(request()), {0, 45, 90, 135, 180});
    lines[2].replace("+90", "nan");
    write_frames(5, lines);
    EXPECT_THROWS(InputError, import_scan(request()), "does not state the angles");
  }

  void projectionsThatAnInfoFileCountsAreMissing() {
    write_frames(5);
    write_file(path("scan_.info"), "Prefix=scan_\nTOMO_N=8\nScanRange=180\n");
    const ImportedScan scan = import_scan(request());
    expect_angles(scan, {0, 22.5, 45, 67.5, 90});
    QVERIFY(has_part(scan.scan.notes,
                     "scan_.info states 8 projections, of which the last 3 are missing"));
  }

  /// Beamlines have other motors that turn the object; of several, the one that went farthest did.
  void otherMotorsThatTurn() {
    const auto write = [&](const QByteArray& motors) {
      std::vector<QByteArray> lines;
      for (int i = 0; i < 5; ++i)
        lines.push_back("motor_mne = " + motors +
                        " ;\nmotor_pos = " + QByteArray::number(12.3 + 0.01 * i) + " " +
                        QByteArray::number(40 * i) + " ;\n");
      write_frames(5, lines);
    };
    for (const char* motor : {"srot", "hrsrot", "diffrz", "hrrz", "rz", "Rot"}) {
      write("mono " + QByteArray(motor));
      const ImportedScan scan = import_scan(request());
      expect_angles(scan, {0, 40, 80, 120, 160});
      QVERIFY(!has_part(scan.scan.notes, "motor"));
    }
    write("srot hrsrot");
    const ImportedScan scan = import_scan(request());
    expect_angles(scan, {0, 40, 80, 120, 160});
    QVERIFY(is_assumed(scan, "angles", "positions of the motor hrsrot, degrees"));
    QVERIFY(has_part(scan.scan.notes,
                     "of hrsrot (over 160 degrees), srot (over 0.04 degrees), the positions of "
                     "hrsrot, which went farthest, were taken"));
  }

  void aFileOfFrames() {
    QByteArray frames, flats;
    for (int i = 0; i < 4; ++i) frames += edf(CountedFrames::projection(i), {}, i % 2 == 0);
    for (int i = 0; i < 3; ++i) flats += edf(CountedFrames::flat_frame(i));
    write_file(path("stack.edf"), frames);
    write_file(path("beam.edf"), flats);
    write_file(path("off.edf"), edf(CountedFrames::dark_frame(0)));
    ImportRequest one = request("stack.edf");
    one.flats = {path("beam.edf").toStdString()};
    one.darks = {path("off.edf").toStdString()};
    one.arc_deg = 180;
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3});
    expect_angles(scan, {0, 60, 120, 180});
  }

  /// Other types than 16 bits, and a header longer than 512 bytes.
  void floatsAndLongHeaders() {
    std::vector<float> values;
    for (int i = 0; i < 54; ++i) values.push_back(0.25F * static_cast<float>(i));
    const QByteArray frame =
        edf_header(
            "ByteOrder = LowByteFirst ;\nDataType = FloatValue ;\nDim_1 = 9 ;\nDim_2 = 6 ;\n"
            "Comment = " +
            QByteArray(700, 'x') + " ;\n") +
        bytes_of_numbers(values);
    write_file(path("float.edf"), frame + frame);
    ImportRequest one = request("float.edf");
    one.arc_deg = 180;
    one.normalise.are_line_integrals = true;
    const ImportedScan scan = import_scan(one);
    QCOMPARE(scan.scan.geometry->views(), 2);
    for (int row = 0; row < 6; ++row)
      for (int column = 0; column < 9; ++column)
        QCOMPARE(scan.scan.line_integrals[static_cast<std::size_t>(9 * (5 - row) + column)],
                 0.25F * static_cast<float>(9 * row + column));
  }

  void badHeadersAreNamed_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("message");
    const auto add = [](const char* from, const char* to, const char* message) {
      QTest::addRow("%s", message) << QByteArray(from) << QByteArray(to) << QByteArray(message);
    };
    add("UnsignedShort", "ComplexFloat_", "DataType: is \"ComplexFloat_\"");
    add("LowByteFirst", "MiddleFirst_", "ByteOrder: is \"middlefirst_\"");
    add("Dim_1 = 9", "Dim_1 = 0", "cannot be the size of a frame");
    add("Dim_1 = 9", "Dim_1 = x", "cannot be the size of a frame");
    add("Dim_2 = 6 ;\nSize = 108", "Dim_2 = 7 ;\nSize = 126", "holds 108 of 126 bytes of a frame");
    add("Size = 108", "Size = 107", "Size: says 107 bytes");
  }
  void badHeadersAreNamed() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, message);
    QByteArray bytes = edf(CountedFrames::projection(0));
    QVERIFY(bytes.contains(from));
    write_file(path("bad.edf"), bytes.replace(from, to));
    ImportRequest one = request("bad.edf");
    one.arc_deg = 180;
    EXPECT_THROWS(InputError, import_scan(one), message.toStdString());
  }

  /// A file that was cut anywhere gives one line, or the frames before the cut.
  void cutFilesAreRefused() {
    QByteArray whole;
    for (int i = 0; i < 5; ++i) whole += edf(CountedFrames::projection(i));
    for (int part = 0; part < 50; ++part) {
      write_file(path("cut.edf"), whole.left(whole.size() * part / 50));
      ImportRequest one = request("cut.edf");
      one.arc_deg = 180;
      one.images = ImageContent::projections;  // also where a single one is left
      if (part > 0 && part % 10 == 0) {
        QCOMPARE(import_scan(one).scan.geometry->views(), part / 10);
        continue;
      }
      EXPECT_THROWS(InputError, import_scan(one), "cut.edf");
    }
  }
};

GANTRY_TEST(TestEdfFrames)
#include "test_edf_frames.moc"
