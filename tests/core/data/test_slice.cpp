#include "core/backend/cpu_backend.hpp"
#include "core/data/slice.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/measured_backend.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;

class TestSlice : public QObject {
  Q_OBJECT

  CpuBackend backend_;
  /// f(x, y, z) = x + 10 y + 100 z at voxel centres: any mix-up of axes shows.
  Volume ramp(VolumeGrid grid) {
    std::vector<float> values(grid.voxels());
    for (int iz = 0; iz < grid.nz; ++iz)
      for (int iy = 0; iy < grid.ny; ++iy)
        for (int ix = 0; ix < grid.nx; ++ix) {
          const Vec3 p = grid.voxel_center_mm(ix, iy, iz);
          values[grid.index(ix, iy, iz)] = static_cast<float>(p.x + 10 * p.y + 100 * p.z);
        }
    return {grid, Array::from(backend_, values)};
  }

 private slots:
  void slicesCarryTheirPlaceInTheWorld() {
    const VolumeGrid grid{5, 4, 3, {0.5, 1.0, 2.0}, {-1, 2, 3}};
    const Volume volume = ramp(grid);
    for (const Axis axis : {Axis::axial, Axis::coronal, Axis::sagittal}) {
      const int index = 1;
      const SliceImage s = extract_slice(grid, volume.mu, axis, index);
      QCOMPARE(extract_slice(grid, volume.mu.host(), axis, index).values, s.values);
      QCOMPARE(s.values.size(),
               static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height));
      for (const auto& [u, v] : {std::pair{0.3, 0.6}, {1.0, 1.0}, {1.5, 0.25}}) {
        const double u_mm = s.u0_mm + u * s.du_mm, v_mm = s.v0_mm + v * s.dv_mm, w = s.position_mm;
        const double expected = axis == Axis::axial     ? u_mm + 10 * v_mm + 100 * w
                                : axis == Axis::coronal ? u_mm + 10 * w + 100 * v_mm
                                                        : w + 10 * u_mm + 100 * v_mm;
        EXPECT_NEAR(s.value_at(u_mm, v_mm), expected, 1e-3);
      }
    }
  }

  void fromADeviceOnlyTheSliceTravels() {
    const VolumeGrid grid{5, 4, 3, {0.5, 1.0, 2.0}, {-1, 2, 3}};
    const std::vector<float> values = ramp(grid).mu.to_host();
    test::MeasuredBackend device(BackendKind::cuda);
    const Array mu = Array::from(device, values);
    for (const Axis axis : {Axis::axial, Axis::coronal, Axis::sagittal})
      for (int index = 0; index < slice_count(grid, axis); ++index) {
        const std::size_t before = device.downloaded();
        const SliceImage s = extract_slice(grid, mu, axis, index);
        QCOMPARE(device.downloaded() - before, s.values.size());
        QCOMPARE(s.values, extract_slice(grid, std::span(values), axis, index).values);
      }
  }

  void indexIsClampedAndOutsideIsZero() {
    const VolumeGrid grid = VolumeGrid::centered(4, 4, 2, {1, 1, 1});
    const Volume volume = ramp(grid);
    QCOMPARE(extract_slice(grid, volume.mu, Axis::axial, 99).index, 1);
    const SliceImage s = extract_slice(grid, volume.mu, Axis::axial, -5);
    QCOMPARE(s.index, 0);
    QVERIFY(s.contains(1.9, -1.9));
    QVERIFY(!s.contains(2.1, 0));
    QCOMPARE(s.value_at(2.1, 0), 0.0);
  }

  void profileOfALinearImageIsLinear() {
    const VolumeGrid grid = VolumeGrid::centered(33, 17, 1, {0.5, 0.25, 1});
    const Volume volume = ramp(grid);
    const SliceImage s = extract_slice(grid, volume.mu, Axis::axial, 0);
    const LineSegment segment{-3, -1, 5, 1.5};
    const LineProfile profile = sample_profile(s, segment);
    EXPECT_NEAR(profile.position_mm.back(), std::hypot(8, 2.5), 1e-12);
    for (std::size_t i = 0; i < profile.value.size(); ++i) {
      const double t = profile.position_mm[i] / segment.length_mm();
      EXPECT_NEAR(profile.value[i], -3 + 8 * t + 10 * (-1 + 2.5 * t), 1e-4);
    }
    for (std::size_t i = 1; i < profile.position_mm.size(); ++i)
      QVERIFY(profile.position_mm[i] - profile.position_mm[i - 1] <= 0.125 + 1e-12);
  }

  void oneVoxelVolume() {
    const VolumeGrid grid = VolumeGrid::centered(1, 1, 1, {2, 2, 2});
    const Volume volume = ramp(grid);
    EXPECT_NEAR(extract_slice(grid, volume.mu, Axis::sagittal, 0).value_at(0.9, -0.9), 0.0, 0);
  }
};

GANTRY_TEST(TestSlice)
#include "test_slice.moc"
