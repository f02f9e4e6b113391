// Logs of SkyScan machines with TIFF projections beside them, and real logs without.
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/io/imports/formats/skyscan_log.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/data.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <filesystem>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int files = 5;

/// The camera's cells of 5 um, four binned to one, are 10 um wide at the object.
QByteArray log_text(const QByteArray& more = {}) {
  return "[System]\nScanner=SkyScan1272\nCamera Pixel Size (um)=    5.0\n[Acquisition]\n"
         "Filename Prefix=tooth12\nNumber Of Files=    5\nNumber Of Rows=  6\n"
         "Number Of Columns= 9\nCamera binning=4x4\nOptical Axis (line)=   2\n"
         "Object to Source (mm)=50.000\nCamera to Source (mm)=100.000\n"
         "Image Pixel Size (um)=10.00\nRotation Step (deg)=45.000\nUse 360 Rotation=NO\n"
         "Reference Intensity=15000\nScanning Trajectory=ROUND\nRotation Direction=CC\n" +
         more;
}

}  // namespace

class TestSkyscanScan : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const std::string& name) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  void write_frames() const {
    for (int i = 0; i < files; ++i)
      write_pages(path("tooth12000" + std::to_string(i) + ".tif"), {CountedFrames::projection(i)},
                  CountedFrames::columns);
  }
  ImportRequest request(const QByteArray& text) const {
    write_file(path("tooth12.log"), text);
    ImportRequest request;
    request.path = path("tooth12.log");
    return request;
  }
  static SkyscanLog sample(const char* name) {
    return read_skyscan_log(data_path(std::string("scans-in/skyscan_logs_a/") + name));
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// The prefix ends in a number, which is none of the projection's.
  void aScan() {
    write_frames();
    const ImportedScan scan = import_scan(request(log_text()));
    const ScanSpec& spec = scan.scan.geometry->spec();
    QVERIFY(spec.beam == Beam::cone);
    EXPECT_NEAR(spec.source_to_isocenter_mm, 50, 1e-9);
    EXPECT_NEAR(spec.source_to_detector_mm, 100, 1e-9);
    EXPECT_NEAR(spec.column_pitch_mm, 0.02, 1e-9);
    EXPECT_NEAR(spec.row_pitch_mm, 0.02, 1e-9);
    QCOMPARE(spec.central_column, 4.0);
    QCOMPARE(spec.central_row, 2.0);
    expect_angles(scan, {0, 45, 90, 135, 180});
    std::size_t ray = 0;
    for (int frame = 0; frame < files; ++frame)
      for (int row = 5; row >= 0; --row)
        for (int column = 0; column < 9; ++column)
          EXPECT_NEAR(scan.scan.line_integrals[ray++],
                      -std::log(CountedFrames::projection(frame, row, column) / 15000.0), 1e-5);
    QVERIFY(is_assumed(scan, "centre of rotation", "column 4, the middle"));
    QVERIFY(is_assumed(scan, "optical axis", "line 2, counted from the lowest"));
    QVERIFY(scan.scan.notes.empty());
    const ImportedScan twice = import_scan(request(log_text("Object to Source (mm)=60\n")));
    QVERIFY(has_part(twice.scan.notes, "the first was taken: Object to Source (mm) (50.000, then"));
  }

  void theSenseOfRotation() {
    write_frames();
    expect_angles(import_scan(request(log_text().replace("Direction=CC", "Direction=CW"))),
                  {0, -45, -90, -135, -180});
    const ImportedScan both = import_scan(request(log_text("Gantry direction=CW\n")));
    expect_angles(both, {0, -45, -90, -135, -180});
    QVERIFY(has_part(both.scan.notes, "Gantry direction is CW, but Rotation Direction is CC"));
  }

  void contradictionsAreNoted() {
    write_frames();
    const ImportedScan pixel =
        import_scan(request(log_text().replace("Size (um)=10.00", "Size (um)=12.00")));
    QVERIFY(has_part(pixel.scan.notes,
                     "Image Pixel Size is 12 um, but the camera's cells are 10 um wide"));
    EXPECT_NEAR(pixel.scan.geometry->spec().column_pitch_mm, 0.024, 1e-9);
    QByteArray in_acquisition = log_text().replace("Size (um)=10.00", "Size (um)=12.00");
    const qsizetype camera = in_acquisition.indexOf("Camera Pixel Size");
    const qsizetype end = in_acquisition.indexOf('\n', camera) + 1;
    const QByteArray line = in_acquisition.mid(camera, end - camera);
    in_acquisition.remove(camera, line.size()).replace("[Acquisition]\n", "[Acquisition]\n" + line);
    QVERIFY(has_part(import_scan(request(in_acquisition)).scan.notes, "Image Pixel Size is 12 um"));
    const ImportedScan turn =
        import_scan(request(log_text().replace("360 Rotation=NO", "360 Rotation=YES")));
    QVERIFY(has_part(turn.scan.notes, "Use 360 Rotation is YES, but 5 steps of 45 degrees"));
    const ImportedScan drift =
        import_scan(request(log_text("Image Rotation=0.19\nMaximum vertical TS=5.0\n")));
    QVERIFY(has_part(drift.scan.notes, "Image Rotation, 0.19 degrees, was left out"));
    const ImportedScan moved =
        import_scan(request(log_text() + "[Reconstruction]\nPostalignment=2.50\n"));
    QVERIFY(has_part(moved.scan.notes,
                     "the shift of the axis by NRecon (Postalignment), 2.5 columns, was left out, "
                     "since neither the files nor the data tell its side; --centre 1.5 or 6.5"));
    // The option counts columns of the files, whatever part of them is imported.
    ImportRequest part = request(log_text() + "[Reconstruction]\nPostalignment=2.50\n");
    part.part.bin = 2;
    QVERIFY(has_part(import_scan(part).scan.notes, "tell its side; --centre 1.5 or 6.5"));
    QVERIFY(has_part(drift.scan.notes, "thermal drift of up to 0 columns and 5 lines"));
  }

  /// Flats and darks beside the projections, which the log calls uncorrected or not.
  void flatsBesideUncorrectedProjections() {
    write_frames();
    std::filesystem::create_directory(path("dark"));
    write_pages(path("flat.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::columns);
    write_pages(path("dark/d_0.tif"), {CountedFrames::dark_frame(0)}, CountedFrames::columns);
    const ImportedScan off = import_scan(request(log_text("Flat Field Correction=OFF\n")));
    QVERIFY(is_assumed(off, "flats", "flat.tif"));
    QVERIFY(is_assumed(off, "darks", "d_0.tif"));
    QVERIFY(!has_part(off.scan.notes, "were not used"));
    expect_line_integrals(off, {0, 1, 2, 3, 4});
    for (const char* says : {"Flat Field Correction=ON\n", ""}) {
      const ImportedScan on = import_scan(request(log_text(says)));
      QVERIFY(!is_assumed(on, "flats", "flat.tif"));
      QVERIFY(
          has_part(on.scan.notes,
                   "flat.tif (flats), d_0.tif (darks) were not used, though they are called so"));
    }
    ImportRequest given = request(log_text());
    given.flats = {path("flat.tif")};
    QVERIFY(!has_part(import_scan(given).scan.notes, "were not used"));
    // A flat of another size is none of the scan; without flats, darks are of no use.
    write_pages(path("flat.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::rows);
    const ImportedScan without = import_scan(request(log_text("Flat Field Correction=OFF\n")));
    QVERIFY(!is_assumed(without, "flats", "flat.tif") && !is_assumed(without, "darks", "d_0.tif"));
    QVERIFY(has_part(without.scan.notes,
                     "flat.tif (flats): left out, with 6 x 9 cells instead of the 9 x 6 of the"));
    QVERIFY(
        has_part(without.scan.notes, "d_0.tif (darks) were not used, since there are no flats"));
    ImportRequest other_size = request(log_text());
    other_size.flats = {path("flat.tif")};
    EXPECT_THROWS(InputError, import_scan(other_size), "a flat has 6 x 9 cells");
  }

  /// A head whose axis is seen beside the middle: where, the log does not say, and of the shift
  /// that NRecon made not to which side.
  void theDataTellTheAxis() {
    constexpr int columns = 256, views = 180;
    const Vec3 half = phantom("forbild_head")->half_extent_mm();
    ScanSpec spec = default_scan(std::max(half.x, half.y), 0, columns);
    spec.view_angles_rad = angles_from_degrees(0, 360.0 / views, views);
    const auto import_with = [&](double off, const char* shift, int bin) {
      spec.central_column = 0.5 * (columns - 1) + off;
      const std::vector<float> p = measured(*phantom("forbild_head"), ScanGeometry(spec), 0);
      for (int view = 0; view < views; ++view) {
        Page page;
        for (int column = 0; column < columns; ++column) {
          const float value = p[static_cast<std::size_t>(view * columns + column)];
          page.push_back(static_cast<std::uint16_t>(std::lround(60000 * std::exp(-value))));
        }
        write_pages(path("head" + std::to_string(1000 + view) + ".tif"), {page}, columns);
      }
      const auto number = [](double value) { return QByteArray::number(value, 'g', 12); };
      const double image_um = 1e3 * ScanGeometry(spec).column_pitch_at_isocenter_mm();
      write_file(path("head.log"),
                 "[System]\n[Acquisition]\nFilename Prefix=head\nNumber Of Files=" + number(views) +
                     "\nNumber Of Rows=1\nNumber Of Columns=" + number(columns) +
                     "\nObject to Source (mm)=" + number(spec.source_to_isocenter_mm) +
                     "\nCamera to Source (mm)=" + number(spec.source_to_detector_mm) +
                     "\nImage Pixel Size (um)=" + number(image_um) + "\nRotation Step (deg)=" +
                     number(360.0 / views) + "\nReference Intensity=60000\nUse 360 Rotation=YES\n" +
                     "Rotation Direction=CC\n[Reconstruction]\nPostalignment=" + shift + "\n");
      ImportRequest request;
      request.path = path("head.log");
      request.part.bin = bin;
      return import_scan(request);
    };
    const ImportedScan left = import_with(-3.25, "3.00", 1);
    EXPECT_NEAR(left.scan.geometry->spec().central_column, 127.5 - 3.25, 0.1);
    QVERIFY(has_part(left.scan.notes, "3 columns, fits the axis that the data tell, 3.2"));
    QVERIFY(has_part(left.scan.notes, "columns to the left of the middle"));
    const ImportedScan right = import_with(6, "6.00", 2);
    EXPECT_NEAR(right.scan.geometry->spec().central_column, (127.5 + 6.5) / 2 - 0.5, 0.1);
    QVERIFY(has_part(right.scan.notes, "3 columns, fits the axis"));
    QVERIFY(has_part(right.scan.notes, "columns to the right of the middle"));
    QVERIFY(has_part(import_with(6, "-1.00", 1).scan.notes, "-1 columns, does not fit the axis"));
  }

  void otherTrajectoriesAreRefused() {
    EXPECT_THROWS(InputError,
                  import_scan(request(log_text().replace("Trajectory=ROUND", "Trajectory=SPIRAL"))),
                  "Scanning Trajectory: is SPIRAL; only ROUND");
    EXPECT_THROWS(InputError, import_scan(request(log_text("Camera Offset=ON\n"))),
                  "Camera Offset: is ON");
    EXPECT_THROWS(InputError, import_scan(request(log_text())),
                  "its projections are missing: there is no tooth120001.tif");
    EXPECT_THROWS(InputError, import_scan(request(log_text("Number of connected scans=3\n"))),
                  "3 connected scans, which are not joined; import each part by its own log");
  }

  /// A part of a connected ("oversize") scan is read with a line that says so.
  void aPartOfConnectedScansIsNamed() {
    write_frames();
    write_file(path("tooth12~01.log"),
               log_text("Number of connected scans=3\nCurrent scan number=2\n"
                        "Scanning position=25.575 mm\n"));
    ImportRequest part;
    part.path = path("tooth12~01.log");
    const ImportedScan scan = import_scan(part);
    QVERIFY(has_part(scan.scan.notes,
                     "is part 2 of 3 connected scans, at 25.575 mm; each is a "
                     "scan of its own"));
  }

  void cutFiles() {
    write_frames();
    const ImportRequest whole = request(log_text());
    for (const char* name : {"tooth12.log", "tooth120002.tif"})
      read_cut_files(path(name), [&] { import_scan(whole); });
  }

  /// Image pixel = camera pixel x binning x 27.251 / 313.563.
  void aRealPartOfConnectedScans() {
    NEED_DATA("scans-in/skyscan_logs_a");
    const SkyscanLog log = sample("cichlids/104016/head/proj/104016~01.log");
    const ScanSpec& spec = log.settings.stated.spec;
    QVERIFY(!log.is_summary && log.parts == 3);
    QCOMPARE(spec.detector_columns, 1536);
    QCOMPARE(spec.detector_rows, 972);
    EXPECT_NEAR(spec.column_pitch_mm, 0.1496, 1e-9);
    // The log rounds the distances to 1 um, which leaves 7e-8 of this size open.
    EXPECT_NEAR(ScanGeometry(spec).column_pitch_at_isocenter_mm(), 0.013001449, 1e-7);
    EXPECT_NEAR(spec.central_row, 501, 1e-9);
    QCOMPARE(spec.view_angles_rad.size(), std::size_t{1104});
    EXPECT_NEAR(degrees(spec.view_angles_rad.back()), -220.6, 1e-9);  // clockwise
    EXPECT_NEAR(log.settings.white_level, 58000, 1e-9);
    QVERIFY(has_part(log.settings.stated.notes, "is part 2 of 3 connected scans, at 25.575 mm"));
    QVERIFY(sample("cichlids/104016/head/proj/104016.log").is_summary);
  }

  /// The log rounds its image pixel size to 1.66 um, and names some fields otherwise.
  void aRealLogOfAnOlderMachine() {
    NEED_DATA("scans-in/skyscan_logs_a");
    const SkyscanLog log = sample("zebrafish-gills/Control01/proj/Control01.log");
    const ScanSpec& spec = log.settings.stated.spec;
    EXPECT_NEAR(spec.column_pitch_mm, 0.0088, 1e-9);
    EXPECT_NEAR(ScanGeometry(spec).column_pitch_at_isocenter_mm(), 1.6585e-3, 1e-7);
    QCOMPARE(spec.view_angles_rad.size(), std::size_t{3979});
    EXPECT_NEAR(degrees(spec.view_angles_rad.back()), 198.9, 1e-9);
    QVERIFY(!has_part(log.settings.stated.notes, "Image Pixel Size"));
    ImportRequest request;
    request.path = log.settings.folder + "/Control01.log";
    EXPECT_THROWS(InputError, import_scan(request), "there is no Control010001.tif or the like");
  }
};

GANTRY_TEST(TestSkyscanScan)
#include "test_skyscan_scan.moc"
