// Vectors and matrices in files whose names do not tell which they are, with decimal commas, and
// the vectors of arc detectors that Gantry exports.
#include "core/base/error.hpp"
#include "core/io/exports/export_format.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/core/io/known_tables.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
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
    const std::vector<double> vectors_all = numbers_of_views(
                                  known_views, [](int i) { return vectors_of(view(i)); }),
                              matrices = numbers_of_views(known_views, [](int i) {
                                return known_matrix(i, cell_mm, known_columns, known_rows);
                              });
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
    QTest::newRow("text of vectors") << "v.txt" << table_text(vectors_all, 12) << of_vectors;
    QTest::newRow("text of matrices") << "m.txt" << table_text(matrices, 12) << of_matrices;
    QTest::newRow("lines of matrices") << "m.txt" << table_text(matrices, 4) << of_matrices;
    std::vector<double> leaning = vectors_all;  // columns 6 degrees from right angles to rows
    for (std::size_t i = 0; i < leaning.size(); i += 12)
      for (std::size_t k = 6; k < 9; ++k) leaning[i + k] += 0.1 * leaning[i + k + 3];
    QTest::newRow("leaning vectors") << "w.txt" << table_text(leaning, 12) << of_vectors;
    QTest::newRow("matrices behind commas")
        << "m.csv" << table_text(matrices, 12, ",") << of_matrices;
    QTest::newRow("decimal commas")
        << "v.cone_vec.txt" << table_text(vectors_all, 12, ";").replace('.', ',') << "";
    QTest::newRow("decimal commas and tabs")
        << "v.cone_vec.txt" << table_text(vectors_all, 12, "\t").replace('.', ',') << "";
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

  /// Parallel rays, of length 1 in ASTRA's vectors, onto a detector at the origin or behind it are
  /// no rays from a source 1 mm away, as long as the name does not speak of a cone.
  void parallelRaysAreKnownByTheirLength_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("length");
    QTest::addColumn<double>("detector_mm");
    QTest::addColumn<bool>("is_parallel");
    QTest::newRow("detector at the origin") << "v.txt" << 1.0 << 0.0 << true;
    QTest::newRow("detector behind it") << "v.txt" << 1.0 << 80.0 << true;
    QTest::newRow("called a cone") << "cone.txt" << 1.0 << 0.0 << false;
    QTest::newRow("source before the origin") << "v.txt" << 1.0 << -80.0 << false;
    QTest::newRow("source far away") << "v.txt" << 50.0 << 0.0 << false;
  }
  void parallelRaysAreKnownByTheirLength() {
    QFETCH(const QString, name);
    QFETCH(const double, length);
    QFETCH(const double, detector_mm);
    QFETCH(const bool, is_parallel);
    const auto numbers = numbers_of_views(4, [=](int i) {
      const double t = 0.3 * i;
      const Vec3 ray{std::sin(t), -std::cos(t), 0};
      return vectors_of({length * ray,
                         detector_mm * ray,
                         {0.1 * std::cos(t), 0.1 * std::sin(t), 0},
                         {0, 0, 0.1}});
    });
    write_file(path(qPrintable(name)), table_text(numbers, 12));
    const StatedGeometry stated = read_stated_geometry(path(qPrintable(name)), detector);
    QCOMPARE(stated.spec.beam == Beam::parallel, is_parallel);
    QVERIFY(std::ranges::any_of(stated.assumptions, [&](const Assumption& one) {
      return one.value ==
             (is_parallel ? "vectors of ASTRA, parallel3d_vec" : "vectors of ASTRA, cone_vec");
    }));
    if (is_parallel)
      EXPECT_NEAR(stated.spec.view_angles_rad[1] - stated.spec.view_angles_rad[0], 0.3, 1e-9);
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
            "which make no sense as vectors of ASTRA or as matrices; name it");
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
