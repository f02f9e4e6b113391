// The axis of rotation of half a turn from its spectrum.
#include "core/alignment/fourier_energy.hpp"
#include "core/base/error.hpp"
#include "core/io/imports/import_scan.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

/// A parallel scan of a head, `step_deg` between its views, the axis at a column.
ScanSpec head_scan(int columns, double centre, int views, double step_deg) {
  const Vec3 half = phantom("forbild_head")->half_extent_mm();
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = columns;
  spec.column_pitch_mm = spec.row_pitch_mm = 2.8 * std::max(half.x, half.y) / columns;
  spec.central_column = centre;
  spec.view_angles_rad = angles_from_degrees(23, step_deg, views);
  return spec;
}

std::vector<float> measured(const ScanSpec& spec, double photons) {
  return test::measured(*phantom("forbild_head"), ScanGeometry(spec), photons);
}

}  // namespace

class TestFourierEnergy : public QObject {
  Q_OBJECT
 private slots:
  void theAxisIsFound_data() {
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("centre");
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("photons");
    QTest::addRow("without noise") << 256 << 121.37 << 180 << 1.0 << 0.0;
    QTest::addRow("without its end") << 256 << 121.37 << 180 << 1.0 << 1e4;
    QTest::addRow("with its end") << 256 << 132.8 << 181 << 1.0 << 1e4;
    QTest::addRow("the other way") << 256 << 140.2 << 180 << -1.0 << 1e4;
    QTest::addRow("few views") << 256 << 129.71 << 60 << 3.0 << 1e4;
    QTest::addRow("odd numbers of cells and views") << 263 << 137.63 << 179 << 180.0 / 179 << 1e4;
    QTest::addRow("many columns, binned at first") << 700 << 373.29 << 127 << 180.0 / 127 << 1e4;
    QTest::addRow("1000 photons") << 256 << 122.4 << 180 << 1.0 << 1e3;
  }
  void theAxisIsFound() {
    QFETCH(int, columns);
    QFETCH(double, centre);
    QFETCH(int, views);
    QFETCH(double, step);
    QFETCH(double, photons);
    const ScanSpec spec = head_scan(columns, centre, views, step);
    const auto found =
        centre_from_fourier_energy(with_axis_in_the_middle(spec), measured(spec, photons));
    QVERIFY(found.has_value());
    qInfo("column %.3f for %.3f, spread %.3f, mismatch %.3g", found->column, centre, found->spread,
          found->mismatch);
    EXPECT_NEAR(found->column, centre, photons == 1e3 ? 0.3 : 0.1);
    QVERIFY(found->spread < 0.3);
  }

  /// Axes beside an object with air on both sides leave little energy, too.
  void anAxisFarFromTheMiddleIsFound_data() {
    QTest::addColumn<double>("centre");
    for (const double centre : {112.0, 121.8, 145.0}) QTest::addRow("%g", centre) << centre;
  }
  void anAxisFarFromTheMiddleIsFound() {
    QFETCH(double, centre);
    ScanSpec spec = head_scan(256, centre, 360, 0.5);
    spec.column_pitch_mm = spec.row_pitch_mm = 0.5;
    const auto object = phantom("shepp_logan", {{"size_mm", 100.0}});
    const ScanGeometry scan(spec);
    for (const double photons : {0.0, 1e4}) {
      const auto p = test::measured(*object, scan, photons);
      const auto found = centre_from_fourier_energy(with_axis_in_the_middle(spec), p);
      QVERIFY(found.has_value());
      EXPECT_NEAR(found->column, centre, 0.1);
      QVERIFY(why_no_fourier_energy(scan, p).empty());
    }
  }

  /// The reference is that of the data's provenance: mirrored end views, and the sharpest slice.
  void theAxisOfAMeasuredScanIsFound() {
    NEED_DATA("scans-in/proj_i13_24737_tiff");
    ImportRequest request;
    request.path = data_path("scans-in/proj_i13_24737_tiff");
    const LoadedScan scan = import_scan(request).scan;
    const auto found = centre_from_fourier_energy(*scan.geometry, scan.line_integrals);
    QVERIFY(found.has_value());
    qInfo("column %.3f, spread %.3f, mismatch %.3g", found->column, found->spread, found->mismatch);
    EXPECT_NEAR(found->column, 85.9, 0.3);
  }

  void otherScansTellNothing() {
    const ScanSpec third = head_scan(128, 60, 60, 2);
    QVERIFY(!centre_from_fourier_energy(ScanGeometry(third), measured(third, 0)));
    QCOMPARE(why_no_fourier_energy(ScanGeometry(third), measured(third, 0)),
             std::string("the views cover 120 degrees"));
    const ScanSpec whole = head_scan(128, 60, 90, 4);
    QVERIFY(!centre_from_fourier_energy(ScanGeometry(whole), measured(whole, 0)));
    ScanSpec gap = head_scan(128, 60, 90, 2);  // half a turn of which a tenth is missing
    gap.view_angles_rad.erase(gap.view_angles_rad.begin() + 40, gap.view_angles_rad.begin() + 49);
    QVERIFY(!centre_from_fourier_energy(ScanGeometry(gap), measured(gap, 0)));
    QCOMPARE(why_no_fourier_energy(ScanGeometry(gap), measured(gap, 0)),
             std::string("the views leave a gap of 20 degrees"));
    const ScanGeometry fan(fan_spec(90, 128, 1));
    QVERIFY(!centre_from_fourier_energy(fan, std::vector<float>(fan.rays())));
    EXPECT_THROWS(ShapeError,
                  centre_from_fourier_energy(ScanGeometry(third), std::vector<float>(3)),
                  "geometry");
  }

  void neitherAirNorNoiseHasAnAxis() {
    const ScanGeometry scan(head_scan(128, 60, 90, 2));
    std::vector<float> p(scan.rays());
    QVERIFY(!centre_from_fourier_energy(scan, p));
    add_transmission_noise(std::vector<float>(scan.rays(), 1), {.photons_per_ray = 1e4}, p);
    QVERIFY(!centre_from_fourier_energy(scan, p));
  }
};

GANTRY_TEST(TestFourierEnergy)
#include "test_fourier_energy.moc"
