// A scan of known poses, written as ASTRA's vectors, comes back.
#include "core/base/error.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/known_poses.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestAstraGeometry : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  static constexpr double column_mm = 0.4, row_mm = 0.5;
  static constexpr const char* size_lines = "# DetectorColCount = 40\n# DetectorRowCount = 30\n";

  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  static View view(int index) { return KnownPose(index).view(column_mm, row_mm); }
  static QByteArray cone_table(const char* between) {
    QByteArray text;
    for (int i = 0; i < known_views; ++i) {
      const View pose = view(i);
      for (const Vec3& vector : {pose.source_mm, pose.detector_mm, pose.u_mm, pose.v_mm})
        text += (vector == pose.source_mm ? "" : between) + numbers(vector, between);
      text += "\n";
    }
    return text;
  }
  static QByteArray cone_json() {
    return "{\"type\": \"cone_vec\", \"DetectorRowCount\": 30, \"DetectorColCount\": 40, "
           "\"Vectors\": [[" +
           cone_table(", ").trimmed().replace("\n", "],\n[") + "]]}";
  }
  static void expect_cone(const ScanSpec& spec) {
    QVERIFY(spec.beam == Beam::cone && spec.trajectory == Trajectory::poses);
    QCOMPARE(spec.detector_columns, known_columns);
    QCOMPARE(spec.detector_rows, known_rows);
    QCOMPARE(spec.central_column, 19.5);
    QCOMPARE(spec.central_row, 14.5);
    QCOMPARE(static_cast<int>(spec.poses.size()), known_views);
    for (int i = 0; i < known_views; ++i)
      expect_view(spec.poses[static_cast<std::size_t>(i)], view(i));
  }

 private slots:
  void conesInATable() {
    const std::string file = path("scan.cone_vec.txt");
    write_file(file, size_lines + cone_table(" "));
    expect_cone(read_geometry(file));
    write_file(file, cone_table("\t,"));  // the projections know the size
    expect_cone(read_stated_geometry(file, {known_columns, known_rows, 0}).spec);
    EXPECT_THROWS(InputError, read_geometry(file), "does not state the size of the detector");
    EXPECT_THROWS(InputError, read_geometry(file), "# DetectorRowCount = 256");
    write_file(file, size_lines + cone_table(" "));
    expect_cone(read_stated_geometry(file, {41, known_rows, 0}).spec);
    const std::string published = path("scan_geom_corrected.geom");
    write_file(published, cone_table(" "));
    expect_cone(read_stated_geometry(published, {known_columns, known_rows, 0}).spec);
  }

  void conesInJson() {
    const std::string file = path("geometry.json");
    write_file(file, cone_json());
    expect_cone(read_geometry(file));
    write_file(file, cone_json().replace("\"DetectorRowCount\": 30, ", ""));
    EXPECT_THROWS(InputError, read_geometry(file),
                  "give the fields DetectorColCount and DetectorRowCount");
  }

  /// ASTRA's own formulas (astra.geom_2vec) at 0 and 90 degrees, by hand.
  void circularGeometriesInJson_data() {
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<bool>("isParallel");
    QTest::addColumn<int>("rows");
    QTest::addColumn<double>("rowPitch");
    QTest::newRow("cone") << QByteArray(
                                 "\"type\": \"cone\", \"DetectorSpacingX\": 0.4, "
                                 "\"DetectorSpacingY\": 0.5, \"DetectorRowCount\": 30, "
                                 "\"DetectorColCount\": 40, \"DistanceOriginSource\": 100, "
                                 "\"DistanceOriginDetector\": 50")
                          << false << 30 << 0.5;
    QTest::newRow("parallel3d") << QByteArray(
                                       "\"type\": \"parallel3d\", \"DetectorSpacingX\": 0.4, "
                                       "\"DetectorSpacingY\": 0.5, \"DetectorRowCount\": 30, "
                                       "\"DetectorColCount\": 40")
                                << true << 30 << 0.5;
    QTest::newRow("fanflat") << QByteArray(
                                    "\"type\": \"fanflat\", \"DetectorWidth\": 0.4, "
                                    "\"DetectorCount\": 40, \"DistanceOriginSource\": 100, "
                                    "\"DistanceOriginDetector\": 50")
                             << false << 1 << 0.4;
    QTest::newRow("parallel") << QByteArray(
                                     "\"type\": \"parallel\", \"DetectorWidth\": 0.4, "
                                     "\"DetectorCount\": 40")
                              << true << 1 << 0.4;
  }
  void circularGeometriesInJson() {
    QFETCH(QByteArray, fields);
    QFETCH(bool, isParallel);
    QFETCH(int, rows);
    QFETCH(double, rowPitch);
    const std::string file = path("circle.json");
    write_file(file, "{" + fields + ", \"ProjectionAngles\": [0, 1.5707963267948966]}");
    const ScanSpec spec = read_geometry(file);
    QCOMPARE(spec.beam == Beam::parallel, isParallel);
    QCOMPARE(spec.detector_columns, 40);
    QCOMPARE(spec.detector_rows, rows);
    const ScanGeometry geometry(spec);
    QCOMPARE(geometry.views(), 2);
    const Vec3 u[2] = {{0.4, 0, 0}, {0, 0.4, 0}}, towards[2] = {{0, 1, 0}, {-1, 0, 0}};
    for (int view = 0; view < 2; ++view) {
      // The first cell, and the source or, of a parallel beam, another point of its ray.
      const Vec3 middle = (isParallel ? 0 : 50) * towards[view],
                 cell = middle - 19.5 * u[view] - 0.5 * (rows - 1) * Vec3{0, 0, rowPitch},
                 source = isParallel ? cell - 7 * towards[view] : -100 * towards[view];
      const Ray ray = geometry.ray(view, 0, 0);
      for (const Vec3& point : {cell, source}) {
        const Vec3 away = point - ray.origin_mm;
        const double along = dot(away, ray.direction) / dot(ray.direction, ray.direction);
        EXPECT_NEAR(norm(away - along * ray.direction), 0, 1e-9);
      }
    }
    write_file(file, "{" + fields + ", \"ProjectionAngles\": [0, null]}");
    EXPECT_THROWS(InputError, read_geometry(file), "ProjectionAngles");
  }

  /// What no scan has is refused, or said.
  void doubtfulCircles_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("note");
    QTest::newRow("degrees") << QByteArray("[0, 0.5, 1]") << QByteArray("[0, 60, 120]")
                             << "ProjectionAngles, 0 to 120, look like degrees";
    QTest::newRow("turns") << QByteArray("[0, 0.5, 1]") << QByteArray("[0, 6, 12]") << QString();
    QTest::newRow("detector before the axis")
        << QByteArray(": 50") << QByteArray(": -50")
        << "in 3 of 3 views the origin, about which the volume lies, is not between source and "
           "detector, but behind the detector";
    QTest::newRow("detector at the axis") << QByteArray(": 50") << QByteArray(": 0") << QString();
    QTest::newRow("source at the axis")
        << QByteArray(": 100") << QByteArray(": 0") << "DistanceOriginSource: is no distance";
    QTest::newRow("source behind the axis")
        << QByteArray(": 100") << QByteArray(": -100") << "DistanceOriginSource: is no distance";
  }
  void doubtfulCircles() {
    QFETCH(const QByteArray, from);
    QFETCH(const QByteArray, to);
    QFETCH(const QString, note);
    const std::string file = path("doubtful.json");
    QByteArray text =
        "{\"type\": \"cone\", \"DetectorSpacingX\": 0.4, \"DetectorSpacingY\": 0.5, "
        "\"DetectorRowCount\": 30, \"DetectorColCount\": 40, \"DistanceOriginSource\": 100, "
        "\"DistanceOriginDetector\": 50, \"ProjectionAngles\": [0, 0.5, 1]}";
    write_file(file, text.replace(from, to));
    if (note.endsWith("distance")) {
      EXPECT_THROWS(InputError, read_stated_geometry(file, {}), note.toStdString());
      return;
    }
    const std::vector<std::string> notes = read_stated_geometry(file, {}).notes;
    QCOMPARE(notes.size(), std::size_t{note.isEmpty() ? 0U : 1U});
    QVERIFY2(notes.empty() || notes.front().starts_with(note.toStdString()),
             notes.empty() ? "" : notes.front().c_str());
  }

  void parallelBeams() {
    const std::string file = path("scan.parallel3d_vec.txt");
    QByteArray text = size_lines;
    for (int i = 0; i < known_views; ++i) {
      const View pose = view(i);
      text += numbers(KnownPose(i).normal) + " " + numbers(pose.detector_mm) + " " +
              numbers(pose.u_mm) + " " + numbers(pose.v_mm) + "\n";
    }
    write_file(file, text);
    const ScanSpec spec = read_geometry(file);
    QVERIFY(spec.beam == Beam::parallel);
    for (int i = 0; i < known_views; ++i) {
      const View& pose = spec.poses[static_cast<std::size_t>(i)];
      expect_vector(pose.detector_mm - pose.source_mm, KnownPose(i).normal);
      expect_vector(pose.detector_mm, view(i).detector_mm);
      expect_vector(pose.u_mm, view(i).u_mm);
      expect_vector(pose.v_mm, view(i).v_mm);
    }
  }

  void fansOfASingleRow() {
    const std::string file = path("scan.fanflat_vec.txt");
    write_file(file, "# DetectorColCount = 40\n0 -200 0 100 0.5 0\n200 0 -100 0 0 0.5\n");
    const ScanSpec spec = read_geometry(file);
    QVERIFY(spec.beam == Beam::fan && spec.trajectory == Trajectory::circular);
    QCOMPARE(spec.detector_rows, 1);
    const ScanGeometry fan(spec);
    expect_view(fan.view(0), {{0, -200, 0}, {0, 100, 0}, {0.5, 0, 0}, {0, 0, 0.5}});
    expect_view(fan.view(1), {{200, 0, 0}, {-100, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}});
    write_file(path("fan.json"),
               "{\"type\": \"fanflat_vec\", \"DetectorCount\": 40, "
               "\"Vectors\": [[0, -200, 0, 100, 0.5, 0], [200, 0, -100, 0, 0, 0.5]]}");
    QVERIFY(read_geometry(path("fan.json")) == spec);
    write_file(path("fan.json"),
               "{\"type\": \"fanflat_vec\", \"Vectors\": [[0, -200, 0, 100, 0.5, 0]]}");
    EXPECT_THROWS(InputError, read_geometry(path("fan.json")), "give the field DetectorCount");
  }

  /// A circle whose fan would open further than a circle's may stays what it is.
  void aDetectorFarBesideTheAxisStaysFree() {
    const std::string file = path("far.fanflat_vec.txt");
    write_file(file, "# DetectorColCount = 40\n0 -200 2000 100 0.5 0\n200 0 -100 2000 0 0.5\n");
    const ScanSpec spec = read_geometry(file);
    QVERIFY(spec.trajectory == Trajectory::poses);
    expect_view(spec.poses[0], {{0, -200, 0}, {2000, 100, 0}, {0.5, 0, 0}, {0, 0, 0.5}});
  }

  void whatIsWrongIsNamed() {
    const std::string file = path("bad.cone_vec.txt");
    write_file(file, QByteArray(size_lines) + "1 2 3 4 5 6 7 8 9 10 11\n");
    EXPECT_THROWS(InputError, read_geometry(file), "line 3: has 11 numbers; give 12");
    write_file(file, QByteArray(size_lines) + "1 2 3 4 5 6 seven 8 9 10 11 12\n");
    EXPECT_THROWS(InputError, read_geometry(file), "line 3: \"seven\" is no number");
    write_file(file, size_lines);
    EXPECT_THROWS(InputError, read_geometry(file), "holds no numbers");
    write_file(file, QByteArray(size_lines) + "0 0 0 0 1 0 1 0 0 2 0 0\n");
    EXPECT_THROWS(InputError, read_geometry(file), "u_mm and v_mm are parallel");
    write_file(path("bad.json"),
               QByteArray(cone_json()).replace("\"Vectors\": [[", "\"Vectors\": [[1,"));
    EXPECT_THROWS(InputError, read_geometry(path("bad.json")), "Vectors[0]");
  }

  void cutFiles() {
    const std::string table = path("cut.cone_vec.txt"), json = path("cut.json");
    write_file(table, size_lines + cone_table(" "));
    write_file(json, cone_json());
    for (const std::string& file : {table, json})
      read_cut_files(file, [&] { read_geometry(file); });
  }
};

GANTRY_TEST(TestAstraGeometry)
#include "test_astra_geometry.moc"
