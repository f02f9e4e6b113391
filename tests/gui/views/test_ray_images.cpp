// Rays as pictures, and where points of the world are seen in them.
#include "core/geometry/default_scan.hpp"
#include "core/geometry/presets.hpp"
#include "gui/stage/ray_images.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <numeric>

using namespace gantry;

class TestRayImages : public QObject {
  Q_OBJECT

  static ScanSpec small(Beam beam, int rows) {
    ScanSpec spec;
    spec.beam = beam;
    spec.source_to_isocenter_mm = 300;
    spec.source_to_detector_mm = 500;
    spec.detector_columns = 7;
    spec.detector_rows = rows;
    spec.column_pitch_mm = 2;
    spec.row_pitch_mm = 3;
    spec.central_column = 2.75;
    spec.central_row = 0.5 * (rows - 1);
    spec.view_angles_rad = angles_from_degrees(10, 50, 4);
    return spec;
  }

 private slots:
  /// A point on the ray to a cell is seen in that cell, whatever the scan.
  void aPointIsSeenWhereItsRayEnds_data() {
    QTest::addColumn<ScanSpec>("spec");
    for (const Beam beam : {Beam::parallel, Beam::fan, Beam::cone}) {
      ScanSpec spec = small(beam, 5);
      QTest::addRow("beam %d", static_cast<int>(beam)) << spec;
      if (beam == Beam::parallel) continue;
      spec.detector = DetectorShape::arc;
      QTest::addRow("arc, beam %d", static_cast<int>(beam)) << spec;
    }
    ScanSpec helix = small(Beam::cone, 5);
    helix.trajectory = Trajectory::helical;
    helix.helical_feed_mm_per_turn = 40;
    QTest::newRow("helix") << helix;
    ScanSpec poses = small(Beam::cone, 5);
    const ScanGeometry circle(poses);
    poses.trajectory = Trajectory::poses;
    for (int v = 0; v < circle.views(); ++v) {
      View pose = circle.view(v);
      pose.u_mm = pose.u_mm + Vec3{0, 0, 0.3};  // tilted, and not at right angles to the rows
      poses.poses.push_back(pose);
    }
    QTest::newRow("poses") << poses;
  }
  void aPointIsSeenWhereItsRayEnds() {
    QFETCH(ScanSpec, spec);
    const ScanGeometry geometry(spec);
    for (int view = 0; view < geometry.views(); ++view)
      for (const double column : {0.0, 3.2, 6.0})
        for (const double row : {0.0, 1.4, 4.0}) {
          const Ray ray = geometry.ray(view, column, row);
          const double along = spec.beam == Beam::parallel ? -40 : 280;
          const auto cell = cell_of(geometry, view, ray.origin_mm + along * ray.direction);
          QVERIFY(cell.has_value());
          EXPECT_NEAR(cell->column, column, 1e-9);
          EXPECT_NEAR(cell->row, row, 1e-9);
        }
  }

  void aPointBehindTheSourceIsNotSeen() {
    const ScanGeometry geometry(small(Beam::cone, 5));
    const View pose = geometry.view(1);
    QVERIFY(!cell_of(geometry, 1, pose.source_mm + 0.1 * (pose.source_mm - pose.detector_mm)));
  }

  void picturesHoldTheRays() {
    const ScanGeometry geometry(small(Beam::cone, 5));
    std::vector<float> rays(geometry.rays());
    std::iota(rays.begin(), rays.end(), 0.0F);
    const SliceImage projection = projection_image(geometry, rays, 2);
    QCOMPARE(projection.width, 7);
    QCOMPARE(projection.height, 5);
    for (int row = 0; row < 5; ++row)
      for (int column = 0; column < 7; ++column)
        QCOMPARE(projection.value_at((column - 2.75) * 2, (row - 2) * 3),
                 2.0 * 35 + row * 7 + column);
    const SliceImage sinogram = sinogram_image(geometry, rays, 3, 2);
    QCOMPARE(sinogram.height, 4);
    EXPECT_NEAR(sinogram.width * sinogram.du_mm, 2 * sinogram.height * sinogram.dv_mm, 1e-12);
    for (int view = 0; view < 4; ++view)
      for (int column = 0; column < 7; ++column)
        QCOMPARE(sinogram.values[static_cast<std::size_t>(7 * view + column)],
                 static_cast<float>(view * 35 + 3 * 7 + column));
  }

  /// Rows of a stack lie their pitch apart; a cone's rows are narrower on the axis.
  void rowsHaveHeights() {
    EXPECT_NEAR(*row_height_mm(ScanGeometry(small(Beam::fan, 5)), 4), 6, 1e-12);
    EXPECT_NEAR(*row_height_mm(ScanGeometry(small(Beam::cone, 5)), 4), 6 * 300.0 / 500, 1e-12);
    QVERIFY(!row_height_mm(ScanGeometry(small(Beam::fan, 1)), 0));
    ScanSpec helix = small(Beam::cone, 5);
    helix.trajectory = Trajectory::helical;
    helix.helical_feed_mm_per_turn = 40;
    QVERIFY(!row_height_mm(ScanGeometry(helix), 4));
  }
};

GANTRY_TEST(TestRayImages)
#include "test_ray_images.moc"
