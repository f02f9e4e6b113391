// The rotation of the detector in its plane, from the axis in many rows.
#include "core/alignment/detector_tilt.hpp"
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/geometry/detector_move.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

ScanSpec parallel_scan(int views, double step_deg) {
  const Vec3 half = phantom("forbild_head_3d")->half_extent_mm();
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = 160;
  spec.detector_rows = 80;
  spec.column_pitch_mm = 2.6 * std::max(half.x, half.y) / spec.detector_columns;
  spec.row_pitch_mm = 0.8 * spec.column_pitch_mm;
  spec.central_column = 74.7;
  spec.central_row = 35;
  spec.view_angles_rad = angles_from_degrees(11, step_deg, views);
  return spec;
}

ScanSpec cone_scan(int views) {
  const Vec3 half = phantom("forbild_head_3d")->half_extent_mm();
  ScanSpec spec = default_scan(std::max(half.x, half.y), 60, 192);
  // A narrow cone: a beam of small angle has many rows near the plane of the source.
  spec.source_to_isocenter_mm *= 3;
  spec.source_to_detector_mm *= 3;
  spec.central_column = 92.3;
  spec.view_angles_rad = angles_from_degrees(0, 360.0 / views, views);
  return spec;
}

/// The data of the scan with a tilted detector, whose rays are written out here: cell (c, r) lies
/// at (c - central_column) u + (r - central_row) v with u and v turned by the tilt.
std::vector<float> measured(const ScanSpec& spec, double tilt_deg, double photons) {
  const ScanGeometry resting(spec);
  const auto head = phantom("forbild_head_3d");
  std::vector<float> exact;
  exact.reserve(resting.rays());
  const double cosine = std::cos(radians(tilt_deg)), sine = std::sin(radians(tilt_deg));
  for (int view = 0; view < resting.views(); ++view)
    for (int row = 0; row < resting.rows(); ++row)
      for (int column = 0; column < resting.columns(); ++column) {
        const double u = (column - spec.central_column) * spec.column_pitch_mm,
                     v = (row - spec.central_row) * spec.row_pitch_mm;
        const double x = cosine * u - sine * v, z = sine * u + cosine * v;
        exact.push_back(static_cast<float>(
            head->line_integral(resting.ray(view, spec.central_column + x / spec.column_pitch_mm,
                                            spec.central_row + z / spec.row_pitch_mm))));
      }
  return with_noise(std::move(exact), photons);
}

/// Parallel views of a ball that is higher than the detector, with smaller ones in it, untilted.
std::vector<float> measured_balls(const ScanSpec& spec, double photons) {
  struct Ball {
    double x = 0, y = 0, z = 0, radius = 0, mu = 0;
  };
  constexpr std::array<Ball, 6> balls{Ball{0, 0, 0, 45, 0.01},    Ball{15, 8, 3, 9, 0.01},
                                      Ball{-12, 20, -2, 6, 0.02}, Ball{-20, -9, 1, 10, -0.006},
                                      Ball{5, -22, -4, 5, 0.02},  Ball{24, -6, 2, 4, 0.02}};
  const ScanGeometry scan(spec);
  std::vector<float> p;
  for (int view = 0; view < scan.views(); ++view)
    for (int row = 0; row < scan.rows(); ++row)
      for (int column = 0; column < scan.columns(); ++column) {
        double sum = 0;
        for (const Ball& ball : balls) {
          const double off = column - spec.central_column -
                             ball.x * std::cos(scan.angle_rad(view)) -
                             ball.y * std::sin(scan.angle_rad(view)),
                       up = row - spec.central_row - ball.z;
          sum += 2 * ball.mu *
                 std::sqrt(std::max(0.0, ball.radius * ball.radius - off * off - up * up));
        }
        p.push_back(static_cast<float>(sum));
      }
  return with_noise(std::move(p), photons);
}

/// Views of a cone beam on a tilted detector, of a ball of 29.4 mm with smaller ones in it.
std::vector<float> cone_of_balls(const ScanSpec& spec, double tilt_deg, double photons) {
  struct Ball {
    Vec3 at;
    double radius = 0, mu = 0;
  };
  constexpr std::array<Ball, 6> balls{
      Ball{{0, 0, 0}, 29.4, 0.02},       Ball{{12.6, 7, 3.5}, 8.4, 0.016},
      Ball{{-14, 3.5, -7}, 6.3, -0.014}, Ball{{3.5, -17.5, 7}, 5.6, 0.024},
      Ball{{-7, -10.5, 14}, 4.2, 0.03},  Ball{{21, -3.5, -14}, 3.5, 0.02}};
  const double cosine = std::cos(radians(tilt_deg)), sine = std::sin(radians(tilt_deg));
  std::vector<float> p;
  for (const double angle : spec.view_angles_rad) {
    const Vec3 along{std::cos(angle), std::sin(angle), 0}, away{-along.y, along.x, 0},
        source = -spec.source_to_isocenter_mm * away;
    for (int row = 0; row < spec.detector_rows; ++row)
      for (int column = 0; column < spec.detector_columns; ++column) {
        const double u = (column - spec.central_column) * spec.column_pitch_mm,
                     v = (row - spec.central_row) * spec.row_pitch_mm;
        const Vec3 way = spec.source_to_detector_mm * away + (cosine * u - sine * v) * along +
                         Vec3{0, 0, sine * u + cosine * v},
                   ray = (1 / norm(way)) * way;
        double sum = 0;
        for (const Ball& ball : balls) {
          const Vec3 to = ball.at - source;
          const double near = dot(to, ray);
          sum += 2 * ball.mu *
                 std::sqrt(std::max(0.0, ball.radius * ball.radius - dot(to, to) + near * near));
        }
        p.push_back(static_cast<float>(sum));
      }
  }
  return with_noise(std::move(p), photons);
}

}  // namespace

class TestDetectorTilt : public QObject {
  Q_OBJECT
 private slots:
  /// Noise at the rim of the detector must not tell a tilt, and the error covers what it tells. A
  /// whole turn tells by opposite views that there is none; the ends of half a turn may be silent.
  void fewRowsTellNoTilt_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("photons");
    for (const int rows : {8, 12, 16, 24})
      for (const double photons : {1e3, 1e4}) {
        QTest::addRow("whole turn, %d rows, %g photons", rows, photons)
            << rows << 180 << 2.0 << photons;
        QTest::addRow("half turn, %d rows, %g photons", rows, photons)
            << rows << 181 << 1.0 << photons;
      }
  }
  void fewRowsTellNoTilt() {
    QFETCH(int, rows);
    QFETCH(int, views);
    QFETCH(double, step);
    QFETCH(double, photons);
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = 128;
    spec.detector_rows = rows;
    spec.column_pitch_mm = spec.row_pitch_mm = 1;
    spec.central_column = 66.3;
    spec.central_row = 0.5 * (rows - 1);
    spec.view_angles_rad = angles_from_degrees(0, step, views);
    const auto found =
        tilt_of_detector(with_axis_in_the_middle(spec), measured_balls(spec, photons));
    const bool whole_turn = views * step == 360;
    QVERIFY(found || !whole_turn);
    if (!found) return;
    qInfo("tilt %.3f degrees, error %.3f", degrees(found->tilt_rad), degrees(found->error_rad));
    QVERIFY(!whole_turn || degrees(found->error_rad) < 0.1);
    QVERIFY(std::abs(found->tilt_rad) < 3 * found->error_rad);
  }

  void theTiltIsFound_data() {
    QTest::addColumn<bool>("cone");
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("tilt");
    QTest::addColumn<double>("photons");
    QTest::addRow("without noise") << false << 48 << 7.5 << 0.3 << 0.0;
    QTest::addRow("whole turn") << false << 48 << 7.5 << 0.3 << 1e4;
    QTest::addRow("to the other side, far") << false << 48 << 7.5 << -1.8 << 1e4;
    QTest::addRow("none") << false << 48 << 7.5 << 0.0 << 1e4;
    QTest::addRow("one pair of views") << false << 2 << 180.0 << 0.3 << 1e4;
    QTest::addRow("cone beam") << true << 120 << 3.0 << 0.4 << 1e4;
    QTest::addRow("cone beam, to the other side") << true << 120 << 3.0 << -0.7 << 1e4;
  }
  void theTiltIsFound() {
    QFETCH(bool, cone);
    QFETCH(int, views);
    QFETCH(double, step);
    QFETCH(double, tilt);
    QFETCH(double, photons);
    const ScanSpec spec = cone ? cone_scan(views) : parallel_scan(views, step);
    const auto found =
        tilt_of_detector(with_axis_in_the_middle(spec), measured(spec, tilt, photons));
    QVERIFY(found.has_value());
    qInfo("%.4f degrees for %.4f, error %.4f, column %.3f for %.3f, %d rows",
          degrees(found->tilt_rad), tilt, degrees(found->error_rad), found->column,
          spec.central_column, found->rows);
    EXPECT_NEAR(degrees(found->tilt_rad), tilt, 0.02);
    EXPECT_NEAR(found->column, spec.central_column, 0.1);
  }

  /// A cone where opposite rays are far from one line; a detector that sees little beyond the axis
  /// on one side; a short scan. Few rows, and half a turn of a parallel beam with its end and
  /// without, tell little, which the error says.
  void wideConesAndPartsAreTold_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<double>("tilt");
    QTest::addColumn<double>("within");
    QTest::addRow("wide cone") << "cone" << 0.5 << 0.02;
    QTest::addRow("wide cone, none") << "cone" << 0.0 << 0.02;
    QTest::addRow("wide cone, far") << "cone" << -2.0 << 0.03;
    QTest::addRow("half fan") << "half" << 0.5 << 0.04;
    QTest::addRow("short scan") << "short" << 0.5 << 0.02;
    QTest::addRow("few rows") << "few rows" << -0.3 << 0.15;
    QTest::addRow("parallel, closed half turn") << "closed" << 0.5 << 0.05;
    QTest::addRow("parallel, open half turn") << "open" << -0.2 << 0.05;
  }
  void wideConesAndPartsAreTold() {
    QFETCH(QString, kind);
    QFETCH(double, tilt);
    QFETCH(double, within);
    ScanSpec spec = kind == "closed" || kind == "open"
                        ? parallel_scan(kind == "open" ? 180 : 181, 1)
                        : cone_scan(240);
    if (spec.beam == Beam::cone) {
      spec.source_to_isocenter_mm /= 3;
      spec.source_to_detector_mm /= 3;
    }
    if (kind == "short") spec.view_angles_rad = angles_from_degrees(20, 1.5, 150);
    if (kind == "half") {
      spec.detector_columns = 130;
      spec.central_column = 24.7;
    }
    if (kind == "few rows") {
      spec.central_row -= 0.5 * (spec.detector_rows - 16);
      spec.detector_rows = 16;
    }
    const auto found =
        tilt_of_detector(kind == "half" ? ScanGeometry(spec) : with_axis_in_the_middle(spec),
                         measured(spec, tilt, 1e4));
    QVERIFY(found.has_value());
    qInfo("%.4f degrees, error %.4f, column %.3f for %.3f", degrees(found->tilt_rad),
          degrees(found->error_rad), found->column, spec.central_column);
    const double off = std::abs(degrees(found->tilt_rad) - tilt);
    QVERIFY(off < within);
    QVERIFY(off < 4 * degrees(found->error_rad));
    EXPECT_NEAR(found->column, spec.central_column, 0.1);
  }

  /// Of most lines, a detector that reaches beyond the axis by a few columns measures one side
  /// only. Far from the plane of the source these do not tell how the others differ.
  void theColumnsBesideTheAxisTellTheTilt_data() {
    QTest::addColumn<double>("tilt");
    QTest::addColumn<double>("photons");
    QTest::addRow("to one side") << -0.35 << 1e4;
    QTest::addRow("without noise") << -0.35 << 0.0;
    QTest::addRow("none") << 0.0 << 1e4;
    QTest::addRow("to the other side, far") << 1.0 << 1e4;
  }
  void theColumnsBesideTheAxisTellTheTilt() {
    QFETCH(double, tilt);
    QFETCH(double, photons);
    ScanSpec spec;
    spec.beam = Beam::cone;
    spec.detector_columns = spec.detector_rows = 256;
    spec.column_pitch_mm = spec.row_pitch_mm = 0.4;
    spec.source_to_isocenter_mm = 150;
    spec.source_to_detector_mm = 300;
    spec.central_column = 40.3;
    spec.central_row = 127.5;
    spec.view_angles_rad = angles_from_degrees(0, 2, 180);
    const auto found = tilt_of_detector(ScanGeometry(spec), cone_of_balls(spec, tilt, photons));
    QVERIFY(found.has_value());
    qInfo("%.4f degrees for %.4f, error %.4f, column %.3f for %.3f", degrees(found->tilt_rad), tilt,
          degrees(found->error_rad), found->column, spec.central_column);
    EXPECT_NEAR(degrees(found->tilt_rad), tilt, 0.02);
    EXPECT_NEAR(degrees(found->tilt_rad), tilt, 2 * degrees(found->error_rad));
    EXPECT_NEAR(found->column, spec.central_column, 0.05);
  }

  /// The poses see what the rays that are written out in measured() do.
  void aTiltIsExpressedByPoses() {
    ScanSpec spec = parallel_scan(5, 31);
    for (const bool cone : {false, true}) {
      if (cone) spec = cone_scan(5);
      const ScanGeometry tilted(with_moved_detector(spec, {.roll_rad = radians(1.3)}));
      const auto head = phantom("forbild_head_3d");
      const std::vector<float> p = measured(spec, 1.3, 0);
      double largest = 0, difference = 0;
      for (std::size_t i = 0; i < p.size(); i += 97) {
        const auto view = static_cast<int>(i / tilted.cells());
        const std::size_t cell = i % tilted.cells(),
                          columns = static_cast<std::size_t>(tilted.columns());
        const double value = head->line_integral(tilted.ray(
            view, static_cast<double>(cell % columns), static_cast<double>(cell / columns)));
        largest = std::max(largest, value);
        difference = std::max(difference, std::abs(value - p[i]));
      }
      QVERIFY(largest > 1);
      QVERIFY2(difference < 1e-4 * largest, qPrintable(QString::number(difference)));
    }
  }

  void otherScansTellNothing() {
    const ScanSpec quarter = parallel_scan(10, 9);
    QVERIFY(!tilt_of_detector(ScanGeometry(quarter), measured(quarter, 0.3, 0)));
    const ScanGeometry fan(fan_spec(20, 32, 1));
    QVERIFY(!tilt_of_detector(fan, std::vector<float>(fan.rays())));
    const ScanGeometry air(parallel_scan(4, 90));
    QVERIFY(!tilt_of_detector(air, std::vector<float>(air.rays())));
    EXPECT_THROWS(ShapeError, tilt_of_detector(air, std::vector<float>(3)), "geometry");
  }
};

GANTRY_TEST(TestDetectorTilt)
#include "test_detector_tilt.moc"
