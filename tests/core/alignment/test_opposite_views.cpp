// The axis of rotation from views half a turn apart.
#include "core/alignment/centre_from_data.hpp"
#include "core/alignment/covered_arc.hpp"
#include "core/alignment/opposite_views.hpp"
#include "core/base/error.hpp"
#include "core/centring/sharpest_slice.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

using namespace gantry;
using test::with_noise;

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

/// Line integrals of a ball about the axis with smaller ones in it, exact at the centres of the
/// cells. Its radius is six tenths of the width of the detector.
std::vector<float> balls_about_the_axis(const ScanGeometry& geometry) {
  struct Ball {
    double x = 0, y = 0, z = 0, radius = 0, mu = 0;
  };
  constexpr std::array<Ball, 6> balls{
      Ball{0, 0, 0, 0.6, 1},           Ball{0.25, 0.1, 0.05, 0.17, 0.8},
      Ball{-0.3, 0.07, 0, 0.13, -0.7}, Ball{0.08, -0.3, 0, 0.12, 1.2},
      Ball{-0.1, -0.2, 0, 0.09, 1.5},  Ball{0.4, -0.1, 0, 0.08, 1}};
  const double width = geometry.columns();
  std::vector<float> p;
  for (int view = 0; view < geometry.views(); ++view)
    for (int row = 0; row < geometry.rows(); ++row)
      for (int column = 0; column < geometry.columns(); ++column) {
        const double at = (column - geometry.spec().central_column) / width,
                     angle = geometry.angle_rad(view);
        double sum = 0;
        for (const Ball& ball : balls) {
          const double off = at - ball.x * std::cos(angle) - ball.y * std::sin(angle),
                       up = row / width - ball.z;
          sum +=
              ball.mu * std::sqrt(std::max(0.0, ball.radius * ball.radius - off * off - up * up));
        }
        p.push_back(static_cast<float>(1.5 * sum));
      }
  return p;
}

std::vector<int> places(int views) {
  std::vector<int> all(static_cast<std::size_t>(views));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

class TestOppositeViews : public QObject {
  Q_OBJECT
 private slots:
  /// Air that is not zero, as after a beam that became weaker, fits its own mirror image anywhere
  /// beside the object, better than the object itself does where the views differ a little.
  void airBesideTheObjectIsNoAxis() {
    const ScanGeometry truth = parallel(200, 5, 110.3, 61, 180);
    std::vector<float> p = two_discs(truth);
    for (std::size_t i = 0; i < p.size(); ++i)
      p[i] = 0.25F + p[i] * (i < p.size() / 2 ? 1.0F : 1.15F);
    const auto found =
        centre_from_opposite_views(parallel(200, 5, 99.5, 61, 180), with_noise(p, 1e5));
    QVERIFY(found.has_value());
    EXPECT_NEAR(found->column, 110.3, 0.1);
  }

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
    QCOMPARE(found->pairs, arc > 180 ? 31 : 1);  // all there are
  }

  /// An odd number of views over a whole turn: the opposite of each lies between two others.
  void viewsInBetweenAreInterpolated() {
    const double arc = 360.0 * 74 / 75;
    const ScanGeometry truth = parallel(128, 5, 96.3, 75, arc);
    const auto found =
        centre_from_opposite_views(parallel(128, 5, 63.5, 75, arc), two_discs(truth));
    QVERIFY(found.has_value());
    EXPECT_NEAR(found->column, 96.3, 0.1);
    EXPECT_NEAR(found->spread, 0, 0.05);
    QCOMPARE(found->pairs, 75);
  }

  /// The axis lies near an end of the detector and the object reaches beyond that end: only a part
  /// of the columns sees lines from both sides.
  void halfAcquisitionsHaveTheirAxis_data() {
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("rows");
    QTest::addColumn<double>("centre");
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("photons");
    for (const int views : {90, 91})  // with opposite views, and with opposites in between
      for (const double photons : {0.0, 1e4}) {
        const auto add = [&](int columns, int rows, double centre) {
          QTest::addRow("%d columns, %d rows, %d views, column %g, %g photons", columns, rows,
                        views, centre, photons)
              << columns << rows << centre << views << photons;
        };
        add(200, 8, 20.2);
        add(200, 8, 10.15);
        add(200, 8, 188.9);
        add(200, 1, 20.2);
        add(620, 2, 62.3);
      }
  }
  void halfAcquisitionsHaveTheirAxis() {
    QFETCH(int, columns);
    QFETCH(int, rows);
    QFETCH(double, centre);
    QFETCH(int, views);
    QFETCH(double, photons);
    const double arc = 360.0 * (views - 1) / views;
    const ScanGeometry truth = parallel(columns, rows, centre, views, arc),
                       guess = parallel(columns, rows, 0.5 * (columns - 1), views, arc);
    const std::vector<float> p = with_noise(balls_about_the_axis(truth), photons);
    const auto found = centre_from_opposite_views(guess, p);
    QVERIFY(found.has_value());
    qInfo("column %.3f for %.3f, error %.3f", found->column, centre, found->spread);
    EXPECT_NEAR(found->column, centre, 0.1);
    EXPECT_NEAR(found->column, centre, 4 * found->spread + 0.02);
    QVERIFY(found->spread < 0.1);
    const auto imported = centre_from_data(guess, p);
    QVERIFY(imported.has_value());
    EXPECT_NEAR(imported->column, centre, 0.1);
    QVERIFY(!centre_from_sharpness(guess, p));  // the edge of the detector would decide
  }

  void theAxisIsFoundWithoutAFlat_data() {
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("arc");
    QTest::addRow("whole turn") << 180 << 358.0;
    QTest::addRow("half a turn") << 91 << 180.0;
    QTest::addRow("half a turn without its end") << 180 << 179.0;
    QTest::addRow("opposite views between others") << 119 << 350.0;
  }
  void theAxisIsFoundWithoutAFlat() {
    QFETCH(int, views);
    QFETCH(double, arc);
    constexpr double centre = 70.3;
    const ScanGeometry truth = parallel(160, 8, centre, views, arc),
                       guess = parallel(160, 8, 79.5, views, arc);
    std::vector<float> p = balls_about_the_axis(truth);
    for (float& value : p) value *= 0.5F;
    p = with_noise(std::move(p), 1e4);
    test::add_uneven_beam(p, 160);
    const auto of_values = centre_from_opposite_views(guess, p);
    QVERIFY(!of_values || std::abs(of_values->column - centre) > 0.5);
    const auto found = centre_without_flat(guess, p);
    QVERIFY(found.has_value());
    qInfo("column %.3f for %.3f, error %.3f", found->estimate.column, centre,
          found->estimate.spread);
    QVERIFY(found->is_certain);
    EXPECT_NEAR(found->estimate.column, centre, 0.25);
  }

  /// What does not change while the object turns tells no axis; that of values is that of the beam.
  void anObjectThatDoesNotChangeHasNoCertainAxisWithoutAFlat() {
    const ScanGeometry truth = parallel(160, 4, 66.1, 180, 358),
                       guess = parallel(160, 4, 79.5, 180, 358);
    std::vector<float> p;
    for (std::size_t i = 0; i < truth.rays(); ++i) {
      const double t = (static_cast<double>(i % 160) - 66.1) / 40;
      p.push_back(static_cast<float>(2 * std::sqrt(std::max(0.0, 1 - t * t))));
    }
    p = with_noise(std::move(p), 1e4);
    test::add_uneven_beam(p, 160);
    QVERIFY(!centre_from_changes(guess, p));
    const auto found = centre_without_flat(guess, p);
    QVERIFY(!found || !found->is_certain);
  }

  /// Where a small part overlaps, noise must not be taken for structure.
  void noiseTellsNoAxisNearTheEnd() {
    const ScanGeometry scan = parallel(200, 1, 99.5, 90, 356);
    QVERIFY(!centre_from_opposite_views(scan, with_noise(std::vector<float>(scan.rays(), 1), 1e3)));
    QVERIFY(!centre_from_opposite_views(scan, std::vector<float>(scan.rays(), 1)));
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
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("last");
    QTest::addColumn<double>("arc");
    QTest::addColumn<bool>("open");
    QTest::addColumn<double>("centre");
    for (const int views : {40, 61, 180})
      for (const double arc : {180.0, 360.0}) {
        QTest::addRow("%d views over %g, closed", views, arc)
            << views << arc << arc << false << 66.2;
        QTest::addRow("%d views over %g, open", views, arc)
            << views << arc * (views - 1) / views << arc << true << 66.2;
      }
    // The discs leave the detector: only their form tells, and no view shows all of them.
    QTest::addRow("half acquisition, closed") << 181 << 360.0 << 360.0 << false << 112.3;
    QTest::addRow("half acquisition, open") << 180 << 358.0 << 360.0 << true << 112.3;
  }
  void theArcIsToldByTheEndViews() {
    QFETCH(int, views);
    QFETCH(double, last);
    QFETCH(double, arc);
    QFETCH(bool, open);
    QFETCH(double, centre);
    const ScanGeometry scan = parallel(128, 5, centre, views, last);
    const auto found = covered_arc(places(views), 5, 128, with_noise(two_discs(scan), 1e5));
    QVERIFY(found.has_value());
    QCOMPARE(found->arc_deg, arc);
    QCOMPARE(found->is_open, open);
    QVERIFY(found->is_end_told);
  }
  /// The mirror image of a view lies between columns where the axis does.
  void theEndIsToldForAnAxisBetweenColumns() {
    for (const int views : {19, 41, 61})
      for (const double centre : {35.3, 38.0, 40.85})
        for (const bool open : {false, true}) {
          const double last = open ? 180.0 * (views - 1) / views : 180.0;
          const ScanGeometry scan = parallel(77, 16, centre, views, last);
          const auto found =
              covered_arc(places(views), 16, 77, with_noise(balls_about_the_axis(scan), 1e5));
          QVERIFY(found.has_value());
          QVERIFY2(found->arc_deg == 180 && found->is_open == open,
                   qPrintable(QStringLiteral("%1 views, column %2").arg(views).arg(centre)));
        }
  }

  void missingViewsDoNotChangeTheArc() {
    for (const bool open : {false, true}) {
      const double last = open ? 178 : 180;
      const int views = open ? 90 : 91;
      const std::vector<float> all = two_discs(parallel(128, 5, 66.2, views, last));
      std::vector<int> some;
      std::vector<float> p;
      for (int view = 0; view < views; ++view) {
        if (view == 3 || (view >= 20 && view < 50)) continue;
        some.push_back(view);
        const auto from = all.begin() + std::ptrdiff_t{view} * 5 * 128;
        p.insert(p.end(), from, from + 5 * 128);
      }
      const auto found = covered_arc(some, 5, 128, p);
      QVERIFY(found.has_value());
      QCOMPARE(found->arc_deg, 180.0);
      QCOMPARE(found->is_open, open);
    }
  }
  /// Where a step changes less than the noise does, nothing is stated as a fact.
  void aStepInTheNoiseIsNotTold() {
    const ScanGeometry scan = parallel(128, 5, 66.2, 1441, 180);
    const auto found = covered_arc(places(1441), 5, 128, with_noise(two_discs(scan), 300));
    QVERIFY(found.has_value());
    QCOMPARE(found->arc_deg, 180.0);
    QVERIFY(!found->is_end_told);
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
      QVERIFY(!covered_arc(places(61), 1, 128, p));
    }
  }
  void anotherArcIsNotTold() {
    for (const double arc : {90.0, 140.0, 250.0})
      QVERIFY(!covered_arc(places(61), 5, 128, two_discs(parallel(128, 5, 66.2, 61, arc))));
    QVERIFY(!covered_arc(places(7), 5, 128, two_discs(parallel(128, 5, 66.2, 7, 180))));
  }
};

GANTRY_TEST(TestOppositeViews)
#include "test_opposite_views.moc"
