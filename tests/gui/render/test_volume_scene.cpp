// A volume in space: what is averaged, and what is drawn where.
#include "gui/render/render_offscreen.hpp"
#include "gui/render/volume/volume_scene.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <algorithm>
#include <limits>

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
    const auto values = cube(grid);
    const ReducedVolume whole = reduced(grid, values, 40 * 40 * 40);
    QCOMPARE(whole.block, 1);
    QVERIFY(whole.values == values);  // not copied
    const ReducedVolume half = reduced(grid, values, 10 * 40 * 40);
    QCOMPARE(half.block, 2);
    QCOMPARE(half.grid.nx, 20);
    QVERIFY(half.whole == grid);
    Interrupt interrupt;
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(Interrupted, reduced(grid, values, 10 * 40 * 40, &interrupt));
  }

  /// Above the middle, since z is up; by both ray casters, and with coarser rays while it moves.
  void theObjectIsWhereItIs() {
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 40, {4, 4, 4});
    for (const RayCaster caster : {RayCaster::processor, RayCaster::graphics_card})
      for (const VolumeMode mode : {VolumeMode::shaded, VolumeMode::maximum, VolumeMode::surface})
        for (const bool moving : {false, true}) {
          VolumeScene scene(caster);
          scene.setBackground(rgb(0x000000));
          scene.setWindowLevel(0.04, 0.02);
          scene.setMode(mode);
          scene.setMoving(moving);
          scene.setVolume(reduced(grid, cube(grid), grid.voxels()));
          const RgbImage image = renderOffscreen(scene, 200, 200);
          QVERIFY(brightness(image, 60, 140, 60, 100) >
                  2 + 4 * brightness(image, 60, 140, 130, 190));
          QCOMPARE(scene.rayBlock() > 1, moving && caster == RayCaster::processor);
        }
  }

  /// Slow pictures make the next ones coarser, quick ones finer again.
  void raysFollowTheTime() {
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 40, {4, 4, 4});
    VolumeScene scene(RayCaster::processor);
    scene.setVolume(reduced(grid, cube(grid), grid.voxels()));
    scene.setMoving(true);
    const auto after = [&](double ms) {
      for (int i = 0; i < 20; ++i) {
        renderOffscreen(scene, 200, 200);
        scene.noteFrame(ms);
      }
      return scene.rayBlock();
    };
    const int slow = after(100), quick = after(1);
    QVERIFY(slow > 3);
    QCOMPARE(quick, 1);
  }

  /// HU of presets become 1/mm by the attenuation of water; those of the window follow it.
  void looksShowWhatTheyName() {
    const TransferPreset& bone = transfer_preset("bone");
    QVERIFY(bone.in_hu);
    EXPECT_NEAR(bone.mu_of({1000, {}, 0}, 1, 1, 0.02), 0.04, 1e-12);
    const TransferPreset& window = transfer_preset("window");
    EXPECT_NEAR(window.mu_of({0, {}, 0}, 0.04, 0.03, 0.02), 0.01, 1e-12);
    EXPECT_NEAR(window.mu_of({1, {}, 0}, 0.04, 0.03, 0.02), 0.05, 1e-12);
    QCOMPARE(transfer_preset("no such preset").key, std::string("window"));
    for (const TransferPreset& preset : transfer_presets()) {
      QVERIFY(std::ranges::is_sorted(preset.stops, {}, &TransferPreset::Stop::value));
      EXPECT_NEAR(preset.stops.front().opacity, 0, 0);
    }
    // A ball of water with a cube of 1000 HU: bone shows the cube alone, soft tissue the water too.
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 40, {4, 4, 4});
    std::vector<float> mu = *cube(grid);
    for (int iz = 0; iz < grid.nz; ++iz)
      for (int iy = 0; iy < grid.ny; ++iy)
        for (int ix = 0; ix < grid.nx; ++ix)
          if (norm(grid.voxel_center_mm(ix, iy, iz)) < 60)
            mu[grid.index(ix, iy, iz)] = std::max(mu[grid.index(ix, iy, iz)], 0.0205F);
    const auto values = std::make_shared<const std::vector<float>>(std::move(mu));
    const auto seen = [&](const char* preset) {
      VolumeScene scene(RayCaster::processor);
      scene.setBackground(rgb(0x000000));
      scene.setMuWater(0.02);
      scene.setPreset(preset);
      scene.setVolume(reduced(grid, values, grid.voxels()));
      return brightness(renderOffscreen(scene, 200, 200), 60, 140, 130, 150);
    };
    QVERIFY(seen("bone") < 1);
    QVERIFY(seen("soft_tissue") > 8);
    QVERIFY(seen("metal") < 1);
  }

  void theBoxCuts() {
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 40, {4, 4, 4});
    for (const RayCaster caster : {RayCaster::processor, RayCaster::graphics_card}) {
      VolumeScene scene(caster);
      scene.setBackground(rgb(0x000000));
      scene.setWindowLevel(0.04, 0.02);
      scene.setVolume(reduced(grid, cube(grid), grid.voxels()));
      const auto seen = [&] {
        return brightness(renderOffscreen(scene, 200, 200), 60, 140, 60, 100);
      };
      const double whole = seen();
      ClipBox below = ClipBox::around(grid);
      below.high[2] = 0 - 4;  // the cube reaches from z = 0 upwards
      scene.setClip(below);
      QVERIFY(seen() < 0.1 * whole);
      scene.setClip(ClipBox::around(grid));
      QVERIFY(!scene.clip());
      EXPECT_NEAR(seen(), whole, 1e-9);
    }
  }

  /// A handle is found where it is drawn, and a move along its axis in the view moves the face so.
  void facesAreDragged() {
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 40, {4, 4, 4});
    VolumeScene scene(RayCaster::processor);
    scene.setVolume(reduced(grid, cube(grid), grid.voxels()));
    renderOffscreen(scene, 400, 400);
    scene.resize(400, 400, 1);
    scene.prepare();
    const ClipFace top{2, true};
    const PointPx handle = scene.handleOf(top);
    QVERIFY(!scene.faceAt(handle.x, handle.y));  // not shown
    scene.setClipShown(true);
    QVERIFY(scene.faceAt(handle.x, handle.y) == top);
    QVERIFY(!scene.faceAt(handle.x + 40, handle.y));
    const ClipBox whole = scene.box();
    const double move = scene.faceMoveMm(top, 0, 30);  // downwards
    QVERIFY(move < -5);
    const ClipBox cut = with_face(whole, top, whole.high[2] + move, grid);
    scene.setClip(cut);
    EXPECT_NEAR(scene.handleOf(top).y, handle.y + 30, 3);
    // Never beyond the volume, nor beyond the opposite face.
    EXPECT_NEAR(with_face(whole, top, 1000, grid).high[2], whole.high[2], 0);
    EXPECT_NEAR(with_face(whole, top, -1000, grid).high[2], whole.low[2] + 4, 1e-12);
  }

  /// As of a run that diverges.
  void valuesThatAreNotFiniteAreNotSeen() {
    const VolumeGrid grid = VolumeGrid::centered(40, 40, 40, {4, 4, 4});
    std::vector<float> mu = *cube(grid);
    mu[0] = std::numeric_limits<float>::infinity();
    mu[1] = std::numeric_limits<float>::quiet_NaN();
    const ReducedVolume shown =
        reduced(grid, std::make_shared<const std::vector<float>>(std::move(mu)), grid.voxels());
    QCOMPARE((*shown.values)[0], 0.0F);
    QCOMPARE((*shown.values)[1], 0.0F);
    QCOMPARE((*shown.values)[grid.index(12, 12, 25)], 0.04F);
  }

  void nothingIsDrawnWithoutAVolume() {
    VolumeScene scene(RayCaster::processor);
    scene.setBackground(rgb(0x000000));
    const RgbImage image = renderOffscreen(scene, 100, 100);
    EXPECT_NEAR(brightness(image, 0, 100, 0, 100), 0, 0);
  }
};

GANTRY_TEST(TestVolumeScene)
#include "test_volume_scene.moc"
