// Vectors and matrices in files whose names do not tell which they are, with decimal commas, and
// the vectors of arc detectors that Gantry exports.
#include "core/base/error.hpp"
#include "core/io/exports/export_format.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/core/io/known_poses.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <span>

using namespace gantry;
using namespace gantry::test;

class TestPlainTable : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  static constexpr double cell_mm = 0.4;
  static constexpr KnownDetector detector{known_columns, known_rows, cell_mm};

  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  static View view(int index) { return KnownPose(index).view(cell_mm, cell_mm); }
  /// The numbers of a view as vectors of ASTRA.
  static std::vector<double> vectors(int index) {
    std::vector<double> all;
    const View pose = view(index);
    for (const Vec3& v : {pose.source_mm, pose.detector_mm, pose.u_mm, pose.v_mm})
      all.insert(all.end(), {v.x, v.y, v.z});
    return all;
  }
  /// The matrix of a view: of a point p, (column w, row w, w) with w its distance from the source
  /// along the normal.
  static std::vector<double> matrix(int index) {
    const KnownPose pose(index);
    const View of_cells = view(index);
    const Vec3 away = of_cells.detector_mm - of_cells.source_mm;
    const double distance = pose.distance_mm, f = distance / cell_mm,
                 column = 0.5 * (known_columns - 1) - dot(away, pose.u) / cell_mm,
                 row = 0.5 * (known_rows - 1) - dot(away, pose.v) / cell_mm;
    std::vector<double> all;
    for (const Vec3& line :
         {f * pose.u + column * pose.normal, f * pose.v + row * pose.normal, pose.normal})
      all.insert(all.end(), {line.x, line.y, line.z, -dot(line, of_cells.source_mm)});
    return all;
  }
  static std::vector<double> all_of(std::vector<double> (*numbers)(int)) {
    std::vector<double> all;
    for (int i = 0; i < known_views; ++i) {
      const std::vector<double> one = numbers(i);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  static QByteArray text(const std::vector<double>& numbers, std::size_t in_a_line,
                         const char* between = " ") {
    QByteArray text;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      text += number(numbers[i]) + ((i + 1) % in_a_line == 0 ? "\n" : between);
    return text;
  }
  static QByteArray exported(const ScanGeometry& geometry) {
    const ScanToExport scan{geometry, VolumeGrid::centered(8, 8, 8, {1, 1, 1}), "arc", "an arc",
                            "a test"};
    return QByteArray::fromStdString(export_formats().at("astra").write(scan)[1].text);
  }
  static void expect_known(const ScanSpec& spec) {
    QCOMPARE(static_cast<int>(spec.poses.size()), known_views);
    for (int i = 0; i < known_views; ++i)
      expect_view(spec.poses[static_cast<std::size_t>(i)], view(i));
  }

 private slots:
  void numbersTellWhatTheyAre_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("assumed");
    const std::vector<double> vectors_all = all_of(vectors), matrices = all_of(matrix);
    const auto array = [](const std::vector<double>& numbers, const char* shape) {
      return npy("<f8", shape, little_endian(std::span(numbers)));
    };
    const QString of_vectors = QStringLiteral("vectors of ASTRA, cone_vec"),
                  of_matrices = QStringLiteral("projection matrices");
    QTest::newRow("vectors") << "v.npy" << array(vectors_all, "(7, 12)") << of_vectors;
    QTest::newRow("vectors by name") << "v.cone_vec.npy" << array(vectors_all, "(7, 12)") << "";
    QTest::newRow("matrices") << "m.npy" << array(matrices, "(7, 3, 4)") << "";
    QTest::newRow("rows of matrices") << "m.npy" << array(matrices, "(7, 12)") << of_matrices;
    QTest::newRow("matrices by name") << "m.matrices.npy" << array(matrices, "(7, 12)") << "";
    QTest::newRow("text of vectors") << "v.txt" << text(vectors_all, 12) << of_vectors;
    QTest::newRow("text of matrices") << "m.txt" << text(matrices, 12) << of_matrices;
    QTest::newRow("lines of matrices") << "m.txt" << text(matrices, 4) << of_matrices;
    std::vector<double> leaning = vectors_all;  // columns 6 degrees from right angles to rows
    for (std::size_t i = 0; i < leaning.size(); i += 12)
      for (std::size_t k = 6; k < 9; ++k) leaning[i + k] += 0.1 * leaning[i + k + 3];
    QTest::newRow("leaning vectors") << "w.txt" << text(leaning, 12) << of_vectors;
    QTest::newRow("decimal commas")
        << "v.cone_vec.txt" << text(vectors_all, 12, ";").replace('.', ',') << "";
    QTest::newRow("decimal commas and tabs")
        << "v.cone_vec.txt" << text(vectors_all, 12, "\t").replace('.', ',') << "";
  }
  void numbersTellWhatTheyAre() {
    QFETCH(const QString, name);
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, assumed);
    const std::string file = path(qPrintable(name));
    write_file(file, bytes);
    const StatedGeometry stated = read_stated_geometry(file, detector);
    if (name.startsWith('w'))
      QVERIFY(norm(stated.spec.poses[0].source_mm - view(0).source_mm) < 1e-9);
    else
      expect_known(stated.spec);
    const bool is_assumed = std::ranges::any_of(stated.assumptions, [&](const Assumption& one) {
      return one.what == "numbers of the geometry" && one.value == assumed.toStdString();
    });
    QCOMPARE(is_assumed, !assumed.isEmpty());
  }

  void fansAreKnownByTheirSixNumbers() {
    write_file(path("fan.txt"),
               "# DetectorColCount = 40\n0 -200 0 100 0.5 0\n200 0 -100 0 0 0.5\n");
    const ScanSpec spec = read_geometry(path("fan.txt"));
    QVERIFY(spec.beam == Beam::fan);
    QCOMPARE(spec.source_to_isocenter_mm, 200.0);
  }

  void whatIsNoGeometryIsNamed() {
    const auto refused = [&](const char* name, const QByteArray& bytes, const char* message) {
      write_file(path(name), bytes);
      EXPECT_THROWS(InputError, read_stated_geometry(path(name), detector), message);
    };
    refused("a.npy", npy("<f8", "(2, 5)", QByteArray(80, 1)),
            "is of 2 x 5 numbers; give a row of 12");
    refused("b.npy", npy("<f8", "(1, 12)", QByteArray(96, 0)),
            "which may be vectors of ASTRA or matrices; name it");
    refused("c.txt", "0 1 2\n", "line 1: has 3 numbers; give 12");
    refused("d.cone_vec.txt", "1,5 2,5 3 4 5 6 7 8 9 10 11\n", "line 1: has 13 numbers");
  }

  void arcsAreExportedAndImported_data() {
    QTest::addColumn<double>("feed_mm");
    QTest::newRow("circle") << 0.0;
    QTest::newRow("helix") << 12.5;
  }
  void arcsAreExportedAndImported() {
    QFETCH(const double, feed_mm);
    ScanSpec spec;
    spec.beam = Beam::cone;
    spec.detector = DetectorShape::arc;
    spec.source_to_isocenter_mm = 500;
    spec.source_to_detector_mm = 800;
    spec.detector_columns = 48;
    spec.detector_rows = 40;
    spec.column_pitch_mm = 8;
    spec.row_pitch_mm = 9;
    spec.central_column = 20.25;
    spec.central_row = 21;
    spec.helical_feed_mm_per_turn = feed_mm;
    if (feed_mm != 0) spec.trajectory = Trajectory::helical;
    spec.view_angles_rad = angles_from_degrees(feed_mm != 0 ? 730 : 10, 40, 20);
    const ScanGeometry geometry(spec);
    const std::string file = path("arc.cyl_cone_vec.txt");
    write_file(file, exported(geometry));
    const StatedGeometry stated = read_stated_geometry(file, {});
    QVERIFY(stated.spec.detector == DetectorShape::arc);
    QCOMPARE(stated.spec.trajectory == Trajectory::helical, feed_mm != 0);
    const ScanGeometry read(stated.spec);
    QCOMPARE(read.views(), 20);
    for (int view = 0; view < 20; ++view)
      for (const double column : {0.0, 30.5, 47.0}) {
        const Ray one = geometry.ray(view, column, 3), other = read.ray(view, column, 3);
        QVERIFY(norm(one.origin_mm - other.origin_mm) < 1e-6);
        QVERIFY(norm(one.direction - other.direction) < 1e-9);
      }
    QByteArray tilted = exported(geometry);
    tilted.replace(" 9 800\n", " 9 700\n");
    write_file(file, tilted);
    EXPECT_THROWS(InputError, read_stated_geometry(file, {}),
                  "has a cylindrical detector that is not about the source in view 1");
  }
};

GANTRY_TEST(TestPlainTable)
#include "test_plain_table.moc"
