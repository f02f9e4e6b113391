// Projections in DICOM-CT-PD, made by the format's own left-handed cylindrical coordinates.
#include "core/base/error.hpp"
#include "core/io/imports/formats/flattened_frames.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/dicom/dicom_folder.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Source and detector of a projection, as the format states them.
struct Position {
  double phi = 0, z = 0, rho = 500;   // of the focal centre
  double dphi = 0, dz = 0, drho = 0;  // of the focal spot from there
};

/// A scanner whose numbers can be written as floats without an error, and a ball in its bore.
struct Scanner {
  int columns = 40, rows = 6;
  double column_mm = 8, row_mm = 4, distance_mm = 1000;  // at the detector
  double central_column = 21.25, central_row = 3.5;      // from 1 on
  bool is_flat = false;
  double ball_x = 20, ball_y = -35, ball_z = 205, radius = 60, mu = 0.02;
  double slope = 1e-4, intercept = -0.5;

  /// The chord through the ball of the ray to a cell, counted from 1.
  double line_integral(const Position& p, int column, int row) const {
    const auto at = [](double rho, double phi, double z) {
      return Vec3{-rho * std::sin(phi), rho * std::cos(phi), z};
    };
    const Vec3 centre = at(p.rho, p.phi, p.z),
               spot = at(p.rho + p.drho, p.phi + p.dphi, p.z + p.dz);
    // With the detector at 6 o'clock (phi = 0) column 1 is the leftmost one, at the least x.
    const Vec3 inward = {std::sin(p.phi), -std::cos(p.phi), 0},
               right = {std::cos(p.phi), std::sin(p.phi), 0};
    const double along = (column - central_column) * column_mm;
    Vec3 cell = is_flat ? centre + distance_mm * inward + along * right
                        : centre + distance_mm * std::cos(along / distance_mm) * inward +
                              distance_mm * std::sin(along / distance_mm) * right;
    cell.z = p.z - (row - central_row) * row_mm;  // row 1 is the farthest from the table's base
    const Vec3 direction = normalized(cell - spot), to_ball = Vec3{ball_x, ball_y, ball_z} - spot;
    const double along_ray = dot(to_ball, direction),
                 beside = dot(to_ball, to_ball) - along_ray * along_ray;
    return 2 * mu * std::sqrt(std::max(0.0, radius * radius - beside));
  }

  /// The stored numbers of a projection.
  std::vector<int> stored(const Position& p, bool transposed = false) const {
    std::vector<int> values;
    const auto add = [&](int column, int row) {
      values.push_back(
          static_cast<int>(std::lround((line_integral(p, column, row) - intercept) / slope)));
    };
    if (transposed) {
      for (int column = 1; column <= columns; ++column)
        for (int row = 1; row <= rows; ++row) add(column, row);
    } else {
      for (int row = 1; row <= rows; ++row)
        for (int column = 1; column <= columns; ++column) add(column, row);
    }
    return values;
  }
  /// The file of a projection; `as_unknown`: private values have the representation UN.
  TinyDicom file(const Position& p, int instance, bool transposed = false,
                 bool as_unknown = false) const {
    TinyDicom dicom;
    const char* real = as_unknown ? "UN" : "FL";
    dicom.text(0x00200013, "IS", std::to_string(instance));
    dicom.text(0x00080018, "UI", "2.25." + std::to_string(5000 + instance));
    dicom.number(0x00280010, transposed ? columns : rows);
    dicom.number(0x00280011, transposed ? rows : columns);
    dicom.number(0x00280103, 0);
    dicom.text(0x00281052, "DS", "-0.5").text(0x00281053, "DS", "0.0001");
    dicom.reals(0x70291002, {static_cast<float>(column_mm)}, real);
    dicom.reals(0x70291006, {static_cast<float>(row_mm)}, real);
    dicom.text(0x7029100b, "CS", is_flat ? "FLAT" : "CYLINDRICAL");
    dicom.number(0x70291010, rows, as_unknown ? "UN" : "US");
    dicom.number(0x70291011, columns, as_unknown ? "UN" : "US");
    dicom.reals(0x70311001, {static_cast<float>(std::remainder(p.phi, 2 * M_PI))}, real);
    dicom.reals(0x70311002, {static_cast<float>(p.z)}, real);
    dicom.reals(0x70311003, {static_cast<float>(p.rho)}, real);
    dicom.reals(0x70311031, {static_cast<float>(distance_mm)}, real);
    dicom.reals(0x70311033, {static_cast<float>(central_column), static_cast<float>(central_row)},
                real);
    dicom.reals(0x7033100b, {static_cast<float>(p.dphi)}, real);
    dicom.reals(0x7033100c, {static_cast<float>(p.dz)}, real);
    dicom.reals(0x7033100d, {static_cast<float>(p.drho)}, real);
    dicom.text(0x70391009, "CS", "YES");
    dicom.text(0x70411001, "DS", "0.0192");
    dicom.pixels(stored(p, transposed));
    return dicom;
  }
};

constexpr int views = 24;

Position on_circle(int i) { return {.phi = 0.3 + 2 * M_PI * i / views, .z = 200}; }
Position on_helix(int i) { return {.phi = 0.3 + 2 * M_PI * i / 16, .z = 185 + 1.25 * i}; }
/// The same with numbers that 32-bit floats hold exactly.
Position on_exact_helix(int i) { return {.phi = -3 + 0.25 * i, .z = 185 + 1.25 * i}; }
/// Two positions of the focal spot in turn, along z and along the orbit.
Position flying(int i) {
  Position p = on_helix(i);
  p.dphi = i % 2 == 0 ? 0.0015 : -0.0015;
  p.dz = i % 2 == 0 ? 0 : -0.75;
  p.drho = i % 2 == 0 ? 0 : 5;
  return p;
}
Position uneven(int i) {
  Position p = on_circle(i);
  p.z += i % 3;
  return p;
}

using Orbit = Position (*)(int);

}  // namespace

class TestCtPdScan : public QObject, DicomFolder {
  Q_OBJECT

  void save_scan(const Scanner& scanner, Orbit orbit, bool transposed = false,
                 bool as_unknown = false) const {
    for (int i = 0; i < views; ++i)  // names do not tell the order
      save(scanner.file(orbit(i), i + 1, transposed, as_unknown),
           "p" + std::to_string((7 * i) % views) + ".dcm");
  }
  ImportedScan imported() const { return imported(folder()); }
  static ImportedScan imported(const std::string& path) {
    ImportRequest request;
    request.path = path;
    return import_scan(request);
  }
  static const Assumption* assumed(const ImportedScan& scan, const std::string& what) {
    const auto found = std::ranges::find(scan.assumptions, what, &Assumption::what);
    return found == scan.assumptions.end() ? nullptr : &*found;
  }
  /// Returns the table position at z = 0: z runs against the positions of the table.
  static double origin_of(const ImportedScan& scan, const Position& first) {
    const double origin = scan.scan.geometry->view(0).source_mm.z + first.z + first.dz;
    const Assumption* said = assumed(scan, "z = 0");
    if (said == nullptr) qFatal("the table position at z = 0 is not said");
    const double rounded =
        QString::fromStdString(said->value).section(QLatin1Char(' '), -2, -2).toDouble();
    if (std::abs(rounded - origin) > 1e-4) qFatal("another table position is said");
    return origin;
  }
  /// The chord of a ray through the ball, whose x and y are those of the format.
  static double chord(const Scanner& s, const Ray& ray, double origin) {
    const Vec3 to_ball = Vec3{s.ball_x, s.ball_y, origin - s.ball_z} - ray.origin_mm;
    const double along = dot(to_ball, ray.direction);
    return 2 * s.mu *
           std::sqrt(std::max(0.0, s.radius * s.radius - dot(to_ball, to_ball) + along * along));
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void everyRayHasItsValue_data() {
    QTest::addColumn<bool>("helix");
    QTest::addColumn<bool>("flat");
    QTest::addColumn<bool>("transposed");
    QTest::addColumn<bool>("unknown");
    QTest::addRow("circle, arc") << false << false << false << false;
    QTest::addRow("circle, flat, transposed images") << false << true << true << false;
    QTest::addRow("helix, arc, representations unknown") << true << false << true << true;
  }
  void everyRayHasItsValue() {
    QFETCH(bool, helix);
    QFETCH(bool, flat);
    QFETCH(bool, transposed);
    QFETCH(bool, unknown);
    Scanner scanner;
    scanner.is_flat = flat;
    save_scan(scanner, helix ? on_helix : on_circle, transposed, unknown);
    QCOMPARE(identify_file(folder()), FileKind::projections);
    QCOMPARE(access_for_import(folder()), FileAccess::owner);  // patients are named in the files
    const ImportedScan found = imported();
    const ScanGeometry& geometry = *found.scan.geometry;
    QCOMPARE(geometry.spec().trajectory, helix ? Trajectory::helical : Trajectory::circular);
    QCOMPARE(geometry.spec().detector, flat ? DetectorShape::flat : DetectorShape::arc);
    QCOMPARE(geometry.views(), views);
    QCOMPARE(found.scan.mu_water, 0.0192);
    QVERIFY(found.scan.notes.empty());
    const double origin = origin_of(found, helix ? on_helix(0) : on_circle(0));
    int seen = 0;
    for (int v = 0; v < views; ++v)
      for (int row = 0; row < geometry.rows(); ++row)
        for (int column = 0; column < geometry.columns(); ++column) {
          const double expected = chord(scanner, geometry.ray(v, column, row), origin),
                       value = found.scan
                                   .line_integrals[static_cast<std::size_t>(v) * geometry.cells() +
                                                   cell_index(geometry, column, row)];
          // Half a step of the stored numbers; angles and heights are 32-bit floats.
          if (expected > 0.3) EXPECT_NEAR(value, expected, 0.5 * scanner.slope + 2e-6);
          seen += expected > 0.3 ? 1 : 0;
        }
    QVERIFY(seen > 1000);
  }

  /// The same rays by the formulas of the format and by the geometry, without stored numbers.
  void theGeometryIsThatOfTheFormat() {
    const Scanner scanner;
    save_scan(scanner, on_exact_helix);
    const ImportedScan found = imported();
    const double origin = origin_of(found, on_exact_helix(0));
    double largest = 0;
    for (int v = 0; v < views; ++v)
      for (int row = 0; row < scanner.rows; ++row)
        for (int column = 0; column < scanner.columns; ++column) {
          const double expected =
              scanner.line_integral(on_exact_helix(v), scanner.columns - column, row + 1);
          if (expected < 0.3) continue;
          const double ours = chord(scanner, found.scan.geometry->ray(v, column, row), origin);
          largest = std::max(largest, std::abs(ours / expected - 1));
        }
    QVERIFY2(largest < 1e-9, qPrintable(QString::number(largest)));
  }

  void aFlyingFocalSpotGetsFlatDetectors_data() {
    QTest::addColumn<bool>("flies");
    QTest::addRow("flying focal spot") << true;
    QTest::addRow("uneven table") << false;
  }
  void aFlyingFocalSpotGetsFlatDetectors() {
    QFETCH(bool, flies);
    Scanner scanner;
    scanner.columns = 320;
    scanner.column_mm = 1;
    scanner.central_column = 161.25;
    save_scan(scanner, flies ? flying : uneven);
    const ImportedScan found = imported();
    const ScanGeometry& geometry = *found.scan.geometry;
    QCOMPARE(geometry.spec().trajectory, Trajectory::poses);
    QVERIFY(assumed(found, "detector") != nullptr);
    QCOMPARE(std::ranges::count_if(found.scan.notes,
                                   [](const std::string& note) {
                                     return note.starts_with("the arc was interpolated to a flat");
                                   }),
             1);
    const double origin = origin_of(found, flies ? flying(0) : uneven(0));
    // Halfway between the lowest and the highest position of the table.
    EXPECT_NEAR(origin, flies ? 185 + 0.5 * 1.25 * (views - 1) : 201, 1e-3);
    for (int v = 0; v < views; ++v)
      for (int row = 0; row < geometry.rows(); ++row)
        for (int column = 1; column < geometry.columns() - 1; ++column) {
          const double expected = chord(scanner, geometry.ray(v, column, row), origin),
                       value = found.scan
                                   .line_integrals[static_cast<std::size_t>(v) * geometry.cells() +
                                                   cell_index(geometry, column, row)];
          // Away from the rim of the ball, where its projection is not smooth, and from the outer
          // columns, beyond which the shifted spot sees.
          if (expected > 1.6) EXPECT_NEAR(value, expected, 0.5 * scanner.slope + 5e-5);
        }
  }

  /// The flat detector of a source in the centre of the arc, for values that cubic convolution
  /// gives exactly.
  void flatCellsTakeTheValuesOfTheirRays() {
    class Squares final : public FrameSource {
     public:
      int frames() const override { return 1; }
      int rows() const override { return 5; }
      int columns() const override { return 30; }
      std::string name(int) const override { return "squares"; }
      void read(int, std::span<float> values) const override {
        for (int row = 0; row < 5; ++row)
          for (int column = 0; column < 30; ++column)
            values[static_cast<std::size_t>((4 - row) * 30 + column)] =
                static_cast<float>(value(column, row));
      }
      static double value(double column, double row) {
        return 1 + 0.3 * column - 0.01 * column * column + 0.2 * row;
      }
    };
    const ArcDetector arc{30, 5, 100, 4, 2, 14.25, 2};
    const FlattenedFrames flat(std::make_shared<const Squares>(), arc,
                               {{{0, 50, 0}, {0, 50, 0}, {0, -1, 0}, {1, 0, 0}}});
    QVERIFY(flat.columns() > 30);
    std::vector<float> values(static_cast<std::size_t>(flat.columns()) * 5);
    flat.read(0, values);
    int inner = 0;
    for (int row = 1; row < 4; ++row)
      for (int column = 0; column < flat.columns(); ++column) {
        const double u = 4 * (column - flat.central_column()), angle = std::atan(u / 100),
                     on_arc = 14.25 + angle * 100 / 4, height = 2 + (row - 2) * std::cos(angle);
        if (on_arc < 1 || on_arc > 28) continue;
        EXPECT_NEAR(values[static_cast<std::size_t>((4 - row) * flat.columns() + column)],
                    Squares::value(on_arc, height), 1e-5);
        ++inner;
      }
    QVERIFY(inner > 80);
    // Smooth values keep to themselves, those that alternate from cell to cell do not.
    const InterpolationError smooth = flat.error_of(0);
    QVERIFY(smooth.rms > 0 && smooth.rms < 0.01 && smooth.most < 0.1);
    QCOMPARE(smooth.largest_value, static_cast<double>(static_cast<float>(Squares::value(15, 3))));
    class Alternating final : public FrameSource {
     public:
      int frames() const override { return 1; }
      int rows() const override { return 5; }
      int columns() const override { return 30; }
      std::string name(int) const override { return "alternating"; }
      void read(int, std::span<float> values) const override {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 1.0F : -1.0F;
      }
    };
    const FlattenedFrames rough(std::make_shared<const Alternating>(), arc,
                                {{{0, 50, 0}, {0, 50, 0}, {0, -1, 0}, {1, 0, 0}}});
    QVERIFY(rough.error_of(0).rms > 0.2);
  }

  void missingAndDoubleProjectionsAreSaid() {
    const Scanner scanner;
    for (const int i : {0, 1, 2, 4, 5})
      save(scanner.file(on_circle(i), i + 1), "p" + std::to_string(i));
    save(scanner.file(on_circle(5), 6), "copy");
    save(TinyDicom(), "slice");
    const ImportedScan found = imported();
    QCOMPARE(found.scan.geometry->views(), 5);
    const auto says = [&](const char* part) {
      return std::ranges::any_of(found.scan.notes, [part](const std::string& note) {
        return note.find(part) != std::string::npos;
      });
    };
    QVERIFY(says("missing by InstanceNumber: 1 projection"));
    QVERIFY(says("1 projection with the InstanceNumber of another one"));
    QVERIFY(says("1 file without projections"));
  }

  /// Who opens one projection means its series, also where its folder holds another one.
  void aFileStandsForItsSeries() {
    const Scanner scanner;
    for (int i = 0; i < 4; ++i) save(scanner.file(on_circle(i), i + 1), "p" + std::to_string(i));
    const ImportedScan whole = imported();
    save(scanner.file(on_circle(9), 1).text(0x0020000E, "UI", "1.2.3.99"), "another");
    EXPECT_THROWS(InputError, imported(), "2 series");
    const ImportedScan found = imported(path("p2"));
    QVERIFY(found.scan.line_integrals == whole.scan.line_integrals);
    QVERIFY(found.scan.geometry->spec() == whole.scan.geometry->spec());
    QVERIFY(std::ranges::find(found.scan.notes, "left out: 1 file outside the series") !=
            found.scan.notes.end());
    QCOMPARE(imported(path("another")).scan.geometry->views(), 1);
  }

  /// As photon-counting scanners store them: what differs stands in an item for each projection.
  void severalProjectionsInOneFile() {
    const Scanner scanner;
    TinyDicom file = scanner.file(on_circle(0), 1);
    std::vector<TinyDicom> items;
    std::vector<int> values;
    for (int i = 0; i < 3; ++i) {
      const Position p = on_circle(i);
      items.push_back(TinyDicom::empty()
                          .text(0x00200013, "IS", std::to_string(i + 1))
                          .reals(0x70311001, {static_cast<float>(p.phi)})
                          .reals(0x70311002, {static_cast<float>(p.z)})
                          .reals(0x70311003, {static_cast<float>(p.rho)}));
      const std::vector<int> one = scanner.stored(p);
      values.insert(values.end(), one.begin(), one.end());
    }
    save(file.text(0x00280008, "IS", "3").sequence(0x52009230, items).pixels(values), "all.dcm");
    const ImportedScan together = imported();
    folder_ = std::make_unique<QTemporaryDir>();
    for (int i = 0; i < 3; ++i)
      save(scanner.file(on_circle(i), i + 1), "p" + std::to_string(i) + ".dcm");
    const ImportedScan apart = imported();
    QCOMPARE(together.scan.geometry->views(), 3);
    QCOMPARE(together.scan.line_integrals, apart.scan.line_integrals);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(together.scan.geometry->angle_rad(i), apart.scan.geometry->angle_rad(i), 1e-12);
  }

  /// The stored numbers are then the line integrals, which is said.
  void aScaleThatNoFileStatesIsSaid() {
    for (int i = 0; i < 3; ++i)
      save(Scanner().file(on_circle(i), i + 1).remove(0x00281053), "p" + std::to_string(i));
    const ImportedScan found = imported();
    const Assumption* said = assumed(found, "scale of the values");
    QVERIFY(said != nullptr);
    QCOMPARE(said->value, "that of the stored numbers, times 1");
    QCOMPARE(said->why, "RescaleSlope (0028,1053) is missing in all projections");
    QVERIFY(*std::ranges::max_element(found.scan.line_integrals) > 1000);
  }

  void exchangedShiftsAreMended() {
    const Scanner scanner;
    for (int i = 0; i < views; ++i) {
      Position p = flying(i);
      std::swap(p.dphi, p.dz);
      save(scanner.file(p, i + 1), "p" + std::to_string(i));
    }
    const ImportedScan found = imported();
    QVERIFY(assumed(found, "shifts of the focal spot") != nullptr);
    EXPECT_NEAR(found.scan.geometry->spec().poses[1].source_mm.z -
                    found.scan.geometry->spec().poses[1].detector_mm.z,
                0.75, 1e-4);
  }

  /// One file of many, which refuses the series or is left out with a note; and a single one.
  void cutFiles() {
    save_scan(Scanner(), on_circle);
    read_cut_files(path("p7.dcm"), [&] {
      const ImportedScan scan = imported();
      QCOMPARE(scan.scan.geometry->views(), views - 1);
      QVERIFY(std::ranges::any_of(scan.scan.notes, [](const std::string& note) {
        return note.find("p7.dcm") != std::string::npos ||
               note.find("missing") != std::string::npos;
      }));
    });
    QCOMPARE(imported().scan.geometry->views(), views);
  }

  /// Whether its header is cut or its pixels; the others keep their angles.
  void aDamagedFileIsLeftOut() {
    save_scan(Scanner(), on_circle);
    const ImportedScan sound = imported();
    const QByteArray whole = bytes_of_file(path("p7.dcm"));  // the second view
    ImportRequest without;
    without.path = folder();
    without.leaves_out_damaged = true;
    for (const qsizetype length : {qsizetype{300}, whole.size() - 4}) {
      write_file(path("p7.dcm"), whole.left(length));
      EXPECT_THROWS(InputError, imported(), "p7.dcm: ");
      EXPECT_THROWS(InputError, imported(), "--leave-out-damaged");
      const ImportedScan scan = import_scan(without);
      QCOMPARE(scan.scan.geometry->views(), views - 1);
      EXPECT_NEAR(scan.scan.geometry->angle_rad(0), sound.scan.geometry->angle_rad(0), 1e-9);
      for (int view = 1; view + 1 < views; ++view)
        EXPECT_NEAR(scan.scan.geometry->angle_rad(view), sound.scan.geometry->angle_rad(view + 1),
                    1e-9);
      QVERIFY(std::ranges::any_of(scan.scan.notes, [](const std::string& note) {
        return note.starts_with("a damaged file was left out: ");
      }));
    }
  }

  void badSeriesAreRefused_data() {
    QTest::addColumn<QString>("message");
    QTest::addColumn<int>("what");
    const std::vector<std::pair<const char*, const char*>> rows = {
        {"no distance", "ConstantRadialDistance (7031,1031) is missing"},
        {"another size", "the images are of 40 x 5 values, the detector is of 40 x 6 cells"},
        {"a sphere", "the detector is SPHERICAL"},
        {"another detector", "states another detector than"},
        {"two series", "holds the projections of 2 series"},
        {"not finite", "DetectorFocalCenterRadialDistance (7031,1003)"},
        {"a wild shift", "more than a focal spot is deflected"},
        {"a lost slope", "b: RescaleSlope (0028,1053) is missing in 1 of 2 projections"},
        {"a lost intercept", "b: RescaleIntercept (0028,1052) is missing in 1 of 2 projections"},
        {"no scale", "b: RescaleSlope (0028,1053) is 0"}};
    for (std::size_t i = 0; i < rows.size(); ++i)
      QTest::addRow("%s", rows[i].first) << rows[i].second << static_cast<int>(i);
  }
  void badSeriesAreRefused() {
    QFETCH(QString, message);
    QFETCH(int, what);
    const Scanner scanner;
    TinyDicom bad = scanner.file(on_circle(1), 2);
    switch (what) {
      case 0:
        bad.remove(0x70311031);
        break;
      case 1:
        bad.number(0x00280010, 5);
        break;
      case 2:
        bad.text(0x7029100b, "CS", "SPHERICAL");
        break;
      case 3:
        bad.reals(0x70291002, {7});
        break;
      case 4:
        bad.text(0x0020000e, "UI", "2.25.77");
        break;
      case 5:
        bad.reals(0x70311003, {std::numeric_limits<float>::quiet_NaN()});
        break;
      case 6:
        bad.reals(0x7033100b, {2}).reals(0x7033100c, {3});
        break;
      case 7:
        bad.remove(0x00281053);
        break;
      case 8:
        bad.remove(0x00281052);
        break;
      default:
        bad.text(0x00281053, "DS", "0");
        break;
    }
    save(scanner.file(on_circle(0), 1), "a");
    save(bad, "b");
    EXPECT_THROWS(InputError, imported(), message.toStdString());
  }
};

GANTRY_TEST(TestCtPdScan)
#include "test_ct_pd_scan.moc"
