// Circles that are written as free poses are found again; what is none is not.
#include "core/geometry/circle_of_poses.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCircleOfPoses : public QObject {
  Q_OBJECT

 private slots:
  void aCircleIsFoundAgain() {
    ScanSpec cone = cone_spec(50);
    cone.central_column = 8.125;
    cone.view_angles_rad = angles_from_degrees(12, -14.4, 50);  // two turns clockwise
    const auto found = circle_of_poses(as_poses(cone));
    QVERIFY(found.has_value());
    QVERIFY(found->trajectory == Trajectory::circular && found->beam == Beam::cone);
    QVERIFY(found->poses.empty());
    QCOMPARE(found->source_to_isocenter_mm, 200.0);  // to the last bit: numbers of 12 digits
    QCOMPARE(found->source_to_detector_mm, 300.0);
    QCOMPARE(found->column_pitch_mm, 7.0);
    QCOMPARE(found->row_pitch_mm, 6.0);
    QCOMPARE(found->central_column, 8.125);
    QCOMPARE(found->central_row, 5.25);
    for (std::size_t i = 0; i < 50; ++i)
      EXPECT_NEAR(degrees(found->view_angles_rad[i]), 12 - 14.4 * static_cast<double>(i), 1e-9);
  }

  void aParallelBeamIsFoundAgain() {
    ScanSpec parallel = cone_spec(9);
    parallel.beam = Beam::parallel;
    parallel.view_angles_rad = angles_from_degrees(0, 20, 9);
    const auto found = circle_of_poses(as_poses(parallel));
    QVERIFY(found.has_value());
    QVERIFY(found->beam == Beam::parallel);
    QCOMPARE(found->column_pitch_mm, 7.0);
    EXPECT_NEAR(degrees(found->view_angles_rad[8]), 160, 1e-9);
  }

  void otherPosesAreNoCircle() {
    const ScanSpec circle = as_poses(cone_spec(9));
    const auto is_circle_with = [&](const std::function<void(View&)>& change) {
      ScanSpec poses = circle;
      change(poses.poses[4]);
      return circle_of_poses(poses).has_value();
    };
    QVERIFY(is_circle_with([](View&) {}));
    QVERIFY(!is_circle_with([](View& view) { view.source_mm.z += 0.01; }));
    QVERIFY(!is_circle_with([](View& view) { view.source_mm = 1.001 * view.source_mm; }));
    QVERIFY(!is_circle_with([](View& view) { view.detector_mm.x += 0.01; }));
    QVERIFY(!is_circle_with([](View& view) { view.u_mm.z += 0.01; }));
    QVERIFY(!is_circle_with([](View& view) { view.v_mm = -1.0 * view.v_mm; }));
    QVERIFY(!is_circle_with([](View& view) { view.u_mm = -1.0 * view.u_mm; }));
    QVERIFY(!circle_of_poses(ScanSpec{}).has_value());
  }
};

GANTRY_TEST(TestCircleOfPoses)
#include "test_circle_of_poses.moc"
