// Detectors that lie otherwise than a scan states: against the circle, and against rays of which
// the landing points were worked out by hand.
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/geometry/detector_move.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestDetectorMove : public QObject {
  Q_OBJECT

  /// Fails unless two scans have the same rays, in space.
  static void compare_rays(const ScanGeometry& a, const ScanGeometry& b) {
    for (int view = 0; view < a.views(); view += 7)
      for (const double column : {0.0, 13.25, 31.0})
        for (const double row : {0.0, 5.5}) {
          const Ray one = a.ray(view, column, row), other = b.ray(view, column, row);
          EXPECT_NEAR(norm(one.direction - other.direction), 0, 1e-12);
          EXPECT_NEAR(norm(cross(one.origin_mm - other.origin_mm, one.direction)), 0, 1e-9);
        }
  }
  static ScanSpec cone() {
    ScanSpec spec = default_scan(100, 40, 32);
    spec.central_column = 14.5;
    spec.view_angles_rad = angles_from_degrees(0, 9, 40);
    return spec;
  }
  static double distance(const Ray& ray, Vec3 point) {
    return norm(cross(point - ray.origin_mm, ray.direction));
  }

 private slots:
  void withoutAMoveNothingChanges() {
    const ScanSpec scan = cone();
    const ScanSpec free = with_free_poses(scan);
    QVERIFY(free.trajectory == Trajectory::poses);
    QCOMPARE(free.poses.size(), scan.view_angles_rad.size());
    compare_rays(ScanGeometry(free), ScanGeometry(scan));
    QVERIFY(with_free_poses(free) == free);
    QVERIFY(with_moved_detector(scan, {}) == free);
  }

  /// A shift by d moves the axis to another column: by d / pitch, to the other side.
  void aShiftIsAnotherCentre() {
    ScanSpec scan = cone();
    for (const Beam beam : {Beam::cone, Beam::parallel}) {
      scan.beam = beam;
      ScanSpec shifted = scan;
      shifted.central_column -= 3.0 / scan.column_pitch_mm;
      shifted.central_row += 2.0 / scan.row_pitch_mm;
      compare_rays(ScanGeometry(with_moved_detector(scan, {.lateral_mm = 3, .axial_mm = -2})),
                   ScanGeometry(shifted));
    }
  }

  /// At angle 0 u is x, v is z, and the normal u x v is -y, towards the source.
  void aYawTurnsTheColumnsAboutV() {
    const ScanSpec scan = cone();
    const double angle = radians(4), source_y = -scan.source_to_isocenter_mm,
                 detector_y = scan.source_to_detector_mm + source_y;
    const ScanGeometry moved(with_moved_detector(scan, {.yaw_rad = angle}));
    // The ray through (x, y, 0) meets the line detector + a (cos, sin, 0) at this a.
    const Vec3 point{17, 5, 0};
    const double slope = point.x / (point.y - source_y),
                 a = slope * (detector_y - source_y) / (std::cos(angle) - slope * std::sin(angle));
    const double column = scan.central_column + a / scan.column_pitch_mm;
    EXPECT_NEAR(distance(moved.ray(0, column, scan.central_row), point), 0, 1e-9);
    QVERIFY(distance(ScanGeometry(scan).ray(0, column, scan.central_row), point) > 0.01);
  }

  void aPitchTurnsTheRowsAboutU() {
    const ScanSpec scan = cone();
    const double angle = radians(-3), source_y = -scan.source_to_isocenter_mm,
                 detector_y = scan.source_to_detector_mm + source_y;
    const ScanGeometry moved(with_moved_detector(scan, {.pitch_rad = angle}));
    // v becomes cos v + sin (u x v) = (0, -sin, cos).
    const Vec3 point{0, -8, 11};
    const double slope = point.z / (point.y - source_y),
                 a = slope * (detector_y - source_y) / (std::cos(angle) + slope * std::sin(angle));
    const double row = scan.central_row + a / scan.row_pitch_mm;
    EXPECT_NEAR(distance(moved.ray(0, scan.central_column, row), point), 0, 1e-9);
    QVERIFY(distance(ScanGeometry(scan).ray(0, scan.central_column, row), point) > 0.01);
  }

  /// Rolled by a quarter turn, rows become columns.
  void aRollLeadsUTowardsV() {
    const ScanSpec scan = cone();
    const ScanGeometry rest(scan), moved(with_moved_detector(scan, {.roll_rad = radians(90)}));
    EXPECT_NEAR(
        norm(moved.view(9).u_mm - (scan.column_pitch_mm / scan.row_pitch_mm) * rest.view(9).v_mm),
        0, 1e-9);
  }

  void othersAreRefused() {
    EXPECT_THROWS(InputError, with_moved_detector(default_scan(100, 0, 32), {}), "fan");
    ScanSpec arc = cone();
    arc.detector = DetectorShape::arc;
    EXPECT_THROWS(InputError, with_free_poses(arc), "arc");
  }
};

GANTRY_TEST(TestDetectorMove)
#include "test_detector_move.moc"
