// Projections in DICOM-CT-PD, made by the format's own left-handed cylindrical coordinates.
#include "core/io/imports/formats/flattened_frames.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/core/io/dicom/ct_pd_scanner.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace gantry;
using namespace gantry::test;

class TestCtPdScan : public QObject, CtPdFolder {
  Q_OBJECT

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

  /// No representation is stated of any value there.
  void implicitFiles() {
    save_scan(Scanner(), on_helix);
    const ImportedScan is_explicit = imported();
    init();
    save_scan(Scanner(), on_helix, false, false, TinyDicom::implicit_syntax);
    QCOMPARE(identify_file(folder()), FileKind::projections);
    const ImportedScan found = imported();
    QVERIFY(found.scan.line_integrals == is_explicit.scan.line_integrals);
    QVERIFY(found.scan.geometry->spec() == is_explicit.scan.geometry->spec());
    QCOMPARE(found.scan.mu_water, 0.0192);
    QVERIFY(found.scan.notes.empty());
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
};

GANTRY_TEST(TestCtPdScan)
#include "test_ct_pd_scan.moc"
