// The geometries that are written for other programs: the rays that each of these programs makes of
// its numbers, by the formulas of its documentation or source, are those of the scan.
#include "core/base/error.hpp"
#include "core/io/exports/export_format.hpp"
#include "core/io/exports/write_export.hpp"
#include "core/io/scans/scan_file.hpp"
#include "tests/core/io/known_poses.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <array>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int columns = 24, rows = 10;
constexpr double middle_column = 11.5, middle_row = 4.5;  // of the detector

ScanGeometry circle(Beam beam, DetectorShape shape = DetectorShape::flat, double feed_mm = 0) {
  ScanSpec spec;
  spec.beam = beam;
  spec.detector = shape;
  spec.trajectory = feed_mm != 0 ? Trajectory::helical : Trajectory::circular;
  spec.helical_feed_mm_per_turn = feed_mm;
  spec.source_to_isocenter_mm = 300;
  spec.source_to_detector_mm = 500;
  spec.detector_columns = columns;
  spec.detector_rows = beam == Beam::fan ? 1 : rows;
  spec.column_pitch_mm = 1.3;
  spec.row_pitch_mm = 2.1;
  spec.central_column = 9.2;
  spec.central_row = beam == Beam::fan ? 0 : 5.6;
  spec.view_angles_rad = angles_from_degrees(17, 50, 5);
  return ScanGeometry(spec);
}

ScanGeometry poses(double row_mm = 2.1, Beam beam = Beam::cone) {
  ScanSpec spec = circle(Beam::cone).spec();
  spec.beam = beam;
  spec.trajectory = Trajectory::poses;
  for (int i = 0; i < known_views; ++i) {
    spec.poses.push_back(KnownPose(i).view(1.3, row_mm));
    if (beam == Beam::parallel)
      spec.poses.back().source_mm = spec.poses.back().detector_mm - 90.0 * KnownPose(i).normal;
  }
  return ScanGeometry(spec);
}

ScanToExport to_export(const ScanGeometry& geometry) {
  return {geometry, VolumeGrid::centered(20, 22, 24, {1, 1, 1}), "a", "a \"scan\"", "Gantry"};
}
std::vector<ExportedText> exported(const ScanGeometry& geometry, const char* key) {
  return export_formats().at(key).write(to_export(geometry));
}

/// Returns the numbers of a table, [view][number].
std::vector<std::vector<double>> table_in(const ExportedText& text) {
  std::vector<std::vector<double>> table;
  for (const QString& line : QString::fromStdString(text.text).split('\n', Qt::SkipEmptyParts)) {
    if (line.startsWith('#')) continue;
    table.emplace_back();
    for (const QString& word : line.split(' ')) table.back().push_back(word.toDouble());
  }
  return table;
}
Vec3 at(const std::vector<double>& numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}
/// Returns the numbers from a word of the script to the next empty line.
std::vector<double> numbers_after(const ExportedText& script, const QString& word) {
  const QString text = QString::fromStdString(script.text);
  const qsizetype from = text.indexOf(word);
  const QString part = text.mid(from, text.indexOf("\n\n", from) - from);
  static const QRegularExpression number(QStringLiteral("(?<![\\w.])-?\\d+(\\.\\d+)?(e-?\\d+)?"));
  std::vector<double> numbers;
  for (auto found = number.globalMatch(part.mid(word.size())); found.hasNext();)
    numbers.push_back(found.next().captured(0).toDouble());
  return numbers;
}

struct Line {
  Vec3 from, to;  ///< two points, in the direction of the ray
};

/// Checks that another program's rays, line(view, column, row), are those of the scan.
template <class Lines>
void expect_rays(const ScanGeometry& geometry, const Lines& line) {
  for (int view = 0; view < geometry.views(); ++view)
    for (const int column : {0, 13, columns - 1})
      for (const int row : {0, geometry.rows() / 2, geometry.rows() - 1}) {
        const Ray ray = geometry.ray(view, column, row);
        const Line other = line(view, column, row);
        EXPECT_NEAR(dot(normalized(other.to - other.from), ray.direction), 1, 1e-12);
        EXPECT_NEAR(norm(cross(other.from - ray.origin_mm, ray.direction)), 0, 1e-6);
      }
}

/// Turns about z, x or y by a right-handed angle.
Vec3 about_z(Vec3 p, double a) {
  return {std::cos(a) * p.x - std::sin(a) * p.y, std::sin(a) * p.x + std::cos(a) * p.y, p.z};
}
Vec3 about_y(Vec3 p, double a) {
  return {std::cos(a) * p.x + std::sin(a) * p.z, p.y, -std::sin(a) * p.x + std::cos(a) * p.z};
}
Vec3 about_x(Vec3 p, double a) {
  return {p.x, std::cos(a) * p.y - std::sin(a) * p.z, std::sin(a) * p.y + std::cos(a) * p.z};
}

/// A ray as computeDeltas_Siddon and, of parallel beams, computeDeltas_Siddon_parallel of TIGRE
/// have it, for a volume in the middle of the world.
Line tigre_line(const std::vector<double>& n, bool is_parallel, int column, int row,
                int row_count) {
  const auto turned = [&](Vec3 p) {
    return about_z(about_y(about_z(p, n[2]), n[1]), n[0]) - Vec3{n[12], n[11], n[10]};
  };
  const double u = 1.3 * (column - middle_column), v = 2.1 * (row - 0.5 * (row_count - 1));
  if (is_parallel) return {turned({n[3], u, v}), turned({n[3] - n[4], u + n[6], v + n[5]})};
  const Vec3 cell = about_z(about_y(about_x({0, u, v}, n[7]), n[8]), n[9]);
  return {turned({n[3], 0, 0}), turned({cell.x - (n[4] - n[3]), cell.y + n[6], cell.z + n[5]})};
}

}  // namespace

class TestExports : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::string put(const ExportedText& text) const {
    const std::string path = folder_.filePath(QString::fromStdString(text.name)).toStdString();
    write_file_atomically(path, std::as_bytes(std::span(text.text)));
    return path;
  }

 private slots:
  void astraVectors() {
    for (const ScanGeometry& geometry :
         {circle(Beam::cone), circle(Beam::cone, DetectorShape::flat, 11), poses(), poses(-2.1)}) {
      const auto table = table_in(exported(geometry, "astra")[1]);
      expect_rays(geometry, [&](std::size_t view, int column, int row) {
        const std::vector<double>& n = table[view];
        return Line{at(n, 0),
                    at(n, 3) + (column - middle_column) * at(n, 6) + (row - middle_row) * at(n, 9)};
      });
    }
    for (const ScanGeometry& geometry : {circle(Beam::parallel), poses(2.1, Beam::parallel)}) {
      const auto table = table_in(exported(geometry, "astra")[1]);
      expect_rays(geometry, [&](std::size_t view, int column, int row) {
        const std::vector<double>& n = table[view];
        const Vec3 cell =
            at(n, 3) + (column - middle_column) * at(n, 6) + (row - middle_row) * at(n, 9);
        return Line{cell, cell + at(n, 0)};
      });
    }
    const auto fan = table_in(exported(circle(Beam::fan), "astra")[1]);
    expect_rays(circle(Beam::fan), [&](std::size_t view, int column, int) {
      const std::vector<double>& n = fan[view];
      const double along = column - middle_column;
      return Line{{n[0], n[1], 0}, {n[2] + along * n[4], n[3] + along * n[5], 0}};
    });
  }

  void astraCylinders() {
    for (const double feed_mm : {0.0, 11.0}) {
      const ScanGeometry geometry = circle(Beam::cone, DetectorShape::arc, feed_mm);
      const auto table = table_in(exported(geometry, "astra")[1]);
      expect_rays(geometry, [&](std::size_t view, int column, int row) {
        // As CCylConeVecProjectionGeometry3D of ASTRA has it.
        const std::vector<double>& n = table[view];
        const Vec3 d = at(n, 3), u = at(n, 6), v = at(n, 9);
        const double radius = n[12], angle = norm(u) / radius * (column - middle_column);
        const Vec3 outwards = (-radius / (norm(u) * norm(v))) * cross(u, v), centre = d - outwards;
        return Line{at(n, 0), centre + std::cos(angle) * outwards +
                                  (std::sin(angle) * radius / norm(u)) * u +
                                  (row - middle_row) * v};
      });
    }
  }

  void astraIsReadBack() {
    for (const ScanGeometry& geometry : {circle(Beam::cone), poses()}) {
      const ScanGeometry again(read_stated_geometry(put(exported(geometry, "astra")[1]), {}).spec);
      QCOMPARE(again.rotates(), geometry.rotates());
      expect_rays(geometry, [&](int view, int column, int row) {
        const Ray ray = again.ray(view, column, row);
        return Line{ray.origin_mm, ray.origin_mm + ray.direction};
      });
    }
  }

  void rtkIsReadBack() {
    for (const ScanGeometry& geometry :
         {circle(Beam::cone), circle(Beam::cone, DetectorShape::flat, 11),
          circle(Beam::cone, DetectorShape::arc), circle(Beam::parallel), poses(),
          poses(2.1, Beam::parallel)}) {
      ScanSpec spec = geometry.spec();
      KnownDetector cells{columns, rows, 1.3};
      const StatedGeometry stated = read_stated_geometry(put(exported(geometry, "rtk")[1]), cells);
      QVERIFY(stated.notes.empty());  // the matrices are those of the parameters
      // RTK's file leaves the size of cells open, and one number gives it here.
      ScanSpec read = stated.spec;
      for (View& pose : read.poses) pose.v_mm = (2.1 / 1.3) * pose.v_mm;
      if (read.poses.empty()) {
        read.row_pitch_mm = 2.1;
        read.central_row = middle_row + (read.central_row - middle_row) * 1.3 / 2.1;
      }
      const ScanGeometry again(read);
      expect_rays(geometry, [&](int view, int column, int row) {
        const Ray ray = again.ray(view, column, row);
        return Line{ray.origin_mm, ray.origin_mm + ray.direction};
      });
    }
  }

  void rtkTurnsRowsOverWhereDetectorsAreMirrored() {
    const auto texts = exported(poses(-2.1), "rtk");
    QVERIFY(texts[0].text.find("TURNED = True") != std::string::npos);
    QVERIFY(exported(poses(), "rtk")[0].text.find("TURNED = False") != std::string::npos);
    ScanSpec read = read_stated_geometry(put(texts[1]), {columns, rows, 1.3}).spec;
    for (View& pose : read.poses) pose.v_mm = (2.1 / 1.3) * pose.v_mm;
    const ScanGeometry again(read);
    expect_rays(poses(-2.1), [&](int view, int column, int row) {
      const Ray ray = again.ray(view, column, rows - 1 - row);
      return Line{ray.origin_mm, ray.origin_mm + ray.direction};
    });
  }

  void tigreRays() {
    for (const ScanGeometry& geometry :
         {circle(Beam::parallel), circle(Beam::fan), circle(Beam::cone),
          circle(Beam::cone, DetectorShape::flat, 11), poses(), poses(-2.1)}) {
      const auto table = table_in(exported(geometry, "tigre")[1]);
      // A parallel ray of TIGRE has ends: as far behind the axis as before it.
      if (geometry.beam() == Beam::parallel)
        for (const auto& n : table) EXPECT_NEAR(n[4], 2 * n[3], 1e-9 * n[3]);
      expect_rays(geometry, [&](std::size_t view, int column, int row) {
        return tigre_line(table[view], geometry.beam() == Beam::parallel, column, row,
                          geometry.rows());
      });
    }
  }

  void leapRays() {
    for (const DetectorShape shape : {DetectorShape::flat, DetectorShape::arc}) {
      const ScanGeometry geometry = circle(Beam::cone, shape);
      const auto texts = exported(geometry, "leap");
      const auto table = table_in(texts[1]);
      // centerRow, centerCol, the column of the table, sod, sdd
      const auto n = numbers_after(texts[0],
                                   "leap.set_conebeam(VIEWS, ROWS, COLUMNS, ROW_MM, "
                                   "COLUMN_MM,");
      const bool is_curved = texts[0].text.find("set_curvedDetector()") != std::string::npos;
      QCOMPARE(is_curved, shape == DetectorShape::arc);
      expect_rays(geometry, [&](std::size_t view, int column, int row) {
        const double phi = radians(table[view][0]) - pi / 2, sod = n[3], sdd = n[4],
                     along = 1.3 * (column - n[1]) / sdd, up = 2.1 * (row - n[0]) / sdd;
        const Vec3 theta{std::cos(phi), std::sin(phi), 0}, across{-std::sin(phi), std::cos(phi), 0};
        const Vec3 level =
            is_curved ? std::sin(along) * across - std::cos(along) * theta : along * across - theta;
        return Line{sod * theta, sod * theta + level + Vec3{0, 0, up}};
      });
    }
    const ScanGeometry geometry = poses();
    const auto texts = exported(geometry, "leap");
    QVERIFY(texts[0].text.find("\nMODULAR = True") != std::string::npos);
    const auto table = table_in(texts[1]);
    expect_rays(geometry, [&](std::size_t view, int column, int row) {
      const std::vector<double>& n = table[view];
      return Line{at(n, 0), at(n, 3) + (2.1 * (row - middle_row)) * at(n, 6) +
                                (1.3 * (column - middle_column)) * at(n, 9)};
    });
  }

  void leapTakesAHelixWithItsMiddleAtHeight0() {
    for (const DetectorShape shape : {DetectorShape::flat, DetectorShape::arc}) {
      const ScanGeometry geometry = circle(Beam::cone, shape, 11);
      const auto texts = exported(geometry, "leap");
      const auto table = table_in(texts[1]);
      // centerRow, centerCol, the column of the table, sod, sdd, tau, mm per radian
      const auto n = numbers_after(texts[0],
                                   "leap.set_conebeam(VIEWS, ROWS, COLUMNS, ROW_MM, "
                                   "COLUMN_MM,");
      QCOMPARE(n[5], 0.0);
      // As set_helicalPitch and z_source of LEAP have it; the script lowers the volume by HEIGHT.
      const double middle = 0.5 * radians(table.front()[0] + table.back()[0]),
                   height = numbers_after(texts[0], "HEIGHT = ")[0];
      for (std::size_t view = 0; view < table.size(); ++view)
        EXPECT_NEAR(n[6] * (radians(table[view][0]) - middle) + height,
                    geometry.view(static_cast<int>(view)).source_mm.z, 1e-9);
    }
  }

  void cilRays() {
    const ScanGeometry cone = circle(Beam::cone);
    const auto texts = exported(cone, "cil");
    const auto table = table_in(texts[1]);
    const auto n = numbers_after(texts[0], "create_Cone3D(");
    // CIL turns the middle of the detector to y (align_reference_frame) before its angles.
    const double own = std::atan2(n[3] - n[0], n[4] - n[1]),
                 back_deg = numbers_after(texts[0], "CIL_TURNS_DEG = ")[0];
    QVERIFY(std::abs(own) > 1e-3);
    expect_rays(cone, [&](std::size_t view, int column, int row) {
      // As convert_standard_geometry_to_astra_vec_3D of CIL has it.
      const double turn = own - radians(table[view][0] + back_deg);
      return Line{about_z(at(n, 0), turn),
                  about_z(at(n, 3) + (1.3 * (column - middle_column)) * at(n, 6) +
                              (2.1 * (row - middle_row)) * at(n, 9),
                          turn)};
    });
    for (const ScanGeometry& geometry : {circle(Beam::cone, DetectorShape::flat, 11), poses()}) {
      const auto flexible = table_in(exported(geometry, "cil")[1]);
      expect_rays(geometry, [&](std::size_t view, int column, int row) {
        const std::vector<double>& m = flexible[view];
        return Line{at(m, 0), at(m, 3) + (1.3 * (column - middle_column)) * at(m, 6) +
                                  (2.1 * (row - middle_row)) * at(m, 9)};
      });
    }
  }

  void whatAProgramCannotTakeIsSaid() {
    const ScanGeometry arc = circle(Beam::fan, DetectorShape::arc);
    for (const char* key : {"astra", "tigre", "leap", "cil"})
      EXPECT_THROWS(UsageError, exported(arc, key), "arc detectors");
    for (const char* key : {"tigre", "leap", "cil"})
      EXPECT_THROWS(UsageError, exported(poses(2.1, Beam::parallel), key), "turn about the axis");
    ScanSpec sheared = poses().spec();
    sheared.poses[2].v_mm = sheared.poses[2].v_mm + 0.01 * sheared.poses[2].u_mm;
    for (const char* key : {"rtk", "tigre", "leap", "cil"})
      EXPECT_THROWS(UsageError, exported(ScanGeometry(sheared), key),
                    "view 2 has columns and rows that are not at right angles");
    ScanSpec larger = poses().spec();
    larger.poses[3].u_mm = 1.01 * larger.poses[3].u_mm;
    EXPECT_THROWS(UsageError, exported(ScanGeometry(larger), "rtk"), "view 3 has cells of another");
    ScanSpec oblique = poses(2.1, Beam::parallel).spec();
    oblique.poses[1].source_mm = oblique.poses[1].source_mm + Vec3{5, 0, 0};
    EXPECT_THROWS(UsageError, exported(ScanGeometry(oblique), "rtk"), "rays of view 1 are oblique");
    EXPECT_THROWS(UsageError, exported(arc, "other"), "astra, rtk, tigre, leap, cil");
  }

  void dataAndTextsLieInTheFolder() {
    QCOMPARE(export_name("/b/o'dd na\"me.scan.json"), std::string("o_dd_na_me"));
    const ScanGeometry geometry = circle(Beam::cone);
    std::vector<float> values(geometry.rays());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    const ExportFormat& format = export_formats().at("rtk");
    const std::string folder = folder_.path().toStdString();
    write_export(folder, format, to_export(geometry), values);
    QFile file(folder_.filePath("a.f32"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QCOMPARE(bytes.size(), qsizetype(4 * values.size()));
    QCOMPARE(bytes.mid(4 * 300, 4), QByteArray::fromHex("00009643"));  // 300, little-endian
    QVERIFY(QFile::exists(folder_.filePath("a_rtk.py")));
    QVERIFY(QFile::exists(folder_.filePath("a_rtk.xml")));
    values.pop_back();
    EXPECT_THROWS(ShapeError, write_export(folder, format, to_export(geometry), values), "number");
  }

  /// Of an export that was killed between two files some are old and some are new.
  void aScriptRefusesFilesOfAnotherExport_data() {
    QTest::addColumn<QString>("changed");
    QTest::newRow("none") << "";
    QTest::newRow("data") << "a.f32";
    QTest::newRow("geometry") << "a_rtk.xml";
  }
  void aScriptRefusesFilesOfAnotherExport() {
    QFETCH(QString, changed);
    const QString python = python_with("numpy");
    if (python.isEmpty()) QSKIP("no Python with numpy");
    const ScanGeometry geometry = circle(Beam::cone);
    const std::vector<float> values(geometry.rays(), 0.25F);
    const QTemporaryDir folder;
    write_export(folder.path().toStdString(), export_formats().at("rtk"), to_export(geometry),
                 values);
    if (!changed.isEmpty()) {
      QFile file(folder.filePath(changed));
      QVERIFY(file.open(QIODevice::ReadWrite));
      file.seek(200);
      file.write("7");
    }
    const RunResult run = run_program(python, {"-c",
                                               "import runpy, sys, unittest.mock\n"
                                               "sys.modules['itk'] = unittest.mock.MagicMock()\n"
                                               "script = runpy.run_path(sys.argv[1])\n"
                                               "script['read_geometry']()\n"
                                               "print(script['read_projections']().sum())",
                                               folder.filePath("a_rtk.py")});
    if (changed.isEmpty()) {
      QCOMPARE(run.output.trimmed().toDouble(), 0.25 * static_cast<double>(values.size()));
    } else {
      QVERIFY2(run.errors.trimmed().endsWith(
                   folder.filePath(changed).toUtf8() +
                   ": is not the file that was exported with this script; export the scan again"),
               run.errors.constData());
    }
  }
};

GANTRY_TEST(TestExports)
#include "test_exports.moc"
