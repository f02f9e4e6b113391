// Scans whose axis leans, and whose object was moved: against points that are turned and moved in
// the frame of the room.
#include "core/alignment/still_views.hpp"
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/geometry/object_move.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

using Matrix = double[3][3];

Vec3 product(const Matrix& m, Vec3 v) {
  return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
          m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
          m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

ScanSpec cone() {
  ScanSpec spec = default_scan(100, 40, 32);
  spec.beam = Beam::cone;
  spec.detector_rows = 24;
  spec.central_column = 14.5;
  spec.central_row = 11.5;
  spec.view_angles_rad = angles_from_degrees(0, 15, 24);
  return spec;
}

/// Where the room sees a point of the detector, as fractional column and row: source in front, the
/// axis through the isocentre, the beam along y.
std::pair<double, double> cell_of(const ScanSpec& spec, Vec3 room) {
  const bool is_parallel = spec.beam == Beam::parallel;
  const double scale =
      is_parallel ? 1 : spec.source_to_detector_mm / (spec.source_to_isocenter_mm + room.y);
  return {spec.central_column + scale * room.x / spec.column_pitch_mm,
          spec.central_row + scale * room.z / spec.row_pitch_mm};
}

/// The distance from a point to the ray of a view through that cell.
double distance(const ScanGeometry& geometry, int view, std::pair<double, double> cell,
                Vec3 point) {
  const Ray ray = geometry.ray(view, cell.first, cell.second);
  return norm(cross(point - ray.origin_mm, ray.direction));
}

}  // namespace

class TestObjectMove : public QObject {
  Q_OBJECT
 private slots:
  /// A point of the object turns about z, and then the axis rolls about the beam and tilts about
  /// the columns.
  void anAxisThatLeans() {
    const double tilt = 0.3, roll = -0.2;
    const Matrix tilted = {
        {1, 0, 0}, {0, std::cos(tilt), std::sin(tilt)}, {0, -std::sin(tilt), std::cos(tilt)}};
    const Matrix rolled = {
        {std::cos(roll), 0, std::sin(roll)}, {0, 1, 0}, {-std::sin(roll), 0, std::cos(roll)}};
    for (const Beam beam : {Beam::cone, Beam::parallel}) {
      ScanSpec spec = cone();
      spec.beam = beam;
      const ScanGeometry leaning(with_leaning_axis(spec, {tilt, roll}));
      for (int view = 0; view < leaning.views(); ++view) {
        const double t = spec.view_angles_rad[static_cast<std::size_t>(view)];
        const Matrix turned = {
            {std::cos(t), std::sin(t), 0}, {-std::sin(t), std::cos(t), 0}, {0, 0, 1}};
        for (const Vec3 point : {Vec3{0, 0, 20}, Vec3{30, -20, -10}}) {
          const Vec3 room = product(tilted, product(rolled, product(turned, point)));
          QVERIFY(distance(leaning, view, cell_of(spec, room), point) < 1e-9);
        }
      }
    }
  }

  /// A fan has no free poses: it becomes a cone of one row, whose rays leave the plane.
  void aFanLeansAndMovesAsACone() {
    ScanSpec fan = cone();
    fan.beam = Beam::fan;
    fan.detector_rows = 1;
    fan.central_row = 0;
    const std::vector<Vec3> moves_mm(fan.view_angles_rad.size(), Vec3{0, 0, 1});
    for (const ScanSpec& left :
         {with_leaning_axis(fan, {0.1, 0}), with_moved_object(fan, moves_mm)}) {
      QVERIFY(left.beam == Beam::cone && left.trajectory == Trajectory::poses);
      QVERIFY(
          std::ranges::any_of(left.poses, [](const View& pose) { return pose.source_mm.z != 0; }));
    }
  }

  void anObjectThatWasMoved() {
    for (const Beam beam : {Beam::cone, Beam::parallel}) {
      ScanSpec spec = cone();
      spec.beam = beam;
      std::vector<Vec3> moves;
      for (int view = 0; view < 24; ++view)
        moves.push_back({3 * std::sin(1.0 * view), 5 * std::cos(2.0 * view), 0.1 * view * view});
      const ScanGeometry moved(with_moved_object(spec, moves));
      const Vec3 point{30, -20, -10};
      for (int view = 0; view < moved.views(); ++view) {
        const double t = spec.view_angles_rad[static_cast<std::size_t>(view)];
        const Vec3 room = Vec3{std::cos(t) * point.x + std::sin(t) * point.y,
                               -std::sin(t) * point.x + std::cos(t) * point.y, point.z} +
                          moves[static_cast<std::size_t>(view)];
        QVERIFY(distance(moved, view, cell_of(spec, room), point) < 1e-9);
      }
    }
    QVERIFY_THROWS_EXCEPTION(ShapeError, with_moved_object(cone(), std::vector<Vec3>(3)));
  }

  /// Even a hundredth of a cell beside the helix gives free poses.
  void anEvenRiseIsAHelix() {
    const ScanSpec spec = cone();
    std::vector<Vec3> moves;
    for (const double angle : spec.view_angles_rad) moves.push_back({0, 0, 7 * angle / (2 * pi)});
    const ScanSpec helix = with_moved_object(spec, moves);
    QVERIFY(helix.trajectory == Trajectory::helical);
    EXPECT_NEAR(helix.helical_feed_mm_per_turn, -7, 1e-9);
    moves[4].x = 0.02 * spec.column_pitch_mm;
    QVERIFY(with_moved_object(spec, moves).trajectory == Trajectory::poses);
    ScanSpec parallel = spec;
    parallel.beam = Beam::parallel;
    moves[4].x = 0;
    QVERIFY(with_moved_object(parallel, moves).trajectory == Trajectory::poses);
  }

  /// Views of a ramp that was moved by whole and by broken cells.
  void movesAreTakenBack() {
    ScanSpec spec = cone();
    spec.beam = Beam::parallel;
    spec.detector_rows = 100;
    spec.central_row = 49.5;
    spec.column_pitch_mm = 2;
    spec.row_pitch_mm = 0.5;
    std::vector<Vec3> moves;
    std::vector<float> values;
    for (int view = 0; view < 24; ++view) {
      moves.push_back({0.7 * std::sin(1.0 * view), 0, 0.4 * std::cos(1.0 * view)});
      for (int row = 0; row < 100; ++row)
        for (int column = 0; column < 32; ++column)
          values.push_back(static_cast<float>(3 * (column - moves.back().x / 2) +
                                              0.5 * (row - moves.back().z / 0.5)));
    }
    const StillViews still = still_views(spec, values, moves);
    QCOMPARE(still.scan.detector_rows, 64);
    EXPECT_NEAR(still.scan.central_row, 31.5, 1e-12);
    std::size_t at = 0;
    for (int view = 0; view < 24; ++view)
      for (int row = 18; row < 82; ++row)
        for (int column = 0; column < 32; ++column, ++at)
          if (column > 0 && column < 31)
            EXPECT_NEAR(still.line_integrals[at], 3 * column + 0.5 * row, 1e-3);
    moves.pop_back();
    QVERIFY_THROWS_EXCEPTION(ShapeError, still_views(spec, values, moves));
  }
};

GANTRY_TEST(TestObjectMove)
#include "test_object_move.moc"
