// The tilt of the detector as a small reconstruction refines it.
#include "core/base/error.hpp"
#include "core/centring/tilt_from_residual.hpp"
#include "core/geometry/detector_move.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

std::vector<float> measured_head(const ScanSpec& spec, double tilt_deg) {
  return measured(*phantom("shepp_logan_ks"),
                  ScanGeometry(with_moved_detector(spec, {.roll_rad = radians(tilt_deg)})), 1e4);
}

}  // namespace

class TestTiltFromResidual : public QObject {
  Q_OBJECT
 private slots:
  void theTiltIsRefined_data() {
    QTest::addColumn<double>("tilt");
    QTest::addColumn<int>("views");
    QTest::addRow("whole turn") << 0.3 << 144;
    QTest::addRow("whole turn, to the other side") << -0.7 << 144;
    QTest::addRow("short scan, none") << 0.0 << 90;
  }
  void theTiltIsRefined() {
    QFETCH(double, tilt);
    QFETCH(int, views);
    ScanSpec spec = fine_cone();
    spec.view_angles_rad = angles_from_degrees(0, 2.5, views);
    const std::vector<float> p = measured_head(spec, tilt);
    const ScanGeometry stated = with_axis_in_the_middle(spec);
    const auto found = tilt_of_detector(stated, p);
    QVERIFY(found.has_value());
    const auto refined = tilt_from_residual(stated, p, *found);
    QVERIFY(refined.has_value());
    qInfo("%.4f degrees, error %.4f; refined %.4f, error %.4f", degrees(found->tilt_rad),
          degrees(found->error_rad), degrees(refined->tilt_rad), degrees(refined->error_rad));
    EXPECT_NEAR(degrees(refined->tilt_rad), tilt, 0.02);
    EXPECT_NEAR(degrees(refined->tilt_rad), tilt, 3 * degrees(refined->error_rad));
    QVERIFY(refined->error_rad < 0.7 * found->error_rad);
    QCOMPARE(refined->column, found->column);
  }

  /// A tilt that is known better than the residual tells it stays, and so does that of a half fan
  /// along which the object is cut off at both ends, of which the residual tells little.
  void aTiltThatIsNotImprovedStays() {
    ScanSpec spec = fine_cone();
    spec.detector_columns = 288;
    spec.detector_rows = 72;
    spec.central_row = 35.5;
    spec.central_column = 67;
    const std::vector<float> p = measured_head(spec, 0.3);
    const ScanGeometry half(spec);
    const DetectorTilt known{
        .tilt_rad = radians(0.301), .column = 67, .error_rad = radians(0.001), .rows = 20};
    QVERIFY(!tilt_from_residual(half, p, known));
    const auto found = tilt_of_detector(half, p);
    QVERIFY(found.has_value());
    QVERIFY(!tilt_from_residual(half, p, *found));
  }

  /// Nothing is computed for scans that are not refined.
  void otherScansAreNotRefined() {
    const DetectorTilt found{.column = 154.7, .error_rad = radians(0.03), .rows = 20};
    const auto refined = [&](const ScanSpec& spec) {
      const ScanGeometry scan(spec);
      return tilt_from_residual(scan, std::vector<float>(scan.rays(), 1), found).has_value();
    };
    ScanSpec parallel = fine_cone();
    parallel.beam = Beam::parallel;
    QVERIFY(!refined(parallel));
    ScanSpec part = fine_cone();
    part.view_angles_rad = angles_from_degrees(0, 2.5, 80);
    QVERIFY(!refined(part));
    ScanSpec half = fine_cone();
    half.detector_columns = 200;
    half.view_angles_rad = angles_from_degrees(0, 2.5, 100);
    QVERIFY(!refined(half));
    ScanSpec low = fine_cone();
    low.detector_rows = 20;
    low.central_row = 9.5;
    QVERIFY(!refined(low));
    ScanSpec few = fine_cone();
    few.view_angles_rad = angles_from_degrees(0, 15, 24);
    QVERIFY(!refined(few));
    ScanSpec coarse = coarse_cone();
    QVERIFY(!refined(coarse));
    ScanSpec wide = fine_cone();
    wide.column_pitch_mm = 10;
    QVERIFY(!refined(wide));
  }

  void aRefinementIsInterrupted() {
    const ScanGeometry scan(fine_cone());
    const DetectorTilt found{.column = 154.7, .error_rad = radians(0.03), .rows = 20};
    Interrupt interrupt;
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(
        Interrupted,
        tilt_from_residual(scan, std::vector<float>(scan.rays(), 1), found, &interrupt));
    EXPECT_THROWS(ShapeError, tilt_from_residual(scan, std::vector<float>(3), found), "geometry");
  }
};

GANTRY_TEST(TestTiltFromResidual)
#include "test_tilt_from_residual.moc"
