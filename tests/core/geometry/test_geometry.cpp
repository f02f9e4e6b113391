#include "core/base/error.hpp"
#include "core/geometry/change_beam.hpp"
#include "core/geometry/default_scan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <limits>

using namespace gantry;
using namespace gantry::test;

class TestGeometry : public QObject {
  Q_OBJECT
 private slots:
  // The frame that users meet: source at SID (sin t, -cos t), columns along (cos t, sin t), rows
  // along z.
  void framesAtFourAngles() {
    ScanSpec spec = fan_spec(4, 10, 2);
    spec.beam = Beam::cone;
    spec.detector_rows = 6;
    spec.central_row = 2.5;
    spec.view_angles_rad = angles_from_degrees(0, 90, 4);
    const ScanGeometry g(spec);
    const Vec3 sources[] = {{0, -200, 0}, {200, 0, 0}, {0, 200, 0}, {-200, 0, 0}};
    const Vec3 columns[] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (int v = 0; v < 4; ++v) {
      const View view = g.view(v);
      EXPECT_NEAR(norm(view.source_mm - sources[v]), 0, 1e-12);
      EXPECT_NEAR(norm(view.detector_mm - (-0.5) * sources[v]), 0, 1e-12);
      EXPECT_NEAR(norm(view.u_mm - 2 * columns[v]), 0, 1e-12);
      EXPECT_NEAR(norm(view.v_mm - Vec3{0, 0, 2}), 0, 1e-12);
      const Ray central = g.ray(v, spec.central_column, spec.central_row);
      EXPECT_NEAR(norm(cross(central.direction, Vec3{} - central.origin_mm)), 0,
                  1e-9);  // through the isocentre
    }
  }

  // A point projects to (fan angle, t), eqs 7 and 8 (put right) of the branchless
  // distance-driven paper, and so to (column, row); the ray of that cell passes through the point,
  // as eqs 10 and 11 say. For circle and helix, arc and flat.
  void pointsAndRaysAgree_data() {
    QTest::addColumn<bool>("arc");
    QTest::addColumn<double>("feed_mm");
    QTest::newRow("flat, circular") << false << 0.0;
    QTest::newRow("arc, circular") << true << 0.0;
    QTest::newRow("flat, helical") << false << 12.0;
    QTest::newRow("arc, helical") << true << -31.0;
  }
  void pointsAndRaysAgree() {
    QFETCH(bool, arc);
    QFETCH(double, feed_mm);
    ScanSpec spec = fan_spec(7, 30, 5);
    spec.beam = Beam::cone;
    spec.detector = arc ? DetectorShape::arc : DetectorShape::flat;
    spec.detector_rows = 20;
    spec.central_row = 8.25;
    spec.central_column = 13.75;
    spec.view_angles_rad = angles_from_degrees(-400, 57, 17);
    if (feed_mm != 0) spec.trajectory = Trajectory::helical;
    spec.helical_feed_mm_per_turn = feed_mm;
    const ScanGeometry g(spec);
    const double sid = 200, sdd = 300;
    for (int v = 0; v < g.views(); ++v)
      for (const Vec3 p : {Vec3{17, -23, 9}, Vec3{-60, 41, -30}, Vec3{0, 0, 2}}) {
        const double t = g.angle_rad(v);
        const double across = p.x * std::cos(t) + p.y * std::sin(t),
                     depth = sid - p.x * std::sin(t) + p.y * std::cos(t);
        const double dz = p.z - feed_mm * t / (2 * pi);
        const double fan = std::atan2(across, depth);                // eq. 7
        const double height = sdd * dz / std::hypot(across, depth);  // eq. 8, on an arc
        const double column = 13.75 + (arc ? fan * sdd : sdd * std::tan(fan)) / 5;  // eq. 9
        const double row = 8.25 + (arc ? height : height / std::cos(fan)) / 5;
        const Ray ray = g.ray(v, column, row);
        EXPECT_NEAR(norm(cross(ray.direction, p - ray.origin_mm)), 0, 1e-9);
        EXPECT_NEAR(norm(ray.direction), 1, 1e-12);
        QVERIFY(dot(ray.direction, p - ray.origin_mm) > 0);
      }
  }

  void fieldOfViewIsWhatIsSeenOverHalfATurn() {
    const ScanGeometry fan(fan_spec(4, 10, 2));
    EXPECT_NEAR(fan.field_of_view_radius_mm(), 200 * std::sin(std::atan(10.0 / 300)), 1e-9);
    ScanSpec spec = fan_spec(36, 10, 2), parallel = spec;
    spec.central_column = 2.5;  // three cells on one side, seven on the other
    parallel.beam = Beam::parallel;
    parallel.central_column = 6.5;
    EXPECT_NEAR(ScanGeometry(spec).field_of_view_radius_mm(), 200 * std::sin(std::atan(14.0 / 300)),
                1e-9);
    EXPECT_NEAR(ScanGeometry(parallel).field_of_view_radius_mm(), 14, 1e-9);
    // In part of a turn each point must be seen by every view.
    for (ScanSpec* part : {&spec, &parallel}) {
      part->view_angles_rad = angles_from_degrees(0, 10, 32);
      const bool fans = part->beam == Beam::fan;
      EXPECT_NEAR(ScanGeometry(*part).field_of_view_radius_mm(),
                  fans ? 200 * std::sin(std::atan(6.0 / 300)) : 6, 1e-9);
    }
    spec.central_column = -3;
    QCOMPARE(ScanGeometry(spec).field_of_view_radius_mm(), 0.0);
    EXPECT_NEAR(fan.column_pitch_at_isocenter_mm(), 2 * 200.0 / 300, 1e-12);
  }

  /// The pixels of a half scan are as fine as its cells.
  void theGridOfAHalfScanHoldsWhatItsLongerSideSees() {
    ScanSpec spec = fan_spec(36, 96, 0.8);
    spec.beam = Beam::parallel;
    spec.central_column = 80.3;
    const VolumeGrid grid = default_grid(ScanGeometry(spec));
    QCOMPARE(grid.nx, 161);
    EXPECT_NEAR(grid.upper_corner_mm().x, 80.8 * 0.8, 1e-9);
    spec.beam = Beam::cone;
    const VolumeGrid cone = default_grid(ScanGeometry(spec));
    EXPECT_NEAR(cone.upper_corner_mm().x, 200 * std::sin(std::atan(80.8 * 0.8 / 300)), 1e-9);
    QVERIFY(cone.spacing_mm.x < 1.02 * 0.8 * 2 / 3);
    spec.central_column = 47.5;
    QCOMPARE(default_grid(ScanGeometry(spec)).nx, 96);
  }

  /// A circle sees its rows at the axis, a helix from the first view's lowest to the last's
  /// highest.
  void heightsAreWhatAnyViewSees() {
    for (const DetectorShape shape : {DetectorShape::flat, DetectorShape::arc}) {
      ScanSpec spec = fan_spec(4, 10, 2);
      spec.beam = Beam::cone;
      spec.detector = shape;
      spec.detector_rows = 6;
      spec.central_row = 2;
      spec.row_pitch_mm = 3;  // 2 mm at the axis
      const ScanGeometry circle(spec);
      EXPECT_NEAR(circle.axial_range_mm().low, -5, 1e-12);
      EXPECT_NEAR(circle.axial_range_mm().high, 7, 1e-12);
      spec.trajectory = Trajectory::helical;
      spec.view_angles_rad = angles_from_degrees(-360, 30, 31);  // to 540 degrees
      for (const double feed : {8.0, -8.0}) {
        spec.helical_feed_mm_per_turn = feed;
        const ScanGeometry helix(spec);
        const double low = feed > 0 ? -8 : -12, high = feed > 0 ? 12 : 8;
        EXPECT_NEAR(helix.axial_range_mm().low, low - 5, 1e-9);
        EXPECT_NEAR(helix.axial_range_mm().high, high + 7, 1e-9);
        EXPECT_NEAR(helix.axial_coverage_mm(), 32, 1e-9);
        EXPECT_NEAR(helix.field_of_view_radius_mm(), circle.field_of_view_radius_mm(), 1e-12);
        const VolumeGrid grid = default_grid(helix);
        QCOMPARE(grid.nz, 16);
        EXPECT_NEAR(grid.lower_corner_mm().z, low - 5, 1e-9);
        EXPECT_NEAR(grid.upper_corner_mm().z, high + 7, 1e-9);
        // What the axis shows at either end lands on the detector's edge in the end's view.
        const int lowest = feed > 0 ? 0 : 30;
        const Ray edge = helix.ray(lowest, spec.central_column, -0.5);
        EXPECT_NEAR(norm(cross(edge.direction, Vec3{0, 0, low - 5} - edge.origin_mm)), 0, 1e-9);
      }
    }
  }

  void badValuesAreNamed() {
    const auto refuse = [](auto change, const char* part) {
      ScanSpec spec = fan_spec(4, 10, 2);
      change(spec);
      EXPECT_THROWS(InputError, ScanGeometry(spec, "x.scan.json"), part);
    };
    refuse([](ScanSpec& s) { s.view_angles_rad.clear(); }, "x.scan.json: the scan has no views");
    refuse([](ScanSpec& s) { s.view_angles_rad[2] = std::nan(""); },
           "view_angles_deg is not a finite number");
    refuse([](ScanSpec& s) { s.column_pitch_mm = -1; }, "column_pitch_mm is -1");
    refuse([](ScanSpec& s) { s.row_pitch_mm = 0; }, "row_pitch_mm is 0");
    refuse([](ScanSpec& s) { s.detector_columns = 0; }, "detector_columns is 0");
    refuse([](ScanSpec& s) { s.detector_rows = 100000; }, "use 1 to 65536");
    refuse([](ScanSpec& s) { s.source_to_isocenter_mm = std::numeric_limits<double>::infinity(); },
           "source_to_isocenter_mm");
    refuse([](ScanSpec& s) { s.source_to_isocenter_mm = 400; },
           "not larger than source_to_isocenter_mm");
    refuse([](ScanSpec& s) { s.central_column = std::nan(""); }, "central_column");
    refuse([](ScanSpec& s) { s.column_pitch_mm = 1e6; }, "degrees to one side");
    refuse([](ScanSpec& s) { s.trajectory = Trajectory::helical; }, "needs a cone beam");
    refuse(
        [](ScanSpec& s) {
          s.beam = Beam::parallel;
          s.detector = DetectorShape::arc;
        },
        "no arc detector");
  }

  // Cone to fan: each row's rays run at the height of one slice. Back: the outermost rows see the
  // top of the grid's inscribed cylinder where it is nearest to the source.
  void anotherBeamSeesTheSameSlices() {
    ScanSpec cone = fan_spec(4, 10, 2);
    cone.beam = Beam::cone;
    cone.detector_rows = 7;
    cone.central_row = 3;
    cone.trajectory = Trajectory::helical;
    cone.helical_feed_mm_per_turn = 5;
    VolumeGrid grid = VolumeGrid::centered(20, 30, 5, {1, 1, 2.5});
    grid.origin_mm.z += 1.25;
    const ScanGeometry fan(with_beam(cone, Beam::fan, grid));
    QCOMPARE(fan.rows(), 5);
    for (int row = 0; row < 5; ++row) {
      const Ray ray = fan.ray(1, 4.25, row);
      EXPECT_NEAR(ray.origin_mm.z, grid.voxel_center_mm(0, 0, row).z, 1e-12);
      EXPECT_NEAR(ray.direction.z, 0, 1e-12);
    }
    const VolumeGrid centred = VolumeGrid::centered(20, 30, 5, {1, 1, 2.5});
    const ScanSpec again = with_beam(fan.spec(), Beam::cone, centred);
    const ScanGeometry wide(again);
    const double sid = again.source_to_isocenter_mm, near = sid - 15,
                 top = (again.detector_rows * 0.5) * again.row_pitch_mm /
                       again.source_to_detector_mm * near;
    QVERIFY(top >= 6.25);
    QVERIFY(top - again.row_pitch_mm / again.source_to_detector_mm * near < 6.25);
    EXPECT_NEAR(again.central_row, 0.5 * (again.detector_rows - 1), 0);
    // One slice stays one row, and a beam without a source is given one.
    const VolumeGrid flat = VolumeGrid::centered(20, 30, 1, {1, 1, 2.5});
    ScanSpec parallel = fan_spec(4, 10, 2);
    parallel.beam = Beam::parallel;
    parallel.source_to_isocenter_mm = parallel.source_to_detector_mm = 0;
    const ScanSpec given = with_beam(parallel, Beam::cone, flat);
    QCOMPARE(given.detector_rows, 1);
    QVERIFY(given.source_to_isocenter_mm > 0);
    QVERIFY(with_beam(given, Beam::parallel, flat).detector == DetectorShape::flat);
  }

  // A scan with free poses has none left on a circle.
  void anotherBeamDropsFreePoses() {
    ScanSpec free = fan_spec(4, 10, 2);
    free.beam = Beam::cone;
    free.trajectory = Trajectory::poses;
    free.poses.resize(4);
    const ScanSpec fan = with_beam(free, Beam::fan, VolumeGrid::centered(20, 30, 1, {1, 1, 1}));
    QVERIFY(fan.trajectory == Trajectory::circular);
    QVERIFY(fan.poses.empty());
  }
};

GANTRY_TEST(TestGeometry)
#include "test_geometry.moc"
