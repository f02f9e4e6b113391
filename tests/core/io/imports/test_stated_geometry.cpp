// What a request says of the geometry takes the place of what files state, and is said; geometries
// of other programs are completed by the projections.
#include "core/base/error.hpp"
#include "core/io/imports/import_geometry.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/known_poses.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Frames whose values nobody reads.
class NoFrames final : public FrameSource {
 public:
  int frames() const override { return 4; }
  int rows() const override { return 6; }
  int columns() const override { return 9; }
  void read(int, std::span<float>) const override {}
  std::string name(int) const override { return "none"; }
};

RawScan stated_scan() {
  RawScan raw;
  raw.projections = std::make_shared<const NoFrames>();
  raw.angles_deg = {0, 90, 180, 270};
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.source_to_isocenter_mm = 100;
  spec.source_to_detector_mm = 300;
  spec.detector_columns = 9;
  spec.detector_rows = 6;
  spec.column_pitch_mm = 0.5;
  spec.row_pitch_mm = 0.4;
  spec.central_column = 4.25;
  spec.central_row = 2;
  raw.geometry = spec;
  return raw;
}

}  // namespace

class TestStatedGeometry : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  /// Writes a folder of frames, and poses as a geometry of ASTRA.
  ImportRequest request_with(const std::vector<View>& poses) const {
    ImportRequest request;
    request.path = folder_.filePath("scan").toStdString();
    request.geometry = folder_.filePath("g.cone_vec.txt").toStdString();
    if (!QDir().mkpath(QString::fromStdString(request.path))) qFatal("cannot make a folder");
    const auto write = [&](const std::string& name, const Page& page) {
      write_pages(request.path + "/" + name, {page}, CountedFrames::columns);
    };
    write("flat_1.tif", CountedFrames::flat_frame(0));
    write("dark_1.tif", CountedFrames::dark_frame(0));
    QByteArray table;
    for (std::size_t view = 0; view < poses.size(); ++view) {
      write("p_" + std::to_string(view) + ".tif",
            CountedFrames::projection(static_cast<int>(view)));
      const View& pose = poses[view];
      for (const Vec3& vector : {pose.source_mm, pose.detector_mm, pose.u_mm, pose.v_mm})
        table += numbers(vector) + ' ';
      table += '\n';
    }
    write_file(request.geometry, table);
    return request;
  }

  /// Writes a geometry of RTK with so many views, 90 degrees apart, and returns its path.
  std::string written_rtk(int views) const {
    QByteArray text =
        "<RTKThreeDCircularGeometry version=\"3\"><SourceToIsocenterDistance>100"
        "</SourceToIsocenterDistance><SourceToDetectorDistance>300</SourceToDetectorDistance>";
    for (int i = 0; i < views; ++i)
      text +=
          "<Projection><GantryAngle>" + QByteArray::number(90 * i) + "</GantryAngle></Projection>";
    const std::string path = folder_.filePath("g.xml").toStdString();
    write_file(path, text + "</RTKThreeDCircularGeometry>");
    return path;
  }

 private slots:
  void whatFilesStateIsTaken() {
    const ImportGeometry taken = geometry_of_import({}, stated_scan());
    QVERIFY(taken.stated.notes.empty() && taken.stated.assumptions.empty());
    QVERIFY(!taken.is_centre_open);
    const ScanSpec& spec = taken.stated.spec;
    QCOMPARE(spec.source_to_detector_mm, 300.0);
    QCOMPARE(spec.column_pitch_mm, 0.5);
    QCOMPARE(spec.row_pitch_mm, 0.4);
    QCOMPARE(spec.central_column, 4.25);
    EXPECT_NEAR(spec.view_angles_rad[3], 1.5 * std::acos(-1.0), 1e-12);
  }

  void aRequestTakesItsPlace() {
    ImportRequest request;
    request.pixel_mm = 0.25;
    request.source_to_axis_mm = 120;
    request.source_to_detector_mm = 360;
    request.centre = 3.5;
    request.arc_deg = 90;
    const ImportGeometry taken = geometry_of_import(request, stated_scan());
    const ScanSpec& spec = taken.stated.spec;
    QCOMPARE(spec.column_pitch_mm, 0.25);
    QCOMPARE(spec.row_pitch_mm, 0.25);
    QCOMPARE(spec.source_to_isocenter_mm, 120.0);
    QCOMPARE(spec.source_to_detector_mm, 360.0);
    QCOMPARE(spec.central_column, 3.5);
    QCOMPARE(taken.stated.notes,
             (std::vector<std::string>{
                 "the arc that was given took the place of the angles that the files state",
                 "the size of a cell that was given, 0.25 mm, took the place of 0.5 x 0.4 mm, "
                 "which the files state",
                 "the distance from source to axis that was given, 120 mm, took the place of 100 "
                 "mm, which the files state",
                 "the distance from source to detector that was given, 360 mm, took the place of "
                 "300 mm, which the files state",
                 "the column of the axis that was given, 3.5, took the place of 4.25, which the "
                 "files state"}));
  }

  /// Distances in mm say nothing of a cone as long as the size of a cell is not known.
  void aConeNeedsTheSizeOfACell() {
    RawScan raw = stated_scan();
    raw.geometry.reset();
    ImportRequest request;
    request.source_to_axis_mm = 120;
    request.source_to_detector_mm = 360;
    EXPECT_THROWS(UsageError, geometry_of_import(request, raw),
                  "but not the size of a cell; give the distance of detector cells (--pixel)");
    EXPECT_THROWS(
        UsageError,
        [&] {
          RawScan of_files = raw;
          of_files.source_to_axis_mm = 120;
          of_files.source_to_detector_mm = 360;
          return geometry_of_import({}, of_files);
        }(),
        "but not the size of a cell");
    raw.pixel_mm = 0.2;
    QCOMPARE(geometry_of_import(request, raw).stated.spec.column_pitch_mm, 0.2);
    QVERIFY(geometry_of_import({}, raw).stated.spec.beam == Beam::parallel);
  }

  /// Of a cone, what no distance and no list of angles tells is listed.
  void whatIsAssumedOfAConeIsListed() {
    RawScan raw = stated_scan();
    raw.geometry.reset();
    ImportRequest request;
    request.pixel_mm = 0.2;
    const auto assumed = [&](const std::string& what) {
      for (const Assumption& one : geometry_of_import(request, raw).stated.assumptions)
        if (one.what == what) return one.value;
      return std::string();
    };
    QCOMPARE(assumed("sense of rotation"), std::string());
    request.source_to_axis_mm = 120;
    request.source_to_detector_mm = 360;
    QCOMPARE(assumed("sense of rotation"),
             std::string("the source goes counter-clockwise as seen from above by rising angles"));
    QCOMPARE(assumed("central row"), std::string("row 2.5, the middle"));
  }

  void aGeometryOfAnotherSizeIsRefused() {
    RawScan raw = stated_scan();
    raw.geometry->detector_columns = 10;
    EXPECT_THROWS(InputError, geometry_of_import({}, raw), "is of 4 views of 10 x 6 cells");
    raw = stated_scan();
    raw.angles_deg.pop_back();
    EXPECT_THROWS(InputError, geometry_of_import({}, raw), "is of 3 views of 9 x 6 cells");
  }

  /// RTK's geometry knows neither cells nor their size: the projections and the user do.
  void aGeometryFileIsCompleted() {
    ImportRequest request;
    request.geometry = written_rtk(4);
    RawScan raw = stated_scan();
    raw.geometry.reset();
    EXPECT_THROWS(InputError, geometry_of_import(request, raw), "give the size of a cell");
    raw.pixel_mm = 0.25;  // as an image may state it
    QCOMPARE(geometry_of_import(request, raw).stated.spec.column_pitch_mm, 0.25);
    QCOMPARE(geometry_of_import(request, stated_scan()).stated.spec.column_pitch_mm, 0.5);
    request.pixel_mm = 0.5;
    const ImportGeometry taken = geometry_of_import(request, stated_scan());
    const ScanSpec& spec = taken.stated.spec;
    QCOMPARE(spec.detector_columns, 9);
    QVERIFY(spec.trajectory == Trajectory::circular && spec.beam == Beam::cone);
    const View second = ScanGeometry(spec).view(1);
    EXPECT_NEAR(norm(second.source_mm - Vec3{100, 0, 0}), 0, 1e-9);
    QVERIFY(!taken.stated.assumptions.empty());
    QCOMPARE(taken.stated.notes.size(), std::size_t{1});
    QVERIFY(taken.stated.notes[0].find("took the place of the one that the files state") !=
            std::string::npos);
  }

  /// A view more than there are projections is left out: that of the number which is missing, else
  /// the last one, which often closes the turn. Other counts are refused.
  void aViewWithoutProjectionIsLeftOut() {
    ImportRequest request;
    request.geometry = written_rtk(5);
    request.pixel_mm = 0.5;
    const auto quarters_of = [&](const std::vector<int>& positions, int first_number,
                                 const std::string& said) {
      RawScan raw = stated_scan();
      raw.geometry.reset();
      raw.positions = positions;
      raw.first_number = first_number;
      const StatedGeometry stated = geometry_of_import(request, raw).stated;
      const auto found =
          std::ranges::find(stated.assumptions, "views of the geometry", &Assumption::what);
      if (found == stated.assumptions.end() || found->value != said) return std::vector<int>{};
      std::vector<int> quarters;
      for (const double angle : stated.spec.view_angles_rad)
        quarters.push_back(static_cast<int>(std::lround(angle / radians(90))));
      return quarters;
    };
    using Views = std::vector<int>;
    const std::string last = "the first 4, without the last",
                      numbers = "by the numbers of the files";
    QCOMPARE(quarters_of({}, 0, last), (Views{0, 1, 2, 3}));
    QCOMPARE(quarters_of({0, 1, 2, 3}, 0, last), (Views{0, 1, 2, 3}));
    QCOMPARE(quarters_of({0, 1, 2, 3}, 1, last), (Views{0, 1, 2, 3}));
    QCOMPARE(quarters_of({0, 5, 10, 15}, 2, last), (Views{0, 1, 2, 3}));
    QCOMPARE(quarters_of({0, 1, 2, 3}, 2, numbers), (Views{1, 2, 3, 4}));
    QCOMPARE(quarters_of({0, 1, 3, 4}, 0, numbers), (Views{0, 1, 3, 4}));
    QCOMPARE(quarters_of({1, 2, 3, 4}, 0, numbers), (Views{1, 2, 3, 4}));
    QCOMPARE(quarters_of({0, 5, 15, 20}, 0, numbers), (Views{0, 1, 3, 4}));
    EXPECT_THROWS(InputError, quarters_of({0, 1, 4, 5}, 0, {}),
                  "g.xml: is of 5 views of 9 x 6 cells, the projections are 4 of 9 x 6");
    const auto said = geometry_of_import(request, stated_scan()).stated.assumptions;
    QVERIFY(std::ranges::any_of(said, [](const Assumption& one) {
      return one.why.find(
                 "states 5 views for 4 projections; if another image than the last is "
                 "missing, give a geometry without the view of that one (--geometry)") !=
             std::string::npos;
    }));
    for (const int views : {3, 6}) {
      request.geometry = written_rtk(views);
      EXPECT_THROWS(InputError, quarters_of({}, 0, {}),
                    "g.xml: is of " + std::to_string(views) + " views of 9 x 6 cells");
    }
  }

  /// It is no scan without projections.
  void aGeometryAloneIsRefused() {
    ImportRequest request;
    request.path = folder_.filePath("alone.xml").toStdString();
    write_file(request.path,
               "<?xml version=\"1.0\"?>\n<RTKThreeDCircularGeometry version=\"3\"/>\n");
    EXPECT_THROWS(InputError, import_scan(request),
                  "no projections; name the file or folder of the projections first, and give this "
                  "file as their geometry (--geometry)");
    QVERIFY(QDir().mkpath(folder_.filePath("alone")));
    std::filesystem::rename(request.path, folder_.filePath("alone/g.xml").toStdString());
    request.path = folder_.filePath("alone").toStdString();
    EXPECT_THROWS(InputError, import_scan(request),
                  "alone: holds a geometry (RTK geometry), but no projections; name the file or "
                  "folder of the projections first, and give g.xml as their geometry (--geometry)");
  }

  /// The rows of a geometry of another program are those of the images, from the first on.
  void aGeometryFileCountsRowsAsTheImagesDo() {
    std::vector<View> poses;
    for (int view = 0; view < 3; ++view) poses.push_back(KnownPose(view).view(0.5, 0.4));
    const ImportedScan imported = import_scan(request_with(poses));
    std::size_t ray = 0;
    for (int view = 0; view < 3; ++view) {
      expect_vector(imported.scan.geometry->spec().poses[static_cast<std::size_t>(view)].v_mm,
                    KnownPose(view).view(0.5, 0.4).v_mm);
      for (int row = 0; row < CountedFrames::rows; ++row)
        for (int column = 0; column < CountedFrames::columns; ++column)
          EXPECT_NEAR(imported.scan.line_integrals[ray++],
                      CountedFrames::line_integral(view, row, column), 1e-5);
    }
    QVERIFY(is_assumed(imported, "rows of the geometry", "those of the images, from the first on"));
  }

  /// Poses on a circle whose rows run downwards, as those of images mostly do, become a circle of
  /// rows that rise, and the images are turned over as always.
  void posesOnACircleBecomeOne() {
    std::vector<View> poses;
    for (const double angle : {0.0, 0.5, 1.0}) {
      const Vec3 u{std::cos(angle), std::sin(angle), 0}, back{std::sin(angle), -std::cos(angle), 0};
      const Vec3 raised{0, 0, 0.2};  // the uppermost of the 6 rows is 2 above the central ray
      poses.push_back({100.0 * back, -200.0 * back - raised, 0.5 * u, {0, 0, -0.4}});
    }
    const ImportedScan imported = import_scan(request_with(poses));
    const ScanSpec& spec = imported.scan.geometry->spec();
    QVERIFY(spec.trajectory == Trajectory::circular && spec.beam == Beam::cone);
    QCOMPARE(spec.source_to_isocenter_mm, 100.0);
    QCOMPARE(spec.source_to_detector_mm, 300.0);
    EXPECT_NEAR(spec.central_row, 3, 1e-9);
    EXPECT_NEAR(spec.row_pitch_mm, 0.4, 1e-9);
    expect_line_integrals(imported, {0, 1, 2});
    QVERIFY(
        !is_assumed(imported, "rows of the geometry", "those of the images, from the first on"));
  }
};

GANTRY_TEST(TestStatedGeometry)
#include "test_stated_geometry.moc"
