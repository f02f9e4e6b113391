// The angles of a series of files of several frames each, of which some are missing.
#include "core/base/error.hpp"
#include "core/io/imports/file_series.hpp"
#include "core/io/imports/tiff_frames.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestFileSeries : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const std::string& name = {}) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  /// Writes a file that begins with the projection `first`.
  void write(const std::string& name, int first, int frames) const {
    std::vector<Page> pages;
    for (int i = first; i < first + frames; ++i) pages.push_back(CountedFrames::projection(i));
    write_pages(path(name), pages, CountedFrames::columns);
  }
  RawScan read(const std::string& angles = {}) const {
    ImportRequest request;
    request.path = path();
    request.angles = angles;
    if (angles.empty()) request.arc_deg = 90;
    return tiff_frames_format().read(request);
  }
  static bool has_note(const RawScan& scan, const std::string& text) {
    return std::ranges::any_of(
        scan.notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
  }
  /// Whether frames, which tell their number, have its angle, with 90 degrees for the last of `all`
  /// projections.
  static void compare_angles(const RawScan& scan, int all) {
    const FrameSource& frames = *scan.projections;
    QCOMPARE(scan.angles_deg.size(), static_cast<std::size_t>(frames.frames()));
    std::vector<float> values(CountedFrames::rows * CountedFrames::columns);
    for (int i = 0; i < frames.frames(); ++i) {
      frames.read(i, values);
      int number = 0;
      while (number < all && CountedFrames::projection(number)[0] != values[0]) ++number;
      const double angle = 90.0 * number / (all - 1),
                   found = scan.angles_deg[static_cast<std::size_t>(i)];
      QVERIFY2(std::abs(found - angle) < 1e-9, qPrintable(QString::number(found)));
    }
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void aMissingFileMissesItsFrames() {
    write("s_01.tif", 0, 3);
    write("s_02.tif", 3, 3);
    write("s_04.tif", 9, 3);
    write("s_05.tif", 12, 2);  // the last one may be shorter
    const RawScan scan = read();
    compare_angles(scan, 14);
    QVERIFY(has_note(scan, "file 03 is missing between s_02.tif and s_04.tif"));
    QVERIFY(has_note(scan, "to hold 3 frames"));
  }

  void aListForAllFramesGoesByTheirPlaces() {
    write("s_1.tif", 0, 3);
    write("s_3.tif", 6, 3);
    QByteArray lines;
    for (int i = 0; i < 9; ++i) lines += QByteArray::number(90.0 * i / 8, 'f', 6) + '\n';
    write_file(path("list.dat"), lines);
    compare_angles(read(path("list.dat")), 9);
  }

  /// As programs that name files by their first frame.
  void numbersMayBeThoseOfFirstFrames() {
    write("s_0000.tif", 0, 3);
    write("s_0003.tif", 3, 3);
    write("s_0009.tif", 9, 2);
    const RawScan scan = read();
    compare_angles(scan, 11);
    QVERIFY(has_note(scan, "frames 0006 to 0008 are missing between s_0003.tif and s_0009.tif"));
  }

  void filesOfASeriesWithoutGapsFollowEachOther() {
    write("s_10.tif", 0, 3);
    write("s_20.tif", 3, 3);
    write("s_30.tif", 6, 3);
    const RawScan scan = read();
    compare_angles(scan, 9);
    QVERIFY(scan.notes.empty());
  }

  void aFileThatWasLeftOutMissesItsFrames() {
    write("s_1.tif", 0, 3);
    write("s_2.tif", 3, 3);
    write("s_3.tif", 6, 3);
    write_file(path("s_2.tif"), "no image");
    ImportRequest request;
    request.path = path();
    request.arc_deg = 90;
    request.leaves_out_damaged = true;
    compare_angles(tiff_frames_format().read(request), 9);
    write("s_2.tif", 3, 3);
    write_file(path("s_3.tif"), "no image");
    compare_angles(tiff_frames_format().read(request), 9);
  }

  /// However they are called, one line tells of them; others that are called so are no copies.
  void copiesAreLeftOut_data() {
    QTest::addColumn<QString>("copy");
    for (const char* copy : {"s_%1 (1).tif", "s_%1(2).tif", "s_%1 - Copy.tif", "Copy of s_%1.tif",
                             "s_%1 - Kopie (2).tif"})
      QTest::addRow("%s", copy) << copy;
  }
  void copiesAreLeftOut() {
    QFETCH(QString, copy);
    for (int i = 0; i < 4; ++i) {
      const std::string name = "s_0" + std::to_string(i) + ".tif";
      write(name, i, 1);
      std::filesystem::copy_file(path(name), path(copy.arg(i, 2, 10, QChar('0')).toStdString()));
    }
    RawScan scan = read();
    compare_angles(scan, 4);
    QCOMPARE(scan.notes.size(), std::size_t{1});
    QVERIFY(has_note(scan, "4 files were left out as copies of others, the first: "));
    QVERIFY(has_note(scan, " holds the same bytes as ") && has_note(scan, "s_00"));
    QVERIFY(scan.left_out_images.empty());
    for (int i = 0; i < 4; ++i) write(copy.arg(i, 2, 10, QChar('0')).toStdString(), i + 4, 1);
    scan = read();
    QVERIFY(!has_note(scan, "copies") && has_note(scan, "left out"));
  }

  void whatAMissingFileHeldMustBeKnown() {
    write("s_1.tif", 0, 3);
    write("s_2.tif", 3, 2);
    write("s_4.tif", 8, 3);
    EXPECT_THROWS(InputError, read(), "s_1.tif holds 3 frames and s_2.tif 2");
    QByteArray lines;
    for (int i = 0; i < 11; ++i)
      if (i < 5 || i > 7) lines += QByteArray::number(9.0 * i, 'f', 6) + '\n';
    write_file(path("list.dat"), lines);
    compare_angles(read(path("list.dat")), 11);
    write("s_3.tif", 5, 3);
    QVERIFY(has_note(read(), "s_1.tif holds 3 frames and s_2.tif 2"));
    std::filesystem::rename(path("s_4.tif"), path("s_90.tif"));
    std::filesystem::remove(path("s_2.tif"));
    EXPECT_THROWS(InputError, read(), "more of its files are missing");
  }
};

GANTRY_TEST(TestFileSeries)
#include "test_file_series.moc"
