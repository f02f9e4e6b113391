// The axis of rotation from views half a turn apart.
#include "core/alignment/covered_arc.hpp"
#include "core/alignment/opposite_views.hpp"
#include "core/base/error.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <numbers>
#include <vector>

using namespace gantry;

namespace {

/// A parallel scan of `views` over `arc_deg` degrees, both ends measured.
ScanGeometry parallel(int columns, int rows, double centre, int views, double arc_deg) {
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = columns;
  spec.detector_rows = rows;
  spec.column_pitch_mm = spec.row_pitch_mm = 1;
  spec.central_column = centre;
  spec.view_angles_rad = angles_from_degrees(0, arc_deg / (views - 1), views);
  return ScanGeometry(spec);
}

/// Line integrals of two discs of Gaussian profile that turn about the axis, exact at the centres
/// of the cells. The discs differ from row to row.
std::vector<float> two_discs(const ScanGeometry& geometry) {
  std::vector<float> p;
  for (int view = 0; view < geometry.views(); ++view)
    for (int row = 0; row < geometry.rows(); ++row)
      for (int column = 0; column < geometry.columns(); ++column) {
        const double t = column - geometry.spec().central_column, angle = geometry.angle_rad(view);
        const auto disc = [&](double x, double y, double width) {
          const double at = x * std::cos(angle) + y * std::sin(angle);
          return std::exp(-0.5 * (t - at) * (t - at) / (width * width));
        };
        p.push_back(static_cast<float>(disc(11, 3, 6 + row) + 0.6 * disc(-17, 8, 4)));
      }
  return p;
}

}  // namespace

class TestOppositeViews : public QObject {
  Q_OBJECT
 private slots:
  void theAxisIsFound_data() {
    QTest::addColumn<double>("centre");
    QTest::addColumn<double>("arc");
    QTest::addRow("middle") << 63.5 << 180.0;
    QTest::addRow("right of it") << 71.3 << 180.0;
    QTest::addRow("left of it") << 49.85 << 180.0;
    QTest::addRow("whole turn") << 66.2 << 360.0;
  }
  void theAxisIsFound() {
    QFETCH(double, centre);
    QFETCH(double, arc);
    const ScanGeometry truth = parallel(128, 5, centre, 61, arc);
    const std::vector<float> p = two_discs(truth);
    const ScanGeometry guess = parallel(128, 5, 63.5, 61, arc);  // what an importer knows
    const auto found = centre_from_opposite_views(guess, p);
    QVERIFY(found.has_value());
    EXPECT_NEAR(found->column, centre, 0.1);
    QVERIFY(found->mismatch < 1e-3);
    QCOMPARE(found->pairs, arc > 180 ? 8 : 1);
  }

  void whatHasNoOppositeViewsHasNoEstimate() {
    const ScanGeometry shorter = parallel(128, 5, 60, 61, 150);
    QVERIFY(!centre_from_opposite_views(shorter, two_discs(shorter)).has_value());
    const ScanGeometry fan(test::fan_spec(8, 16, 1));
    QVERIFY(!centre_from_opposite_views(fan, std::vector<float>(fan.rays())).has_value());
    const ScanGeometry empty = parallel(16, 1, 7.5, 5, 180);
    QVERIFY(!centre_from_opposite_views(empty, std::vector<float>(empty.rays())).has_value());
    EXPECT_THROWS(ShapeError, centre_from_opposite_views(empty, std::vector<float>(3)), "geometry");
  }

  void theArcIsToldByTheEndViews_data() {
    QTest::addColumn<double>("last");
    QTest::addColumn<double>("arc");
    QTest::addColumn<bool>("open");
    QTest::addRow("half turn") << 180.0 << 180.0 << false;
    QTest::addRow("half turn without its end") << 180.0 * 60 / 61 << 180.0 << true;
    QTest::addRow("whole turn") << 360.0 << 360.0 << false;
    QTest::addRow("whole turn without its end") << 360.0 * 60 / 61 << 360.0 << true;
  }
  void theArcIsToldByTheEndViews() {
    QFETCH(double, last);
    QFETCH(double, arc);
    QFETCH(bool, open);
    const ScanGeometry scan = parallel(128, 5, 66.2, 61, last);
    const auto found = covered_arc(61, 5, 128, two_discs(scan));
    QVERIFY(found.has_value());
    QCOMPARE(found->arc_deg, arc);
    QCOMPARE(found->is_open, open);
  }
  /// Views of a single disc are symmetric and only move: they fit each other after any angle.
  void aSingleDiscTellsNoArc() {
    for (const double arc : {90.0, 180.0, 360.0}) {
      const ScanGeometry scan = parallel(128, 1, 66.2, 61, arc);
      std::vector<float> p;
      for (int view = 0; view < scan.views(); ++view)
        for (int column = 0; column < scan.columns(); ++column) {
          const double t = column - 66.2 - 20 * std::cos(scan.angle_rad(view));
          p.push_back(static_cast<float>(std::exp(-t * t / 50)));
        }
      QVERIFY(!covered_arc(61, 1, 128, p));
    }
  }
  void anotherArcIsNotTold() {
    for (const double arc : {90.0, 140.0, 250.0})
      QVERIFY(!covered_arc(61, 5, 128, two_discs(parallel(128, 5, 66.2, 61, arc))));
    QVERIFY(!covered_arc(7, 5, 128, two_discs(parallel(128, 5, 66.2, 7, 180))));
  }
};

GANTRY_TEST(TestOppositeViews)
#include "test_opposite_views.moc"
