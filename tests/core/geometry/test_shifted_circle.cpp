// Free poses that are a circle but for shifts of the detector or moves of the object.
#include "core/geometry/default_scan.hpp"
#include "core/geometry/object_move.hpp"
#include "core/geometry/shifted_circle.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestShiftedCircle : public QObject {
  Q_OBJECT

  static constexpr int views = 40;
  static ScanSpec circle(bool is_cone) {
    ScanSpec spec = default_scan(100, 40, 32);
    if (!is_cone) {
      spec.beam = Beam::parallel;
      spec.source_to_isocenter_mm = spec.source_to_detector_mm = 0;
    }
    spec.column_pitch_mm *= 1.5;
    spec.central_column = 14.2;
    spec.central_row += 0.3;
    spec.view_angles_rad = angles_from_degrees(-100, 9, views);
    return spec;
  }
  /// Without a mean: over a whole turn of views they add up to 0.
  static std::vector<CellShift> shifts() {
    std::vector<CellShift> all;
    for (int i = 0; i < views; ++i)
      all.push_back(
          {1.4 * std::sin(2 * pi * 3 * i / views), 0.8 * std::cos(2 * pi * 7 * i / views)});
    return all;
  }

 private slots:
  void theCircleAndTheShiftsAreFound_data() {
    QTest::addColumn<bool>("is_cone");
    QTest::addRow("cone") << true;
    QTest::addRow("parallel") << false;
  }
  void theCircleAndTheShiftsAreFound() {
    QFETCH(bool, is_cone);
    const ScanSpec spec = circle(is_cone);
    const auto found = shifted_circle(with_shifted_detector(spec, shifts()));
    QVERIFY(found.has_value());
    QVERIFY(found->circle.trajectory == Trajectory::circular);
    EXPECT_NEAR(found->circle.source_to_isocenter_mm, spec.source_to_isocenter_mm, 1e-9);
    EXPECT_NEAR(found->circle.source_to_detector_mm, spec.source_to_detector_mm, 1e-9);
    EXPECT_NEAR(found->circle.column_pitch_mm, spec.column_pitch_mm, 1e-12);
    EXPECT_NEAR(found->circle.row_pitch_mm, spec.row_pitch_mm, 1e-12);
    EXPECT_NEAR(found->circle.central_column, 14.2, 1e-9);
    EXPECT_NEAR(found->circle.central_row, spec.central_row, 1e-9);
    QCOMPARE(found->shifts.size(), std::size_t{views});
    for (std::size_t i = 0; i < found->shifts.size(); ++i) {
      EXPECT_NEAR(found->circle.view_angles_rad[i], spec.view_angles_rad[i], 1e-9);
      EXPECT_NEAR(found->shifts[i].columns, shifts()[i].columns, 1e-9);
      EXPECT_NEAR(found->shifts[i].rows, shifts()[i].rows, 1e-9);
    }
  }

  /// An object that goes right is seen as far right as by a detector that goes left.
  void aMovedObjectIsAShift() {
    const ScanSpec spec = circle(true);
    std::vector<Vec3> moves(views);
    moves[3].x = 2;
    moves[9].z = -1;
    const auto found = shifted_circle(with_moved_object(spec, moves));
    QVERIFY(found.has_value());
    const double magnification = spec.source_to_detector_mm / spec.source_to_isocenter_mm,
                 right = 2 * magnification / spec.column_pitch_mm,
                 down = magnification / spec.row_pitch_mm;
    EXPECT_NEAR(found->shifts[3].columns - found->shifts[0].columns, -right, 1e-9);
    EXPECT_NEAR(found->shifts[9].rows - found->shifts[0].rows, down, 1e-9);
  }

  /// The isocentre is seen where it is seen, in whatever order cells are counted.
  void rowsAndColumnsMayRunTheOtherWay() {
    for (const bool is_cone : {true, false})
      for (const bool columns : {true, false})
        for (const bool rows : {true, false}) {
          ScanSpec spec = with_shifted_detector(circle(is_cone), shifts());
          for (View& pose : spec.poses) {
            if (columns) pose.u_mm = -1.0 * pose.u_mm;
            if (rows) pose.v_mm = -1.0 * pose.v_mm;
          }
          const auto found = shifted_circle(spec);
          QVERIFY(found.has_value());
          // A detector that moves right moves to lower columns where these run to the left.
          const double sign_u = columns ? -1 : 1, sign_v = rows ? -1 : 1;
          EXPECT_NEAR(found->circle.central_column, 14.2, 1e-9);
          EXPECT_NEAR(found->circle.central_row, spec.central_row, 1e-9);
          EXPECT_NEAR(found->circle.source_to_isocenter_mm, spec.source_to_isocenter_mm, 1e-9);
          for (std::size_t i = 0; i < found->shifts.size(); ++i) {
            EXPECT_NEAR(found->shifts[i].columns, sign_u * shifts()[i].columns, 1e-9);
            EXPECT_NEAR(found->shifts[i].rows, sign_v * shifts()[i].rows, 1e-9);
          }
          const double turned = found->circle.view_angles_rad[1] - found->circle.view_angles_rad[0];
          EXPECT_NEAR(turned, (columns ? -1 : 1) * radians(9), 1e-9);
        }
  }

  void othersAreNone() {
    for (const bool is_cone : {true, false}) {
      const ScanSpec spec = circle(is_cone);
      QVERIFY(!shifted_circle(spec));
      QVERIFY(!shifted_circle(with_moved_detector(spec, {.roll_rad = 1e-4})));
      QVERIFY(!shifted_circle(with_moved_detector(spec, {.pitch_rad = 1e-4})));
      ScanSpec mixed = with_free_poses(spec);
      mixed.poses[3].v_mm = -1.0 * mixed.poses[3].v_mm;
      QVERIFY(!shifted_circle(mixed));
    }
    ScanSpec away = with_free_poses(circle(true));
    away.poses[5].source_mm.z += 0.03 * away.source_to_isocenter_mm;
    QVERIFY(!shifted_circle(away));
    ScanSpec other_distance = with_free_poses(circle(true));
    other_distance.poses[5].detector_mm = 1.01 * other_distance.poses[5].detector_mm;
    QVERIFY(!shifted_circle(other_distance));
  }
};

GANTRY_TEST(TestShiftedCircle)
#include "test_shifted_circle.moc"
