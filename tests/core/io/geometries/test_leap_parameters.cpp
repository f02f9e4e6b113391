// LEAP's text of parameters against the rays that LEAP makes of its numbers, by the formulas of its
// documentation, and against the export to LEAP.
#include "core/base/error.hpp"
#include "core/io/exports/export_format.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/known_poses.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestLeapParameters : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string path() const { return folder_.filePath(QStringLiteral("p.txt")).toStdString(); }
  /// Reads the text that LEAP writes of a geometry; `lines`: what it holds besides the detector.
  StatedGeometry read(const QByteArray& lines, int views = 6) const {
    write_file(path(),
               "# CT volume parameters\nnumX = 40\nnumY = 40\nnumZ = 30\nvoxelWidth = "
               "5.000000e-01\nvoxelHeight = 5.000000e-01\noffsetX = 0.000000e+00\n\n# CT geometry "
               "parameters\n" +
                   lines.left(lines.indexOf('\n') + 1) +
                   "numAngles = " + QByteArray::number(views) +
                   "\nnumRows = 30\nnumCols = 40\npixelHeight = 2.500000e+00\npixelWidth = "
                   "2.000000e+00\n" +
                   lines.mid(lines.indexOf('\n') + 1));
    return read_stated_geometry(path(), {});
  }
  /// Checks the ray of LEAP's view at phi (radians): the source at sod, `tau` beside the axis,
  /// `height` above it, and the cell on the flat detector.
  static void expect_ray(const StatedGeometry& stated, int view, double phi, double tau = 0,
                         double height = 0) {
    const ScanGeometry geometry(stated.spec);
    const Vec3 theta{std::sin(phi), -std::cos(phi), 0}, across{std::cos(phi), std::sin(phi), 0},
        up{0, 0, 1}, source = 200.0 * theta - tau * across + height * up;
    const int column = 31, row = 4;
    const Vec3 cell =
        source - 300.0 * theta + (2 * (column - 18.25)) * across + (2.5 * (row - 13.5)) * up;
    const Ray ray = geometry.ray(view, column, row);
    expect_vector(ray.origin_mm, source);
    expect_vector(ray.direction, normalized(cell - source));
  }
  /// Returns the table that the export to LEAP writes beside its script.
  static QByteArray exported(const ScanGeometry& geometry) {
    for (const ExportedText& text : export_formats().at("leap").write(
             {geometry, VolumeGrid::centered(8, 8, 8, {1, 1, 1}), "a", {}, "Gantry"}))
      if (text.name.ends_with("_leap.txt")) return QByteArray::fromStdString(text.text);
    return {};
  }
  static constexpr const char* centre = "centerRow = 13.5\ncenterCol = 18.25\n";
  static constexpr const char* distances = "sod = 200\nsdd = 300\n";

 private slots:
  void coneOfEvenAngles() {
    const StatedGeometry stated =
        read(QByteArray("geometry = cone\n") + centre + "angularRange = 360\n" + distances +
             "tau = 0\nhelicalPitch = 0\n");
    QVERIFY(stated.spec.trajectory == Trajectory::circular && stated.spec.beam == Beam::cone);
    QCOMPARE(stated.spec.detector_columns, 40);
    QCOMPARE(stated.spec.detector_rows, 30);
    for (const int view : {0, 1, 5}) expect_ray(stated, view, radians(60.0 * view));
    QCOMPARE(stated.assumptions.front().what, std::string("first angle"));
  }

  void listedAnglesAndTau() {
    const StatedGeometry stated = read(QByteArray("geometry = cone\n") + centre +
                                           "phis =  1.000000e+01, 2.500000e+01, -70\n" + distances +
                                           "tau = 3.5\nhelicalPitch = 0\n",
                                       3);
    expect_ray(stated, 0, radians(10), 3.5);
    expect_ray(stated, 2, radians(-70), 3.5);
  }

  /// LEAP's height is 0 midway between the first and the last angle, which a note says.
  void helix() {
    const StatedGeometry stated =
        read(QByteArray("geometry = cone\n") + centre + "phis = 0, 90, 180, 270, 360, 450\n" +
             distances + "helicalPitch = 4\n");
    QVERIFY(stated.spec.trajectory == Trajectory::helical);
    for (const int view : {0, 3, 5})
      expect_ray(stated, view, radians(90.0 * view), 0, 4 * radians(90.0 * view));
    QCOMPARE(stated.notes.size(), std::size_t{1});
    QVERIFY(stated.notes[0].find(" 15.708 mm high here") != std::string::npos);
  }

  void otherBeams() {
    const StatedGeometry parallel =
        read(QByteArray("geometry = parallel\n") + centre + "angularRange = 180\n");
    QVERIFY(parallel.spec.beam == Beam::parallel);
    EXPECT_NEAR(parallel.spec.central_row, 13.5, 0);
    EXPECT_NEAR(degrees(parallel.spec.view_angles_rad[1]), 30, 1e-12);
    QVERIFY(read(QByteArray("geometry = fan\n") + centre + "angularRange = 360\n" + distances)
                .spec.beam == Beam::fan);
    const StatedGeometry arc = read(QByteArray("geometry = cone\ndetectorType = curved\n") +
                                    centre + "angularRange = 360\n" + distances);
    QVERIFY(arc.spec.detector == DetectorShape::arc);
  }

  /// A circle: the angles of its table and the numbers of its script.
  void circleOfTheExport() {
    ScanSpec spec;
    spec.beam = Beam::cone;
    spec.source_to_isocenter_mm = 200;
    spec.source_to_detector_mm = 300;
    spec.detector_columns = 40;
    spec.detector_rows = 30;
    spec.column_pitch_mm = 2;
    spec.row_pitch_mm = 2.5;
    spec.central_column = 18.25;
    spec.central_row = 13.5;
    spec.view_angles_rad = {0.2, 0.5, 1.4};
    QByteArray phis;
    for (const QByteArray& line : exported(ScanGeometry(spec)).split('\n'))
      if (!line.startsWith('#') && !line.isEmpty())
        phis += (phis.isEmpty() ? "phis = " : ", ") + line;
    const StatedGeometry stated =
        read(QByteArray("geometry = cone\n") + centre + phis + "\n" + distances, 3);
    QCOMPARE(stated.spec.view_angles_rad.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i)
      expect_ray(stated, static_cast<int>(i), spec.view_angles_rad[i]);
  }

  /// The numbers of a modular beam are those that the export to LEAP writes.
  void modularBeamOfTheExport() {
    ScanSpec spec;
    spec.beam = Beam::cone;
    spec.trajectory = Trajectory::poses;
    spec.detector_columns = known_columns;
    spec.detector_rows = known_rows;
    spec.central_column = 0.5 * (known_columns - 1);
    spec.central_row = 0.5 * (known_rows - 1);
    for (int i = 0; i < known_views; ++i) spec.poses.push_back(KnownPose(i).view(2, 2.5));
    const QByteArray table = exported(ScanGeometry(spec));
    std::array<QByteArray, 4> lists;  // sources, centres, rows, columns
    for (const QByteArray& line : table.split('\n')) {
      const QList<QByteArray> words = line.simplified().split(' ');
      if (line.startsWith('#') || words.size() != 12) continue;
      for (std::size_t i = 0; i < 12; ++i)
        lists[i / 3] += (lists[i / 3].isEmpty() ? "" : ", ") + words[static_cast<qsizetype>(i)];
    }
    const StatedGeometry stated =
        read("geometry = modular\nsourcePositions = " + lists[0] + "\nmoduleCenters = " + lists[1] +
                 "\nrowVectors = " + lists[2] + "\ncolVectors = " + lists[3] + "\n",
             known_views);
    QCOMPARE(stated.spec.poses.size(), std::size_t{known_views});
    for (std::size_t i = 0; i < stated.spec.poses.size(); ++i)
      expect_view(stated.spec.poses[i], spec.poses[i]);
  }

  void whatNoScanIsIsRefused() {
    const QByteArray rest = QByteArray(centre) + "angularRange = 360\n" + distances;
    EXPECT_THROWS(InputError, read("geometry = cone_parallel\n" + rest),
                  "p.txt: geometry: is \"cone_parallel\"");
    EXPECT_THROWS(InputError, read("geometry = cone\n" + rest + "tiltAngle = 1\n"),
                  "tiltAngle: tilts the detector");
    EXPECT_THROWS(InputError, read("geometry = cone\nphis = 1, 2\n" + rest),
                  "phis: holds 2 numbers");
    EXPECT_THROWS(InputError, read("geometry = fan\n" + rest + "tau = 1\n"), "tau");
    read("geometry = cone\n" + rest);
    read_cut_files(path(), [&] { read_stated_geometry(path(), {}); });
  }
};

GANTRY_TEST(TestLeapParameters)
#include "test_leap_parameters.moc"
