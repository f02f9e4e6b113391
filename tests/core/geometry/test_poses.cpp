// Scans whose views stand anywhere, against the circle they were made from and against geometry
// worked out here from source, detector and steps alone.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Where a point lands: p = source + s (target - source), target = detector + a u + b v, solved for
/// a and b by Cramer's rule on the plane's normal.
struct Cell {
  double column, row;
};
Cell project(const ScanSpec& spec, const View& pose, Vec3 p) {
  const Vec3 normal = cross(pose.u_mm, pose.v_mm);
  const Vec3 direction =
      spec.beam == Beam::parallel ? pose.detector_mm - pose.source_mm : p - pose.source_mm;
  const Vec3 start = spec.beam == Beam::parallel ? p : pose.source_mm;
  const double s = dot(pose.detector_mm - start, normal) / dot(direction, normal);
  const Vec3 on = start + s * direction - pose.detector_mm;
  const double square = dot(normal, normal);
  return {spec.central_column + dot(cross(on, pose.v_mm), normal) / square,
          spec.central_row + dot(cross(pose.u_mm, on), normal) / square};
}

/// Length of a ray inside the ellipsoid |(p - c) / a| <= 1.
double chord(const Ray& ray, Vec3 c, Vec3 a) {
  const auto scaled = [&](Vec3 p) { return Vec3{p.x / a.x, p.y / a.y, p.z / a.z}; };
  const Vec3 o = scaled(ray.origin_mm - c), d = scaled(ray.direction);
  const double half_b = dot(o, d), square = half_b * half_b - dot(d, d) * (dot(o, o) - 1);
  return square <= 0 ? 0 : 2 * std::sqrt(square) / dot(d, d);
}

std::vector<float> drawn_ellipsoid(const VolumeGrid& grid, Vec3 centre, Vec3 axes) {
  constexpr int parts = 4;
  const auto at = [](int index, int part) { return index + (part + 0.5) / parts - 0.5; };
  std::vector<float> f(grid.voxels());
  for (int iz = 0; iz < grid.nz; ++iz)
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        int inside = 0;
        for (int i = 0; i < parts * parts * parts; ++i) {
          const Vec3 q = grid.voxel_center_mm(at(ix, i % parts), at(iy, i / parts % parts),
                                              at(iz, i / parts / parts)) -
                         centre;
          inside += dot(q, {q.x / (axes.x * axes.x), q.y / (axes.y * axes.y),
                            q.z / (axes.z * axes.z)}) <= 1;
        }
        f[grid.index(ix, iy, iz)] =
            static_cast<float>(inside) / static_cast<float>(parts * parts * parts);
      }
  return f;
}

void expect_near(Vec3 a, Vec3 b, double tolerance) { EXPECT_NEAR(norm(a - b), 0, tolerance); }

}  // namespace

class TestPoses : public QObject {
  Q_OBJECT

  CpuBackend backend_;

  /// Root mean square of Siddon's sums less the chords of an ellipsoid 38 mm long, mm.
  double ellipsoid_error(const ScanGeometry& geometry, double voxel_mm) {
    const int side = static_cast<int>(60 / voxel_mm), high = static_cast<int>(48 / voxel_mm);
    const VolumeGrid grid = VolumeGrid::centered(side, side, high, {voxel_mm, voxel_mm, voxel_mm});
    const Vec3 centre{3, -5, 2}, axes{19, 14, 11};
    const auto A = make_siddon(backend_, share(geometry.spec()), grid, {});
    Array y(backend_, A->range_size());
    A->forward(Array::from(backend_, drawn_ellipsoid(grid, centre, axes)), y);
    double square = 0;
    std::size_t i = 0;
    for (int v = 0; v < geometry.views(); ++v)
      for (int row = 0; row < geometry.rows(); ++row)
        for (int column = 0; column < geometry.columns(); ++column, ++i) {
          const double error = y.host()[i] - chord(geometry.ray(v, column, row), centre, axes);
          square += error * error;
        }
    return std::sqrt(square / static_cast<double>(i));
  }

 private slots:
  void posesOfACircleAreTheCircle_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("cone") << 0;
    QTest::newRow("helical") << 1;
    QTest::newRow("parallel") << 2;
  }
  void posesOfACircleAreTheCircle() {
    QFETCH(int, kind);
    ScanSpec spec = cone_spec();
    if (kind == 1) {
      spec.trajectory = Trajectory::helical;
      spec.helical_feed_mm_per_turn = 20;
      spec.view_angles_rad = angles_from_degrees(3, 100, 12);
    }
    if (kind == 2) spec.beam = Beam::parallel;
    const ScanGeometry circle(spec), poses(as_poses(spec));
    QCOMPARE(poses.views(), circle.views());
    for (int v = 0; v < circle.views(); ++v) {
      EXPECT_NEAR(poses.angle_rad(v), circle.angle_rad(v), 1e-12);
      const ViewRays a(circle, v), b(poses, v);
      for (const double row : {-0.5, 3.0, 11.5})
        for (const double column : {-0.5, 8.25, 19.0}) {
          QVERIFY(a.ray(column, row).origin_mm == b.ray(column, row).origin_mm);
          QVERIFY(a.ray(column, row).direction == b.ray(column, row).direction);
        }
    }
    EXPECT_NEAR(poses.field_of_view_radius_mm(), circle.field_of_view_radius_mm(), 1e-9);
    EXPECT_NEAR(poses.column_pitch_at_isocenter_mm(), circle.column_pitch_at_isocenter_mm(), 1e-9);
    EXPECT_NEAR(poses.row_pitch_at_isocenter_mm(), circle.row_pitch_at_isocenter_mm(), 1e-9);
    if (kind == 2) return;  // rays across the axis never cut it at an edge's height but along it
    EXPECT_NEAR(poses.axial_range_mm().low, circle.axial_range_mm().low, 1e-9);
    EXPECT_NEAR(poses.axial_range_mm().high, circle.axial_range_mm().high, 1e-9);
    const VolumeGrid a = default_grid(circle), b = default_grid(poses);
    QVERIFY(a.nx == b.nx && a.ny == b.ny && a.nz == b.nz);
    expect_near(a.lower_corner_mm(), b.lower_corner_mm(), 1e-9);

    const VolumeGrid grid = VolumeGrid::centered(16, 18, 10, {4, 4, 3});
    const auto A = make_siddon(backend_, share(spec), grid, {}),
               B = make_siddon(backend_, share(as_poses(spec)), grid, {});
    const Array x = Array::from(backend_, random_values(grid.voxels(), 5));
    Array y(backend_, A->range_size()), z(backend_, A->range_size());
    A->forward(x, y);
    B->forward(x, z);
    for (std::size_t i = 0; i < y.host().size(); ++i) QCOMPARE(z.host()[i], y.host()[i]);
  }

  void pointsLandWhereTheirRaysGo() {
    for (const ScanCase& c : pose_cases())
      for (int v = 0; v < c.geometry->views(); ++v) {
        const Vec3 p{11, -7, 5};
        const Cell cell = project(c.geometry->spec(), c.geometry->view(v), p);
        const Ray ray = c.geometry->ray(v, cell.column, cell.row);
        EXPECT_NEAR(norm(cross(ray.direction, p - ray.origin_mm)), 0, 1e-9);
        const Vec3 run = c.geometry->view(v).detector_mm - c.geometry->view(v).source_mm;
        QVERIFY(dot(ray.direction, run) > 0);
      }
  }

  /// Siddon's sums through a drawn ellipsoid come to its chords as voxels get finer, on tilted
  /// detectors too.
  void ellipsoidsProjectToTheirChords() {
    for (const ScanCase& c : pose_cases()) {
      const double coarse = ellipsoid_error(*c.geometry, 1.0),
                   fine = ellipsoid_error(*c.geometry, 0.5);
      QVERIFY2(coarse < 0.6, qPrintable(QString::number(coarse)));
      QVERIFY2(fine < 0.6 * coarse, qPrintable(QString::number(fine)));
    }
  }

  /// Just inside the radius no point of the circle lands beyond the farther edge of any view; just
  /// outside one does. The same along the axis, for any view and both edges.
  void whatTheyAllSee() {
    for (const ScanCase& c : pose_cases()) {
      const ScanSpec& spec = c.geometry->spec();
      const double radius = c.geometry->field_of_view_radius_mm();
      QVERIFY2(radius > 15, qPrintable(QString::number(radius)));
      const auto all_see = [&](double r) {
        bool low = true, high = true;
        for (int v = 0; v < c.geometry->views(); ++v) {
          const Ray middle = c.geometry->ray(v, 9.5, 5.5);
          const Vec3 o = middle.origin_mm, d = middle.direction;
          const double s = -(o.x * d.x + o.y * d.y) / (d.x * d.x + d.y * d.y);
          for (int i = 0; i < 3600; ++i) {
            const double t = 2 * pi * i / 3600;
            const Cell cell = project(spec, c.geometry->view(v),
                                      {r * std::cos(t), r * std::sin(t), o.z + s * d.z});
            low = low && cell.column >= -0.5;
            high = high && cell.column <= 19.5;
          }
        }
        return low || high;
      };
      QVERIFY(all_see(radius * 0.999));
      QVERIFY(!all_see(radius * 1.001));
      const auto any_sees = [&](double z) {
        for (int v = 0; v < c.geometry->views(); ++v) {
          const double row = project(spec, c.geometry->view(v), {0, 0, z}).row;
          if (row >= -0.5 && row <= 11.5) return true;
        }
        return false;
      };
      // Skewed columns: the edge's plane is that through its middle, a column beside it lands off.
      const AxialRange range = c.geometry->axial_range_mm();
      QVERIFY(any_sees(range.low + 0.01) && any_sees(range.high - 0.01));
      QVERIFY(!any_sees(range.low - 0.01) && !any_sees(range.high + 0.01));
    }
  }

  void aDetectorMayLieOnItsSide() {
    const ScanSpec upright = as_poses(cone_spec());
    ScanSpec lying = upright;
    std::swap(lying.detector_columns, lying.detector_rows);
    std::swap(lying.central_column, lying.central_row);
    for (View& pose : lying.poses) std::swap(pose.u_mm, pose.v_mm);
    const ScanGeometry a(upright), b(lying);
    EXPECT_NEAR(b.field_of_view_radius_mm(), a.field_of_view_radius_mm(), 1e-9);
    EXPECT_NEAR(b.axial_range_mm().low, a.axial_range_mm().low, 1e-9);
    EXPECT_NEAR(b.axial_range_mm().high, a.axial_range_mm().high, 1e-9);
  }

  void finerColumnsCutTheSameDetector() {
    for (const ScanSpec& spec : {cone_spec(), as_poses(cone_spec())}) {
      const ScanGeometry coarse(spec), fine(with_finer_columns(spec, 4));
      QCOMPARE(fine.columns(), 80);
      for (const double column : {-0.5, 3.0, 19.5})
        expect_near(ViewRays(coarse, 2).detector_point_mm(column, 1),
                    ViewRays(fine, 2).detector_point_mm(4 * (column + 0.5) - 0.5, 1), 1e-9);
    }
  }

  void methodsOfTheCircleRefuse() {
    const ScanCase c = pose_cases().front();
    EXPECT_THROWS(UsageError, make_distance_driven(backend_, c.geometry, c.grid, {}),
                  "use a projector that takes free poses");
    const ScanSymmetry symmetry = analyse_symmetry(*c.geometry, c.grid);
    QCOMPARE(symmetry.elements().size(), std::size_t{1});
    QCOMPARE(symmetry.failures().front().reason,
             std::string("the views are free poses, not positions on a circle"));
  }

  void sourcesStandOutside() {
    const ScanSpec spec = as_poses(cone_spec());
    const VolumeGrid grid = VolumeGrid::centered(60, 60, 10, {4, 4, 3});
    make_siddon(backend_, share(spec), grid, {});
    ScanSpec near = spec;
    near.poses[3].source_mm = 0.5 * near.poses[3].source_mm;
    EXPECT_THROWS(UsageError, make_siddon(backend_, share(near), grid, {}),
                  "the source of view 3 lies inside");
    // Above the volume and looking down: fine at any distance from the axis.
    ScanSpec above = spec;
    above.poses = {{{0, 0, 100}, {0, 0, -100}, {7, 0, 0}, {0, 6, 0}}};
    make_siddon(backend_, share(above), grid, {});
    above.poses[0].source_mm.z = 10;
    EXPECT_THROWS(UsageError, make_siddon(backend_, share(above), grid, {}), "view 0");
  }

  void badPosesAreNamed() {
    const auto refuse = [](auto change, const char* part) {
      ScanSpec spec = as_poses(cone_spec());
      change(spec);
      EXPECT_THROWS(InputError, ScanGeometry(spec, "x.scan.json"), part);
    };
    refuse([](ScanSpec& s) { s.poses.clear(); }, "x.scan.json: the scan has no views");
    refuse([](ScanSpec& s) { s.poses[2].source_mm.y = std::nan(""); },
           "poses[2].source_mm is not finite");
    refuse([](ScanSpec& s) { s.poses[1].detector_mm.z = std::numeric_limits<double>::infinity(); },
           "poses[1].detector_mm");
    refuse([](ScanSpec& s) { s.poses[0].u_mm = {}; }, "poses[0].u_mm is no step");
    refuse([](ScanSpec& s) { s.poses[0].v_mm = {0, 0, 1e-9}; }, "poses[0].v_mm is no step");
    refuse([](ScanSpec& s) { s.poses[6].v_mm = -2 * s.poses[6].u_mm; },
           "poses[6]: u_mm and v_mm are parallel");
    refuse([](ScanSpec& s) { s.poses[5].source_mm = s.poses[5].detector_mm + s.poses[5].u_mm; },
           "poses[5]: the source stands in the plane of the detector");
    refuse([](ScanSpec& s) { s.poses[5].source_mm = s.poses[5].detector_mm; }, "in the plane");
    refuse([](ScanSpec& s) { s.beam = Beam::fan; }, "a fan beam has no free poses");
    refuse([](ScanSpec& s) { s.detector = DetectorShape::arc; }, "an arc detector has no free");
    refuse([](ScanSpec& s) { s.trajectory = Trajectory::circular; },
           "poses are given for a circle or helix");
    refuse([](ScanSpec& s) { s.detector_columns = 0; }, "detector_columns is 0");
  }
};

GANTRY_TEST(TestPoses)
#include "test_poses.moc"
