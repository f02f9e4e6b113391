// The axis of rotation of fan and cone beams from what two views have in common.
#include "core/alignment/beam_consistency.hpp"
#include "core/alignment/centre_from_data.hpp"
#include "core/alignment/even_views.hpp"
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int flat = static_cast<int>(DetectorShape::flat),
              arc = static_cast<int>(DetectorShape::arc);

/// A scan of a head on a detector with air beside it; of a part of its height, 0: a fan beam.
ScanSpec head_scan(int columns, int views, double arc_deg, double height) {
  const Vec3 half = phantom("forbild_head_3d")->half_extent_mm();
  ScanSpec spec = default_scan(std::max(half.x, half.y), height * 2 * half.z, columns);
  spec.column_pitch_mm *= 1.15;
  spec.view_angles_rad = angles_from_degrees(17, arc_deg / views, views);
  return spec;
}

}  // namespace

class TestBeamConsistency : public QObject {
  Q_OBJECT
 private slots:
  void theAxisIsFound_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<double>("height");  // of the head that the detector sees
    QTest::addColumn<double>("arc");
    QTest::addColumn<double>("part");       // of the columns left of the axis
    QTest::addColumn<double>("distances");  // of source and detector, relative to the usual ones
    QTest::addRow("cone") << flat << 1.0 << 360.0 << 0.513 << 1.0;
    QTest::addRow("cone, the other side and way") << flat << 1.0 << -360.0 << 0.4577 << 1.0;
    QTest::addRow("cone, a short scan") << flat << 1.0 << 200.0 << 0.531 << 1.0;
    QTest::addRow("cone, a third of a turn") << flat << 1.0 << 120.0 << 0.482 << 1.0;
    QTest::addRow("cone, a fifth of the height") << flat << 0.2 << 225.0 << 0.531 << 1.0;
    QTest::addRow("cone, arc detector") << arc << 1.0 << 360.0 << 0.4872 << 1.0;
    QTest::addRow("cone of six degrees") << flat << 1.0 << 200.0 << 0.52 << 5.0;
    QTest::addRow("fan") << flat << 0.0 << 360.0 << 0.513 << 1.0;
    QTest::addRow("fan, a short scan on an arc") << arc << 0.0 << 225.0 << 0.4789 << 1.0;
  }
  /// 10 000 photons a ray; the stated axis is the middle of the detector.
  void theAxisIsFound() {
    QFETCH(int, shape);
    QFETCH(double, height);
    QFETCH(double, arc);
    QFETCH(double, part);
    QFETCH(double, distances);
    const bool is_fan = height == 0;
    ScanSpec spec = head_scan(is_fan ? 512 : 96, is_fan ? 360 : 60, arc, height);
    spec.detector = static_cast<DetectorShape>(shape);
    spec.source_to_isocenter_mm *= distances;
    spec.source_to_detector_mm *= distances;
    spec.central_column = part * spec.detector_columns;
    const auto found = centre_from_beam_consistency(
        with_axis_in_the_middle(spec),
        measured(*phantom(is_fan ? "forbild_head" : "forbild_head_3d"), ScanGeometry(spec), 1e4));
    QVERIFY(found.has_value());
    qInfo("column %.3f for %.3f, spread %.3f, mismatch %.2g", found->column, spec.central_column,
          found->spread, found->mismatch);
    EXPECT_NEAR(found->column, spec.central_column, 0.1);
    QVERIFY(found->spread < 0.15);
    QVERIFY(describe_support(*found).starts_with("what "));
  }

  /// The errors of a fan's short scan are as large as the spread says, whatever the noise.
  void theSpreadOfAShortScanIsItsError() {
    ScanSpec spec;
    spec.beam = Beam::fan;
    spec.source_to_isocenter_mm = 250;
    spec.source_to_detector_mm = 500;
    spec.detector_columns = 256;
    spec.column_pitch_mm = spec.row_pitch_mm = 0.5;
    spec.central_column = 121.8;
    spec.view_angles_rad = angles_from_degrees(7, 0.5, 430);
    const ScanGeometry scan(spec);
    std::vector<float> exact(scan.rays()), noisy(scan.rays());
    project_exactly(*phantom("shepp_logan", {{"size_mm", 50.0}}), scan, 4, exact);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      add_transmission_noise(exact, {.photons_per_ray = 1e4, .seed = seed}, noisy);
      const auto found = centre_from_beam_consistency(with_axis_in_the_middle(spec), noisy);
      QVERIFY(found.has_value());
      qInfo("column %.3f, spread %.3f", found->column, found->spread);
      QVERIFY(std::abs(found->column - spec.central_column) < 2.5 * found->spread);
    }
  }

  /// A detector above the plane of the source has none of the rays that are measured from both
  /// sides.
  void rowsOutsideThePlaneOfTheSourceSuffice() {
    ScanSpec spec = head_scan(96, 60, 360, 1);
    spec.detector_rows = 52;
    spec.central_row = -8;
    spec.central_column = 50.3;
    const std::vector<float> p = measured(*phantom("forbild_head_3d"), ScanGeometry(spec), 1e4);
    QVERIFY(!centre_from_conjugate_rays(with_axis_in_the_middle(spec), p));
    const auto found = centre_from_data(with_axis_in_the_middle(spec), p);
    QVERIFY(found.has_value());
    EXPECT_NEAR(found->column, 50.3, 0.1);
  }

  /// Columns and rows of large detectors are averaged; the axis is that of the detector's columns.
  void largeDetectorsAreBinned() {
    ScanSpec spec = head_scan(1043, 60, 360, 0.02);
    spec.central_column = 498.3;
    const auto found = centre_from_beam_consistency(
        with_axis_in_the_middle(spec),
        measured(*phantom("forbild_head_3d"), ScanGeometry(spec), 1e4));
    QVERIFY(found.has_value());
    EXPECT_NEAR(found->column, 498.3, 0.2);
  }

  void otherScansTellNothing() {
    const auto head = phantom("forbild_head");
    const auto found = [&](const ScanSpec& spec) {
      const ScanGeometry scan(spec);
      return centre_from_beam_consistency(scan, measured(*head, scan, 1e4));
    };
    const auto nothing = [&](const ScanSpec& spec) { return !found(spec); };
    ScanSpec whole = head_scan(128, 90, 360, 0);
    QVERIFY(!nothing(whole));
    ScanSpec half_fan = whole;
    half_fan.central_column = 46;
    QVERIFY(nothing(half_fan));  // every view leaves out a part of the head
    ScanSpec narrow = whole;
    narrow.column_pitch_mm *= 0.95 / 1.15;
    QVERIFY(nothing(narrow));  // the first and the last columns see no air
    QVERIFY(nothing(head_scan(128, 60, 60, 0)));
    ScanSpec uneven = whole;
    uneven.view_angles_rad[40] += radians(1);
    QVERIFY(nothing(uneven));
    ScanSpec gaps = whole;
    gaps.view_angles_rad.erase(gaps.view_angles_rad.begin() + 5, gaps.view_angles_rad.begin() + 15);
    const auto of_others = found(gaps);
    QVERIFY(of_others.has_value());
    EXPECT_NEAR(of_others->column, gaps.central_column, 0.1);
    // Views of different objects have nothing in common, nor have air and the noise of it.
    const ScanGeometry scan(whole);
    std::vector<float> odd(scan.rays());
    QVERIFY(!centre_from_beam_consistency(scan, odd));
    QVERIFY(!centre_from_beam_consistency(scan, with_noise(odd, 1e4)));
    for (std::size_t i = 0; i < odd.size(); ++i)
      if (i % 128 > 10 && i % 128 < 117) odd[i] = static_cast<float>(i / 128 * 7919 % 1000) * 1e-3F;
    QVERIFY(!centre_from_beam_consistency(scan, odd));
    ScanSpec parallel = whole;
    parallel.beam = Beam::parallel;
    parallel.column_pitch_mm *= whole.source_to_isocenter_mm / whole.source_to_detector_mm;
    QVERIFY(nothing(parallel));
    EXPECT_THROWS(ShapeError, centre_from_beam_consistency(scan, std::vector<float>(3)),
                  "geometry");
  }

  void anInterruptEndsTheSearch() {
    const ScanGeometry scan(head_scan(128, 90, 360, 0));
    const std::vector<float> p = measured(*phantom("forbild_head"), scan, 0);
    Interrupt interrupt;
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(Interrupted, centre_from_beam_consistency(scan, p, &interrupt));
  }

  /// Views that run backwards over more than a turn, with 7 columns and 3 rows.
  void viewsAreOrderedAndAveraged() {
    ScanSpec spec = head_scan(7, 8, -480, 0);
    spec.detector_rows = 3;
    spec.central_row = 1;
    const ScanGeometry scan(spec);
    std::vector<float> p;
    for (std::size_t i = 0; i < scan.rays(); ++i) p.push_back(static_cast<float>(i));
    const auto even = even_views(scan, p, {.columns = 3, .rows = 1, .views = 3});
    QVERIFY(even.has_value());
    // Of views 7, 6 .. 2 of a turn, every second one; of the columns, 6 is left out.
    QCOMPARE(even->views, 3);
    QVERIFY(even->is_closed);
    EXPECT_NEAR(even->step_rad, radians(120), 1e-9);
    QCOMPARE(even->columns, 2);
    QCOMPARE(even->rows, 1);
    QCOMPARE(even->detector_column(1), 4.0);
    EXPECT_NEAR(even->central_row, 0, 1e-12);
    // View 5, columns 3 to 5 of three rows: the middle one is cell 11 of 21.
    EXPECT_NEAR(even->cell(0, 1)[1], 5 * 21 + 11, 1e-3);
    spec.view_angles_rad[3] += radians(4);
    QVERIFY(!even_views(ScanGeometry(spec), p));
    spec.view_angles_rad.erase(spec.view_angles_rad.begin() + 3);
    const ScanGeometry gap(spec);
    const auto missing = even_views(gap, std::span(p).first(gap.rays()));
    QVERIFY(missing.has_value());
    QVERIFY((missing->is_measured == std::vector<bool>{true, true, true, true, false, true}));
    EXPECT_NEAR(missing->cell(2, 6)[4], 0, 0);
    EXPECT_NEAR(missing->cell(2, 6)[5], 2 * 21 + 20, 0);
  }
};

GANTRY_TEST(TestBeamConsistency)
#include "test_beam_consistency.moc"
