// Oblique cuts: where they lie, what they interpolate, how large they are.
#include "core/data/oblique_slice.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <cmath>

using namespace gantry;

class TestObliqueSlice : public QObject {
  Q_OBJECT

  static VolumeGrid grid() {
    VolumeGrid grid = VolumeGrid::centered(17, 21, 13, {2, 1.5, 3});
    grid.origin_mm = grid.origin_mm + Vec3{4, -7, 11};
    return grid;
  }
  /// Linear in x, y and z, so that linear interpolation is exact.
  static double ramp(Vec3 at) { return 0.02 + 0.001 * at.x - 0.0007 * at.y + 0.0004 * at.z; }
  static std::vector<float> ramps(const VolumeGrid& grid) {
    std::vector<float> values(grid.voxels());
    for (int iz = 0; iz < grid.nz; ++iz)
      for (int iy = 0; iy < grid.ny; ++iy)
        for (int ix = 0; ix < grid.nx; ++ix)
          values[grid.index(ix, iy, iz)] =
              static_cast<float>(ramp(grid.voxel_center_mm(ix, iy, iz)));
    return values;
  }

 private slots:
  void directionsAreOrthonormal() {
    for (const double turn : {0.0, 25.0, 90.0, -140.0})
      for (const double tilt : {0.0, 40.0, 90.0, -75.0}) {
        const ObliquePlane plane{{}, turn, tilt};
        EXPECT_NEAR(norm(plane.across()), 1, 1e-12);
        EXPECT_NEAR(norm(plane.along()), 1, 1e-12);
        EXPECT_NEAR(dot(plane.across(), plane.along()), 0, 1e-12);
      }
    const auto is = [](Vec3 a, Vec3 b) { return norm(a - b) < 1e-12; };
    QVERIFY(is(ObliquePlane{}.normal(), {0, 0, 1}));
    QVERIFY(is((ObliquePlane{{}, 0, 90}).along(), {0, 0, 1}));    // coronal
    QVERIFY(is((ObliquePlane{{}, 90, 90}).across(), {0, 1, 0}));  // sagittal
  }

  void linearValuesAreExact() {
    const VolumeGrid g = grid();
    const std::vector<float> values = ramps(g);
    const ObliquePlane plane{g.voxel_center_mm(7, 9, 5), 35, 50};
    const SliceImage cut = oblique_slice(g, values, plane);
    const Vec3 low = g.voxel_center_mm(0, 0, 0),
               high = g.voxel_center_mm(g.nx - 1, g.ny - 1, g.nz - 1);
    int inside = 0, outside = 0;
    for (int iv = 0; iv < cut.height; ++iv)
      for (int iu = 0; iu < cut.width; ++iu) {
        const Vec3 at = plane.through_mm + (cut.u0_mm + iu * cut.du_mm) * plane.across() +
                        (cut.v0_mm + iv * cut.dv_mm) * plane.along();
        const float value = cut.values[static_cast<std::size_t>(iv * cut.width + iu)];
        const auto within = [](double a, double from, double to, double margin) {
          return a >= from - margin && a <= to + margin;
        };
        if (within(at.x, low.x, high.x, 0) && within(at.y, low.y, high.y, 0) &&
            within(at.z, low.z, high.z, 0)) {
          EXPECT_NEAR(value, ramp(at), 1e-5);
          ++inside;
        } else if (!within(at.x, low.x, high.x, 1.01) || !within(at.y, low.y, high.y, 0.76) ||
                   !within(at.z, low.z, high.z, 1.51)) {
          QCOMPARE(value, outside_of_oblique);
          ++outside;
        }
      }
    QVERIFY(inside > 200 && outside > 20);
  }

  /// Along the axes, on a grid of cubes, the cut is the slice itself.
  void alongTheAxesItIsTheSlice() {
    const VolumeGrid g = VolumeGrid::centered(9, 8, 7, {2, 2, 2});
    std::vector<float> values(g.voxels());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
    struct Row {
      Axis axis;
      double turn, tilt;
      int index;
    };
    for (const Row& row : {Row{Axis::axial, 0, 0, 3}, Row{Axis::coronal, 0, 90, 5},
                           Row{Axis::sagittal, 90, 90, 2}}) {
      const SliceImage cut =
          oblique_slice(g, values, {g.voxel_center_mm(2, 5, 3), row.turn, row.tilt});
      const SliceImage slice = extract_slice(g, values, row.axis, row.index);
      QCOMPARE(cut.width, slice.width);
      QCOMPARE(cut.height, slice.height);
      for (std::size_t i = 0; i < slice.values.size(); ++i)
        EXPECT_NEAR(cut.values[i], slice.values[i], 1e-5);
    }
  }

  void pixelsAreAsWideAsTheSmallestSide() {
    const VolumeGrid g = grid();
    const SliceImage cut = oblique_slice(g, ramps(g), {g.center_mm(), 10, 20});
    EXPECT_NEAR(cut.du_mm, 1.5, 0);
    EXPECT_NEAR(cut.dv_mm, 1.5, 0);
    // A pixel's centre is at the point that the plane goes through.
    EXPECT_NEAR(std::remainder(cut.u0_mm, 1.5), 0, 1e-9);
    EXPECT_NEAR(std::remainder(cut.v0_mm, 1.5), 0, 1e-9);
  }

  /// Both ends of the line lie in both planes.
  void tracesLieInBothPlanes() {
    const VolumeGrid g = grid();
    const ObliquePlane plane{g.voxel_center_mm(3, 4, 5), 25, 35};
    for (const Axis axis : {Axis::axial, Axis::coronal, Axis::sagittal}) {
      const LineSegment line = trace_of(plane, axis, g);
      QVERIFY(line.length_mm() > 10);
      const auto at = [&](double u, double v) {
        Vec3 p = plane.through_mm;
        (axis == Axis::sagittal ? p.y : p.x) = u;
        (axis == Axis::axial ? p.y : p.z) = v;
        return p;
      };
      for (const Vec3 end : {at(line.u0_mm, line.v0_mm), at(line.u1_mm, line.v1_mm)})
        EXPECT_NEAR(dot(end - plane.through_mm, plane.normal()), 0, 1e-9);
    }
    EXPECT_NEAR(trace_of({g.center_mm(), 30, 0}, Axis::axial, g).length_mm(), 0, 1e-9);
  }
};

GANTRY_TEST(TestObliqueSlice)
#include "test_oblique_slice.moc"
