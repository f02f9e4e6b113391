// A series of images whose darks, flats and projections the log of TOMCAT counts.
#include "core/base/error.hpp"
#include "core/io/imports/frame_part.hpp"
#include "tests/core/io/imports/frames_folder.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <filesystem>

using namespace gantry;
using namespace gantry::test;

class TestTomcatLog : public QObject, private FramesFolder {
  Q_OBJECT

  static QByteArray log(const QByteArray& more = {}) {
    return "FAST-TOMO scan of sample a_\n----------Scan Settings----------\n"
           "File Prefix                 : a_\nNumber of projections       : 5\n"
           "Number of darks             : 2\nNumber of flats             : 3\n"
           "Number of inter-flats       : 0\nRot Y min position  [deg]   : -10.000\n"
           "Rot Y max position  [deg]   : 170.000\nActual pixel size [um]      : 6.5\n" +
           more;
  }
  /// Two darks, three flats, five projections and so many flats more.
  void write_images(int further) const {
    std::vector<Page> frames;
    for (const int i : {0, 1}) frames.push_back(CountedFrames::dark_frame(i));
    for (const int i : {0, 1, 0}) frames.push_back(CountedFrames::flat_frame(i));
    for (int i = 0; i < 5; ++i) frames.push_back(CountedFrames::projection(i));
    for (int i = 0; i < further; ++i) frames.push_back(CountedFrames::flat_frame(0));
    for (std::size_t i = 0; i < frames.size(); ++i)
      write_frame("a_" + std::to_string(1001 + i) + ".tif", frames[i]);
  }
  ImportRequest request() const {
    ImportRequest request;
    request.path = path();
    request.centre = 4;
    return request;
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void theImagesAreCounted_data() {
    QTest::addColumn<int>("further");
    QTest::addColumn<QByteArray>("step");
    QTest::addColumn<double>("last");
    QTest::newRow("flats before") << 0 << QByteArray() << 180.0;
    QTest::newRow("flats after too") << 3 << QByteArray("Angular step [deg] : 45.0\n") << 180.0;
    QTest::newRow("without the end") << 0 << QByteArray("Angular step [deg] : 36.0\n") << 144.0;
  }
  void theImagesAreCounted() {
    QFETCH(int, further);
    QFETCH(QByteArray, step);
    QFETCH(double, last);
    write_images(further);
    write_file(path("a_.log"), log(step));
    const ImportedScan scan = import_scan(request());
    expect_line_integrals(scan, {0, 1, 2, 3, 4});
    expect_angles(scan, {0, last / 4, last / 2, 0.75 * last, last});
    EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, 0.0065, 1e-12);
    QVERIFY(is_assumed(
        scan, "order of the images",
        further == 0 ? "darks, flats, projections" : "darks, flats, projections, flats"));
    ImportRequest own = request();
    own.arc_deg = 90;
    own.pixel_mm = 1;
    expect_angles(import_scan(own), {0, 22.5, 45, 67.5, 90});
  }

  void aLogThatContradictsItselfIsNoted() {
    write_images(0);
    write_file(path("a_.log"), log("Angular step [deg] : 20.0\n"));
    ImportedScan scan = import_scan(request());
    expect_angles(scan, {0, 45, 90, 135, 180});
    QVERIFY(has_part(scan.scan.notes,
                     "a_.log contradicts itself: 5 projections in steps of 20 degrees do not make "
                     "the 180 degrees between its first and last position, which were taken"));
    for (const char* step : {"45.0", "36.0", "0.0"}) {
      write_file(path("a_.log"), log(QByteArray("Angular step [deg] : ") + step + "\n"));
      QVERIFY(!has_part(import_scan(request()).scan.notes, "contradicts itself"));
    }
  }

  /// Of a scan that was stopped, or with flats in between, which image is what is not told.
  void otherCountsAreNoted() {
    write_images(1);
    write_file(path("a_.log"), log());
    ImportRequest one = request();
    one.arc_deg = 180;
    const ImportedScan other = import_scan(one);
    QVERIFY(has_part(other.scan.notes,
                     "a_.log counts 2 darks, 3 flats and 5 projections, but there are 11 images: "
                     "all were taken as projections; --flat-frames and --dark-frames name others"));
    one.flat_frames = ranges_from("2:4,10", "test");
    one.dark_frames = ranges_from("0:1", "test");
    expect_line_integrals(import_scan(one), {0, 1, 2, 3, 4});
    write_file(path("a_.log"), log().replace("inter-flats       : 0", "inter-flats       : 4"));
    one = request();
    one.arc_deg = 180;
    QVERIFY(has_part(import_scan(one).scan.notes, "and flats between these: all were taken"));
  }

  /// The numbers of the images tell which projection is missing; without the last one, or without
  /// a flat, they do not tell which image is what.
  void missingImages() {
    write_images(3);
    write_file(path("a_.log"), log());
    const auto remove = [&](const char* name) {
      return std::filesystem::remove(std::filesystem::path(path()) / name);
    };
    QVERIFY(remove("a_1008.tif"));
    const ImportedScan scan = import_scan(request());
    expect_line_integrals(scan, {0, 1, 3, 4});
    expect_angles(scan, {0, 45, 135, 180});
    QVERIFY(has_part(scan.scan.notes, "frame 1008 is missing"));
    QVERIFY(remove("a_1005.tif"));
    EXPECT_THROWS(
        InputError, import_scan(request()),
        "does not state the angles of its projections: a_.log counts 2 darks, 3 flats and 5 "
        "projections, but there are 11 images: all were taken as projections, of which");
  }

  /// Logs of something else say nothing.
  void otherLogsDoNotCount() {
    write_images(0);
    write_file(path("a_.log"), "Number of projections : 5\n");
    write_file(path("b.log"), "nothing : else\n");
    ImportRequest one = request();
    one.arc_deg = 180;
    for (const std::string& note : import_scan(one).scan.notes)
      QVERIFY(note.find(".log") == std::string::npos);
  }
};

GANTRY_TEST(TestTomcatLog)
#include "test_tomcat_log.moc"
