// The axis of rotation of half a turn whose end is not measured, for objects that mislead spectra.
#include "core/alignment/centre_from_data.hpp"
#include "core/alignment/fourier_energy.hpp"
#include "core/alignment/half_turn_ends.hpp"
#include "core/base/error.hpp"
#include "core/centring/sharpest_slice.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A cylinder along the axis, with attenuation per column.
struct Rod {
  double x = 0, y = 0, radius = 0, mu = 0;
};

std::vector<double> over_half_turn(int views) {
  return angles_from_degrees(0, 180.0 / views, views);
}

ScanSpec scan_of(int columns, std::vector<double> angles_rad) {
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = columns;
  spec.column_pitch_mm = spec.row_pitch_mm = 1;
  spec.central_column = 0.5 * (columns - 1);
  spec.view_angles_rad = std::move(angles_rad);
  return spec;
}

/// Returns the line integrals of rods about an axis, measured with so many photons a ray.
std::vector<float> measured(const ScanGeometry& scan, const std::vector<Rod>& rods, double centre,
                            double photons) {
  std::vector<float> p;
  for (int view = 0; view < scan.views(); ++view)
    for (int column = 0; column < scan.columns(); ++column) {
      double sum = 0;
      const double angle = scan.angle_rad(view);
      for (const Rod& rod : rods) {
        const double at = rod.x * std::cos(angle) + rod.y * std::sin(angle),
                     off = column - centre - at;
        sum += 2 * rod.mu * std::sqrt(std::max(0.0, rod.radius * rod.radius - off * off));
      }
      p.push_back(static_cast<float>(sum));
    }
  return with_noise(p, photons);
}

const std::vector<Rod> cylinder{{0, 0, 75, 0.008}, {25, 12, 10, 0.016}, {-30, 15, 8, 0.016}};
const std::vector<Rod> one_rod{{15, 5, 4, 0.02}};

/// Returns rods in parts of the columns, of which the attenuation is that of the whole width.
std::vector<Rod> rods_over(int columns, std::vector<Rod> rods) {
  for (Rod& rod : rods) {
    rod.x *= columns;
    rod.y *= columns;
    rod.radius *= columns;
    rod.mu /= columns;
  }
  return rods;
}

/// A body beside the axis with details, several thin rods, and a body that reaches far beyond the
/// detector.
const std::vector<Rod> beside{{0.12, -0.1, 0.2, 1.5}, {0.2, -0.05, 0.04, 8}, {0.05, -0.2, 0.03, 8}};
const std::vector<Rod> thin_rods{{0.2, 0.1, 0.02, 20},
                                 {-0.1, 0.25, 0.02, 20},
                                 {0.05, -0.3, 0.02, 20},
                                 {-0.3, -0.1, 0.02, 20},
                                 {0.1, 0.02, 0.02, 20}};
const std::vector<Rod> beyond{{0.1, 0.05, 0.8, 0.7}, {0.5, 0.3, 0.06, 4},  {-0.2, 0.55, 0.08, 4},
                              {0.1, -0.6, 0.05, 4},  {-0.5, -0.2, 0.1, 3}, {0.2, 0.1, 0.04, 4},
                              {-0.1, 0.2, 0.05, -2}};

}  // namespace

class TestHalfTurnEnds : public QObject {
  Q_OBJECT
 private slots:
  /// The spectrum of a smooth cylinder is least 20 to 120 columns beside the axis.
  void simpleObjectsHaveTheirAxis_data() {
    QTest::addColumn<double>("centre");
    for (const double centre : {94.4, 105.8, 114.9, 142.5, 151.1})
      QTest::addRow("%g", centre) << centre;
  }
  void simpleObjectsHaveTheirAxis() {
    QFETCH(double, centre);
    const ScanGeometry scan(scan_of(256, over_half_turn(360)));
    const std::vector<float> p = measured(scan, cylinder, centre, 1e4);
    const auto found = centre_from_data(scan, p);
    QVERIFY(found.has_value());
    EXPECT_NEAR(found->column, centre, 0.15);
    QVERIFY(found->spread < 0.3);
    QVERIFY(describe_support(*found).starts_with("5 views at each end of half a turn"));
    const auto by_spectrum = centre_from_fourier_energy(scan, p);
    QVERIFY(!by_spectrum || std::abs(by_spectrum->column - centre) < 1);
  }

  void theOrderOfTheViewsDoesNotMatter_data() {
    QTest::addColumn<std::vector<double>>("angles");
    const std::vector<double> rising = over_half_turn(180);
    std::vector<double> angles = rising;
    for (double& angle : angles) angle = -angle;
    QTest::addRow("negative angles") << angles;
    angles = rising;
    std::ranges::reverse(angles);
    QTest::addRow("falling") << angles;
    angles = rising;
    std::ranges::shuffle(angles, std::mt19937(3));
    QTest::addRow("permuted") << angles;
    angles.clear();
    for (std::size_t i = 0; i < 180; i += 2) angles.push_back(rising[i]);
    for (std::size_t i = 0; i < 180; i += 2) angles.push_back(rising[179 - i]);
    QTest::addRow("there and back") << angles;
    angles = rising;
    for (double& angle : angles) angle += 5.5;
    QTest::addRow("across a whole turn") << angles;
  }
  void theOrderOfTheViewsDoesNotMatter() {
    QFETCH(std::vector<double>, angles);
    const ScanGeometry scan(scan_of(192, angles));
    const std::vector<float> p = measured(scan, cylinder, 101.3, 1e4);
    const auto found = centre_from_data(scan, p), sharpest = centre_from_sharpness(scan, p);
    QVERIFY(found.has_value() && sharpest.has_value());
    EXPECT_NEAR(found->column, 101.3, 0.15);
    EXPECT_NEAR(sharpest->column, 101.3, 0.3);
  }

  void opposedViewsOfAnyOrderAreFound() {
    std::vector<double> angles = angles_from_degrees(0, 1, 200);
    std::ranges::shuffle(angles, std::mt19937(5));
    const ScanGeometry scan(scan_of(192, angles));
    const auto found = centre_from_data(scan, measured(scan, cylinder, 88.2, 1e4));
    QVERIFY(found.has_value());
    EXPECT_NEAR(found->column, 88.2, 0.15);
    QCOMPARE(found->pairs, 20);  // of the views beyond 180 degrees
  }

  void smallAndTruncatedObjectsHaveTheirAxis() {
    const ScanGeometry scan(scan_of(96, over_half_turn(90)));
    const auto of_rod = centre_from_half_turn_ends(scan, measured(scan, one_rod, 60.2, 1e4)),
               truncated = centre_from_half_turn_ends(scan, measured(scan, cylinder, 41.3, 1e4));
    QVERIFY(of_rod.has_value() && truncated.has_value());
    EXPECT_NEAR(of_rod->column, 60.2, 0.2);
    EXPECT_NEAR(truncated->column, 41.3, 0.2);
  }

  /// What the object moves from view to view grows with the step and the columns; parts beside the
  /// axis move more than a column.
  void stepsOfAnySizeTellTheAxis_data() {
    QTest::addColumn<std::vector<Rod>>("object");
    QTest::addColumn<int>("views");
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("centre");
    QTest::addColumn<double>("within");
    struct Row {
      const char* name;
      const std::vector<Rod>* object;
      int views, columns;
      double centre, within;
    };
    for (const Row& row : {Row{"beside, 0.5 degrees", &beside, 360, 1024, 500.3, 0.1},
                           Row{"beside, 1 degree", &beside, 180, 1024, 540.7, 0.1},
                           Row{"beside, 3 degrees", &beside, 60, 1024, 500.3, 0.2},
                           Row{"beside, 7.5 degrees", &beside, 24, 256, 120.9, 0.2},
                           Row{"beside, far from the middle", &beside, 90, 512, 190.4, 0.2},
                           Row{"rods, 0.5 degrees", &thin_rods, 360, 1024, 500.3, 0.1},
                           Row{"rods, 1 degree", &thin_rods, 180, 1024, 540.7, 0.1},
                           Row{"rods, 3 degrees", &thin_rods, 60, 1024, 500.3, 0.2},
                           Row{"rods, 5 degrees", &thin_rods, 36, 256, 135.2, 0.2},
                           Row{"beyond, 0.5 degrees", &beyond, 360, 512, 244.3, 0.1},
                           Row{"beyond, 1 degree", &beyond, 180, 512, 270.8, 0.1},
                           Row{"beyond, 3 degrees", &beyond, 60, 256, 120.9, 0.2}})
      QTest::addRow("%s", row.name) << rods_over(row.columns, *row.object) << row.views
                                    << row.columns << row.centre << row.within;
  }
  void stepsOfAnySizeTellTheAxis() {
    QFETCH(std::vector<Rod>, object);
    QFETCH(int, views);
    QFETCH(int, columns);
    QFETCH(double, centre);
    QFETCH(double, within);
    const ScanGeometry scan(scan_of(columns, over_half_turn(views)));
    for (const double photons : {0.0, 1e5}) {
      const auto found = centre_from_half_turn_ends(scan, measured(scan, object, centre, photons));
      QVERIFY(found.has_value());
      EXPECT_NEAR(found->column, centre, within);
    }
  }

  /// Where details far beyond the detector cross it within a view, the spread says so; where they
  /// leave no axis, none is told.
  void coarseStepsOfWhatReachesBeyondAreUncertain() {
    for (const int views : {30, 36, 40}) {
      const ScanGeometry scan(scan_of(256, over_half_turn(views)));
      for (const double centre : {110.4, 128.3, 140.4}) {
        const auto found =
            centre_from_half_turn_ends(scan, measured(scan, rods_over(256, beyond), centre, 1e5));
        QVERIFY(!found || std::abs(found->column - centre) < std::max(0.2, found->spread));
      }
    }
  }

  void otherScansTellNothing() {
    const auto tells = [](const ScanGeometry& scan, double photons) {
      return centre_from_half_turn_ends(scan, measured(scan, cylinder, 98, photons)).has_value();
    };
    QVERIFY(tells(ScanGeometry(scan_of(192, over_half_turn(90))), 0));
    QVERIFY(!tells(ScanGeometry(scan_of(192, angles_from_degrees(0, 1.9, 90))), 0));
    QVERIFY(!tells(ScanGeometry(scan_of(192, angles_from_degrees(0, 4, 90))), 0));
    QVERIFY(!tells(ScanGeometry(scan_of(192, over_half_turn(15))), 0));
    const ScanGeometry air(scan_of(192, over_half_turn(90)));
    QVERIFY(!centre_from_half_turn_ends(air, std::vector<float>(air.rays())));
    QVERIFY(!centre_from_half_turn_ends(air, measured(air, {}, 98, 1e3)));
    // The data that tell the axis of a parallel beam, so that the beam alone makes the difference.
    ScanSpec fan = scan_of(192, over_half_turn(90));
    fan.beam = Beam::fan;
    fan.source_to_isocenter_mm = 200;
    fan.source_to_detector_mm = 300;
    QVERIFY(!tells(ScanGeometry(fan), 0));
    EXPECT_THROWS(ShapeError, centre_from_half_turn_ends(air, std::vector<float>(3)), "geometry");
  }
};

GANTRY_TEST(TestHalfTurnEnds)
#include "test_half_turn_ends.moc"
