// A volume in space: what is averaged, and what is drawn where.
#include "gui/render/render_offscreen.hpp"
#include "gui/render/volume_scene.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

using namespace gantry;

class TestVolumeScene : public QObject {
  Q_OBJECT

  /// A cube of 0.04/mm, 40 mm wide, off the middle of air.
  static std::shared_ptr<const std::vector<float>> cube(const VolumeGrid& grid) {
    std::vector<float> mu(grid.voxels());
    for (int iz = 20; iz < 30; ++iz)
      for (int iy = 10; iy < 20; ++iy)
        for (int ix = 10; ix < 20; ++ix) mu[grid.index(ix, iy, iz)] = 0.04F;
    return std::make_shared<const std::vector<float>>(std::move(mu));
  }
  static double brightness(const RgbImage& image, int x0, int x1, int y0, int y1) {
    double sum = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) sum += image.at(x, y).g;
    return sum / ((x1 - x0) * (y1 - y0));
  }

 private slots:
  void blocksAreAveraged() {
    const VolumeGrid grid = VolumeGrid::centered(5, 4, 2, {1, 2, 3});
    std::vector<float> values(grid.voxels());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    const auto [coarse, means] = averaged(grid, values, 2);
    QCOMPARE(coarse.nx, 3);
    QCOMPARE(coarse.ny, 2);
    QCOMPARE(coarse.nz, 1);
    EXPECT_NEAR(coarse.spacing_mm.x, 2, 0);
    EXPECT_NEAR(coarse.origin_mm.y, grid.origin_mm.y + 1, 1e-12);
    EXPECT_NEAR(means[0], (0 + 1 + 5 + 6 + 20 + 21 + 25 + 26) / 8.0, 1e-5);
    EXPECT_NEAR(means[2], (4 + 9 + 24 + 29) / 4.0, 1e-5);  // half a block
  }

  void largeVolumesAreReduced() {
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 40, {4, 4, 4});
    VolumeScene whole(40 * 40 * 40), reduced(10 * 40 * 40);
    whole.setVolume(grid, cube(grid));
    reduced.setVolume(grid, cube(grid));
    QCOMPARE(whole.reduction(), 1);
    QCOMPARE(reduced.reduction(), 2);
  }

  /// Above the middle, since z is up.
  void theObjectIsWhereItIs() {
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 40, {4, 4, 4});
    for (const VolumeMode mode : {VolumeMode::shaded, VolumeMode::maximum, VolumeMode::surface}) {
      VolumeScene scene(grid.voxels());
      scene.setBackground(rgb(0x000000));
      scene.setWindowLevel(0.04, 0.02);
      scene.setMode(mode);
      scene.setVolume(grid, cube(grid));
      const RgbImage image = renderOffscreen(scene, 200, 200);
      QVERIFY(brightness(image, 60, 140, 60, 100) > 2 + 4 * brightness(image, 60, 140, 130, 190));
    }
  }

  void nothingIsDrawnWithoutAVolume() {
    VolumeScene scene(1000);
    scene.setBackground(rgb(0x000000));
    const RgbImage image = renderOffscreen(scene, 100, 100);
    EXPECT_NEAR(brightness(image, 0, 100, 0, 100), 0, 0);
  }
};

GANTRY_TEST(TestVolumeScene)
#include "test_volume_scene.moc"
