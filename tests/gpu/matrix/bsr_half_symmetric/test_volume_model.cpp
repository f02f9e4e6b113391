// Where the device takes voxels and rays of a cone beam, on the host against the symmetry itself;
// and the walk of its groups through the patches.
#include "core/backend/cpu_backend.hpp"
#include "core/matrix/tiles/tile_pattern.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "gpu/matrix/bsr_half/patch_walk.hpp"
#include "gpu/matrix/bsr_half_symmetric/volume_images.hpp"
#include "tests/support/symmetric_cones.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

class TestVolumeModel : public QObject {
  Q_OBJECT

  CpuBackend backend_;

 private slots:
  void imagesAreThoseOfTheSymmetry() {
    for (const auto& [c, elements] : symmetric_cones()) {
      const auto A = make_siddon(backend_, c.geometry, c.grid, {});
      const TileSymmetry symmetry(*A, StoredPart::views, BlockOrderKind::folded);
      const device::VolumeImages images = volume_images(symmetry, *A, symmetry.view_maps().data());
      QCOMPARE(images.elements(), elements);
      const device::SliceLayout layout{1, static_cast<int>(A->cells_per_view()),
                                       static_cast<std::int64_t>(A->domain_size())};
      const device::VolumeVoxels voxels{images, layout, nullptr, nullptr, nullptr, 0};
      const device::ViewRange views{1, 2, A->views() / 2, layout.cells};
      const device::VolumeRays rays{images, layout, nullptr, nullptr, views, false};
      for (int e = 0; e < elements; ++e) {
        for (int j = 0; j < static_cast<int>(A->domain_size()); ++j) {
          const auto image = voxels.image(e, voxels.place(j));
          QCOMPARE(voxels.index(image), symmetry.pixel(e, j));
          QCOMPARE(voxels.address(image, 0), std::int64_t{symmetry.pixel(e, j)});
          QCOMPARE(symmetry.pixel(images.inverse[e], symmetry.pixel(e, j)), j);
        }
        for (int r = 0; r < static_cast<int>(A->range_size()); ++r) {
          const auto image = rays.image(e, rays.place(r));
          QCOMPARE(rays.index(image), symmetry.ray(e, r));
          QCOMPARE(rays.address(image, 0), std::int64_t{symmetry.ray(e, r)});
          QCOMPARE(rays.wanted(image), symmetry.ray(e, r) / layout.cells % 2 == 1);
        }
      }
    }
  }

  /// Each patch has a turn; those of a turn later lie no nearer the beginning of the walk.
  void groupsWalkAlongTheirRays() {
    const ScanCase c = symmetric_cone("flat", 6, 8, 16, 0.5, 23, 20);
    const auto A = make_siddon(backend_, c.geometry, c.grid, {});
    const TileSymmetry symmetry(*A, StoredPart::views, BlockOrderKind::folded);
    const BlockOrder &pixels = symmetry.pixels().order, &rays = symmetry.rays().order;
    const PatchWalk walk = walk_patches(*A, rays, pixels);
    const std::size_t patches = pixels.at.size() / patch_pixels;
    QCOMPARE(walk.patch_at.size(), 2 * patches);
    QCOMPARE(walk.by_rows.size(), rays.at.size() / group_rays);
    QVERIFY(std::ranges::count(walk.by_rows, 1) > 0 && std::ranges::count(walk.by_rows, 0) > 0);
    for (const std::size_t by_rows : {0, 1}) {
      std::vector<std::int32_t> turns(
          walk.patch_at.begin() + static_cast<std::ptrdiff_t>(by_rows * patches),
          walk.patch_at.begin() + static_cast<std::ptrdiff_t>((by_rows + 1) * patches));
      int before = 0;
      for (const std::int32_t patch : turns) {
        const std::int32_t j = pixels.at[static_cast<std::size_t>(patch) * patch_pixels];
        if (j < 0) continue;
        const int along = by_rows == 1 ? j / c.grid.nx % c.grid.ny : j % c.grid.nx;
        QVERIFY(along >= before);
        before = along;
      }
      for (std::size_t j = 0; j < pixels.position.size(); ++j) {
        const std::int32_t position = walk.position[by_rows * pixels.position.size() + j];
        QCOMPARE(turns[static_cast<std::size_t>(position / patch_pixels)],
                 pixels.position[j] / patch_pixels);
        QCOMPARE(position % patch_pixels, pixels.position[j] % patch_pixels);
      }
      std::ranges::sort(turns);
      for (std::size_t i = 0; i < patches; ++i) QCOMPARE(turns[i], static_cast<std::int32_t>(i));
    }
  }
};

GANTRY_TEST(TestVolumeModel)
#include "test_volume_model.moc"
