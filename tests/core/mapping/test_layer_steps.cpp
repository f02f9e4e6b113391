// The steps of the kernel that traces rays layer by layer, emulated on the host, against closed
// forms and against the single weights.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/mapping/ray_walks.hpp"
#include "core/mapping/warp_counters.hpp"
#include "gpu/projectors/siddon_joseph/trace_steps.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/unweighted_projector.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace gantry;
using namespace gantry::test;

class TestLayerSteps : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;

  std::unique_ptr<Projector> make(const std::string& key, const ScanSpec& spec,
                                  const VolumeGrid& grid) {
    return catalog_.projectors.make(key, "cpu", backend_, share(spec), grid, {});
  }
  /// A parallel beam of 64 cells of 1 mm over 64 x 64 pixels of 1 mm, whose rays run along columns
  /// or rows of pixels.
  std::unique_ptr<Projector> along_pixels(std::vector<double> angles_deg) {
    ScanSpec spec = fan_spec(static_cast<int>(angles_deg.size()), 64, 1);
    spec.beam = Beam::parallel;
    for (std::size_t v = 0; v < angles_deg.size(); ++v)
      spec.view_angles_rad[v] = radians(angles_deg[v]);
    return make("siddon", spec, VolumeGrid::centered(64, 64, 1, {1, 1, 1}));
  }
  static std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  /// Rays along y: in a layer, the lanes read 32 neighbouring pixels, which are 4 sectors and one
  /// line. Rays along x: 32 pixels of different rows, each a sector and a line of its own.
  void raysAlongRowsAndColumnsOfPixels() {
    for (const bool along_y : {true, false}) {
      const auto A = along_pixels({along_y ? 0.0 : 90.0});
      for (const StepAlignment alignment : {StepAlignment::layers, StepAlignment::walk}) {
        const WarpCounters count = count_warps(*make_ray_steps(*A, alignment), numbers(64));
        QCOMPARE(count.requests, 2 * 64);
        QCOMPARE(count.accesses, 64 * 64);
        QCOMPARE(count.transactions, along_y ? 2 * 64 * 4 : 64 * 64);
        QCOMPARE(count.lines, along_y ? 2 * 64 : 64 * 64);
        QCOMPARE(count.collisions, 0);
        QCOMPARE(count.common, 0);
      }
    }
  }

  /// A warp with 16 rays of one view and the same lines in the opposite direction. By layers, both
  /// are at the same pixel at a time; on the walk they begin at opposite ends and never meet.
  void oppositeRaysMeetByLayers() {
    const auto A = along_pixels({0, 180});
    std::vector<std::uint32_t> rays;
    for (std::uint32_t n = 0; n < 16; ++n) rays.push_back(n);
    for (std::uint32_t n = 0; n < 16; ++n) rays.push_back(64 + 63 - n);
    const WarpCounters layers = count_warps(*make_ray_steps(*A, StepAlignment::layers), rays),
                       walk = count_warps(*make_ray_steps(*A, StepAlignment::walk), rays);
    QCOMPARE(layers.collisions, 16 * 64);
    QCOMPARE(layers.lost(), 0.5);
    QCOMPARE(walk.collisions, 0);
    for (const WarpCounters& count : {layers, walk}) {
      QCOMPARE(count.requests, 64);
      QCOMPARE(count.common, 16 * 64);
    }
    // 16 neighbouring pixels are 2 sectors; walks read those of two rows at a time.
    QCOMPARE(layers.transactions, 64 * 2);
    QCOMPARE(walk.transactions, 64 * 4);
    // In warps of their own, what the lanes lost among themselves collides between warps.
    std::vector<std::uint32_t> apart(rays.begin(), rays.begin() + 16);
    apart.resize(32, 0xFFFFFFFF);
    apart.insert(apart.end(), rays.begin() + 16, rays.end());
    const auto by_layers = make_ray_steps(*A, StepAlignment::layers);
    QCOMPARE(count_warps(*by_layers, apart).collisions, 0);
    QCOMPARE(collisions_between_warps(*by_layers, apart, 2), 0.5);
    QCOMPARE(collisions_between_warps(*by_layers, apart, 1), 0.0);
  }

  void voxelsAreThoseOfTheWeights_data() {
    QTest::addColumn<QString>("projector");
    QTest::addColumn<QString>("scan");
    for (const char* projector : {"siddon", "joseph"})
      for (const char* scan : {"fan flat", "fan arc", "cone flat", "helical flat, downwards",
                               "free poses, cone", "fan stack, rows aligned with slices"})
        QTest::addRow("%s, %s", projector, scan) << QString(projector) << QString(scan);
  }
  /// Each ray has the voxels of its row, up to those that rounding adds or leaves out. The step
  /// divided by the places of a layer is the voxel's index along the ray's main axis.
  void voxelsAreThoseOfTheWeights() {
    QFETCH(QString, projector);
    QFETCH(QString, scan);
    std::vector<ScanCase> cases = scan_cases(), free = pose_cases();
    cases.insert(cases.end(), free.begin(), free.end());
    const auto c = std::ranges::find(cases, scan.toStdString(), &ScanCase::name);
    const auto A = make(projector.toStdString(), c->geometry->spec(), c->grid);
    const auto steps = make_ray_steps(*A, StepAlignment::layers);
    const std::uint32_t places = projector == "siddon" ? 3 : 4;
    const VolumeGrid& grid = A->grid();
    std::size_t all = 0, differ = 0;
    for (const std::uint32_t ray : numbers(A->range_size())) {
      std::vector<Access> found;
      steps->append(std::span(&ray, 1), found);
      const RayWalks walks = walks_of(*A, std::span(&ray, 1));
      std::set<std::uint32_t> expected(walks.voxels.begin(), walks.voxels.end());
      all += expected.size();
      const auto cell = static_cast<int>(ray % A->cells_per_view());
      Vec3 d = A->geometry()
                   .ray(static_cast<int>(ray / A->cells_per_view()), cell % A->geometry().columns(),
                        cell / A->geometry().columns())
                   .direction;
      if (projector == "siddon")  // the axis along which it crosses the most voxels
        d = {d.x / grid.spacing_mm.x, d.y / grid.spacing_mm.y, d.z / grid.spacing_mm.z};
      if (c->geometry->beam() == Beam::fan) d.z = 0;
      const double size[] = {std::abs(d.x), std::abs(d.y), std::abs(d.z)};
      const auto axis = std::max_element(size, size + 3) - size;
      std::set<std::uint32_t> taken;
      for (const Access& access : found) {
        if (expected.erase(access.voxel) == 0) ++differ;
        const auto nx = static_cast<std::uint32_t>(grid.nx),
                   ny = static_cast<std::uint32_t>(grid.ny);
        const std::uint32_t index[] = {access.voxel % nx, access.voxel / nx % ny,
                                       access.voxel / nx / ny};
        QCOMPARE(access.step / places, index[axis]);
        QVERIFY(taken.insert(access.step).second);
      }
      differ += expected.size();
    }
    QVERIFY(all > 1000);
    QVERIFY2(differ * 500 <= all, qPrintable(QString("%1 of %2").arg(differ).arg(all)));
  }

  void otherProjectorsHaveNoLayers() {
    const VolumeGrid grid = VolumeGrid::centered(16, 16, 1, {4, 4, 4});
    const auto A = make("distance_driven", fan_spec(5, 20, 4), grid);
    QVERIFY(!has_layer_steps(*A));
    QVERIFY(make_ray_steps(*A, StepAlignment::walk) != nullptr);
    EXPECT_THROWS(UsageError, make_ray_steps(*A, StepAlignment::layers), "use siddon or joseph");
    const UnweightedProjector none(*A);
    QVERIFY(!has_layer_steps(none));
    EXPECT_THROWS(UsageError, make_ray_steps(none, StepAlignment::walk), "single weights");
  }
};

GANTRY_TEST(TestLayerSteps)
#include "test_layer_steps.moc"
