// The size of a cell that HDF5 states in several fields, or in another file, and what is said of
// it.
#include "core/io/files/containers/hdf5_file.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A field of a file.
struct Field {
  const char* path;
  double value;
  const char* unit = "";
};

constexpr const char *pixel_size = "/measurement/instrument/detector/pixel_size",
                     *pixel_size_x = "/measurement/instrument/detector/pixel_size_x",
                     *pixel_size_y = "/measurement/instrument/detector/pixel_size_y",
                     *resolution = "/measurement/instrument/detection_system/objective/resolution",
                     *magnification =
                         "/measurement/instrument/detection_system/objective/magnification";

}  // namespace

class TestHdf5Lengths : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  ImportedScan imported(const std::vector<Field>& fields, double given_mm = 0) const {
    ImportRequest request;
    request.path = folder_.filePath(QStringLiteral("x.h5")).toStdString();
    request.centre = 4;
    request.pixel_mm = given_mm;
    {
      const Hdf5Writer file(request.path);
      file.add("/exchange/data", size_of(7), joined_frames(projections(7)));
      file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(0));
      file.add("/exchange/data_dark", size_of(1), CountedFrames::dark_frame(0));
      file.add("/exchange/theta", {7}, std::vector<double>{0, 30, 60, 90, 120, 150, 180}, "deg");
      for (const Field& one : fields) file.add(one.path, {1}, std::vector{one.value}, one.unit);
    }
    return import_scan(request);
  }
  static bool says_nothing(const ImportedScan& scan) {
    return scan.scan.notes.empty() &&
           std::ranges::none_of(scan.assumptions,
                                [](const Assumption& one) { return one.what == "size of a cell"; });
  }
  static void expect_cell(const ImportedScan& scan, double columns_mm, double rows_mm) {
    QVERIFY(scan.scan.lengths_are_known);
    EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, columns_mm, 1e-9);
    EXPECT_NEAR(scan.scan.geometry->spec().row_pitch_mm, rows_mm, 1e-9);
  }

 private slots:
  void oneFieldForBothSides() {
    const ImportedScan scan = imported({{pixel_size, 3.5, "um"}});
    expect_cell(scan, 0.0035, 0.0035);
    QVERIFY(is_assumed(scan, "size of a cell", "0.0035 mm"));
    QVERIFY(scan.scan.notes.empty());
    expect_cell(imported({{"/exchange/pixel_size", 2e-6, "m"}}), 0.002, 0.002);
  }

  void theSizeAtTheObject() {
    const ImportedScan scan = imported({{resolution, 0.69, "um"}});
    expect_cell(scan, 0.00069, 0.00069);
    QVERIFY(is_assumed(scan, "size of a cell", "0.00069 mm"));
    QVERIFY(scan.scan.notes.empty());
  }

  /// NXtomo of the ESRF states the cells of the camera, and their size in the plane of the sample.
  void theSizeInThePlaneOfTheSample() {
    constexpr const char *camera = "/measurement/instrument/detector/x_pixel_size",
                         *sample = "/measurement/sample/x_pixel_size",
                         *source = "/measurement/instrument/source/distance",
                         *detector = "/measurement/instrument/detector/distance";
    const ImportedScan parallel = imported({{camera, 6.5, "um"}, {sample, 0.65, "um"}});
    expect_cell(parallel, 0.00065, 0.00065);
    QVERIFY(
        has_part(parallel.scan.notes, "sample/x_pixel_size states 0.00065 mm, which was taken"));
    QVERIFY(has_part(parallel.scan.notes, "detector/x_pixel_size states 0.0065 mm"));
    const ImportedScan far = imported(
        {{camera, 6.5, "um"}, {sample, 0.65, "um"}, {source, -145, "m"}, {detector, 0.05, "m"}});
    EXPECT_NEAR(far.scan.geometry->spec().column_pitch_mm, 0.00065, 1e-9);
    QVERIFY(has_part(far.scan.notes, "sample/x_pixel_size states 0.00065 mm, which was taken"));
    // In a cone, the distances say why the sizes differ, or else a note does.
    const auto cone = [&](double sample_um) {
      return imported({{camera, 6.5, "um"},
                       {sample, sample_um, "um"},
                       {source, -0.1, "m"},
                       {detector, 0.9, "m"}});
    };
    EXPECT_NEAR(cone(0.65).scan.geometry->spec().column_pitch_mm, 0.0065, 1e-9);
    QVERIFY(!has_part(cone(0.65).scan.notes, "x_pixel_size"));
    QVERIFY(has_part(cone(0.8).scan.notes, "the distances magnify to 0.008 mm"));
    // Without a size of the detector, that of the sample is magnified, and not taken for it.
    const ImportedScan alone =
        imported({{sample, 0.65, "um"}, {source, -0.1, "m"}, {detector, 0.9, "m"}});
    EXPECT_NEAR(alone.scan.geometry->spec().column_pitch_mm, 0.0065, 1e-9);
    QVERIFY(is_assumed(alone, "size of a cell", "0.0065 mm"));
    expect_cell(imported({{camera, 6.5, "um"},
                          {sample, 0.65, "um"},
                          {"/measurement/sample/y_pixel_size", 1.3, "um"}}),
                0.00065, 0.0013);
  }

  /// The cells of the camera are larger by the magnification, which says why the fields differ.
  void aMagnificationSaysWhySizesDiffer() {
    const ImportedScan scan =
        imported({{pixel_size, 3.45, "um"}, {resolution, 0.69, "um"}, {magnification, 5}});
    expect_cell(scan, 0.00069, 0.00069);
    QVERIFY(scan.scan.notes.empty());
    expect_cell(imported({{pixel_size_x, 3.45, "um"},
                          {pixel_size_y, 6.9, "um"},
                          {resolution, 0.69, "um"},
                          {magnification, 5}}),
                0.00069, 0.00138);
  }

  void fieldsThatContradictAreNamed() {
    const ImportedScan scan = imported({{pixel_size, 6.9, "um"}, {resolution, 2, "um"}});
    expect_cell(scan, 0.002, 0.002);
    QVERIFY(has_part(scan.scan.notes, "objective/resolution states 0.002 mm, which was taken"));
    QVERIFY(has_part(scan.scan.notes, "detector/pixel_size states 0.0069 mm"));
    QVERIFY(has_part(scan.scan.notes, "no magnification of 3.45"));
    const ImportedScan two = imported({{pixel_size_x, 5, "um"}, {pixel_size, 6, "um"}});
    expect_cell(two, 0.005, 0.005);
    QVERIFY(has_part(two.scan.notes, "pixel_size states 0.006 mm, "));
    QVERIFY(has_part(two.scan.notes, "pixel_size_x states 0.005 mm, which was taken"));
  }

  void fieldsThatAgreeAreNotNoted() {
    QVERIFY(says_nothing(imported({{pixel_size_x, 5, "um"}, {pixel_size, 0.005, "mm"}})));
    QVERIFY(says_nothing(imported({{pixel_size_x, 5, "um"}, {resolution, 5.01, "um"}})));
  }

  void aSizeWithoutAUnitIsLeftOutByName() {
    const ImportedScan scan = imported({{pixel_size, 3.5}});
    QVERIFY(!scan.scan.lengths_are_known);
    QVERIFY(has_part(scan.scan.notes, "/detector/pixel_size, 3.5, has no unit of length"));
  }

  void theSizeOfTheUserIsNotQuestioned() {
    const ImportedScan scan = imported({{pixel_size, 6.9, "um"}, {resolution, 2, "um"}}, 0.5);
    expect_cell(scan, 0.5, 0.5);
    QVERIFY(says_nothing(scan));
  }

  /// A resolution at the object is no size of the cells on which a diverging beam falls.
  void aDivergingBeamFallsOnTheDetector() {
    const ImportedScan scan = imported({{pixel_size, 50, "um"},
                                        {resolution, 25, "um"},
                                        {"/measurement/instrument/source/distance", -1, "m"},
                                        {"/measurement/instrument/detector/distance", 1, "m"}});
    QCOMPARE(scan.scan.geometry->spec().source_to_detector_mm, 2000.0);
    expect_cell(scan, 0.05, 0.05);
  }

  /// The entry of an NXtomo lies in another file, and its units are texts there.
  void unitsBehindALinkToAnotherFile_data() {
    QTest::addColumn<bool>("is_variable_length");
    QTest::newRow("texts of one length") << false;
    QTest::newRow("texts of any length") << true;
  }
  void unitsBehindALinkToAnotherFile() {
    QFETCH(bool, is_variable_length);
    const auto path = [&](const char* name) {
      return folder_.filePath(QLatin1String(name)).toStdString();
    };
    {
      const Hdf5Writer file(path("entry.nxs")), master(path("master.nxs"));
      const auto add = [&](const char* name, const std::vector<double>& values, const char* unit) {
        file.add(name, {values.size()}, values, unit, is_variable_length);
      };
      file.add("/entry/detector/data", size_of(7), joined_frames(projections(7)));
      file.add("/entry/detector/image_key", {7}, std::vector<double>(7));
      add("/entry/sample/rotation_angle", {0, 1, 2, 3, 4, 5, 6}, "rad");
      add("/entry/detector/x_pixel_size", {50}, "um");
      add("/entry/source/distance", {-0.2}, "m");
      add("/entry/detector/distance", {0.3}, "m");
      file.add_attribute("/entry/detector", "depth", std::vector{4.0});
      master.link("/entry", "entry.nxs", "/entry");
    }
    const Hdf5File master(path("master.nxs"));
    QVERIFY(master.has_attribute("/entry/detector", "depth"));
    QVERIFY(!master.has_attribute("/entry/detector", "width"));
    QCOMPARE(master.number_attribute("/entry/detector", "depth"), std::optional(4.0));
    QCOMPARE(master.number_attribute("/entry/detector", "width"), std::optional<double>());
    ImportRequest request;
    request.path = path("master.nxs");
    request.centre = 4;
    request.normalise.are_line_integrals = true;
    const ImportedScan scan = import_scan(request);
    expect_cell(scan, 0.05, 0.05);
    QCOMPARE(scan.scan.geometry->spec().source_to_isocenter_mm, 200.0);
    QCOMPARE(scan.scan.geometry->spec().source_to_detector_mm, 500.0);
    EXPECT_NEAR(scan.scan.geometry->spec().view_angles_rad[6], 6.0, 1e-9);
    QVERIFY(!is_assumed(scan, "unit of the angles", "radians"));
  }
};

GANTRY_TEST(TestHdf5Lengths)
#include "test_hdf5_lengths.moc"
