// What the symmetry of a circular cone beam leaves, in tiles: products against CSR of all rows,
// orbits counted one by one, and how full tiles are.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/geometry/bench_cases.hpp"
#include "core/matrix/tiles/bsr_symmetric.hpp"
#include "core/matrix/tiles/tile_symmetry.hpp"
#include "core/matrix/tiles/volume_orbits.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/products.hpp"
#include "tests/support/symmetric_cones.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr BlockOrderKind kinds[] = {BlockOrderKind::natural, BlockOrderKind::pseudo_morton,
                                    BlockOrderKind::folded};

}  // namespace

class TestBsrCone : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;

  std::unique_ptr<Projector> projector(const std::string& key, const ScanCase& c) {
    return catalog_.projectors.make(key, "cpu", backend_, c.geometry, c.grid, {});
  }
  std::unique_ptr<StoredMatrix> stored(const std::string& key, const ScanCase& c,
                                       const std::string& format, const Params& params = {}) {
    return std::make_unique<StoredMatrix>(projector(key, c),
                                          catalog_.matrix_formats.make(format, "cpu", params));
  }
  void compare_with_csr(const std::string& key, const ScanCase& c, const Params& params,
                        double tolerance) {
    const auto A = stored(key, c, "bsr_symmetric", params), W = stored(key, c, "csr");
    const auto x = random_values(A->domain_size(), 1), y = random_values(A->range_size(), 2);
    for (const ViewSubset& views :
         {A->all(), ViewSubset{A->views() - 1, 1, 1}, ViewSubset::interleaved(1, 3, A->views())}) {
      const double forward = relative_rms(forward_of(*A, x, views), forward_of(*W, x, views)),
                   back = relative_rms(adjoint_of(*A, y, views), adjoint_of(*W, y, views));
      const std::string what = key + ", " + c.name;
      QVERIFY2(forward < tolerance, (what + ": " + std::to_string(forward)).c_str());
      QVERIFY2(back < tolerance, (what + ": " + std::to_string(back)).c_str());
    }
    // Where a ray runs along voxels' edges rounding decides.
    const auto all = static_cast<double>(W->storage().nonzeros);
    EXPECT_NEAR(static_cast<double>(A->storage().nonzeros), all, 0.02 * all);
    QVERIFY(A->storage().stored < A->storage().nonzeros);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void isCsr() {
    for (const SymmetricCone& cone : symmetric_cones())
      for (const char* key : {"distance_driven", "siddon", "joseph", "separable_footprint"}) {
        compare_with_csr(key, cone.scan, {}, 1e-6);
        if (QTest::currentTestFailed()) return;
      }
  }

  void isCsrInEveryOrderAndBlock() {
    for (const char* order : {"natural", "pseudo-morton", "folded"})
      for (const char* block : {"8x16", "16x16", "32x16"}) {
        const Params params{{"order", std::string(order)}, {"block", std::string(block)}};
        compare_with_csr("distance_driven", symmetric_cone("flat", 7, 9), params, 1e-6);
        if (QTest::currentTestFailed()) return;
      }
    compare_with_csr("distance_driven", symmetric_cone("arc", 6, 8),
                     {{"weights", std::string("half")}}, 5e-4);
  }

  /// Each ray is one position's by one element, each voxel every element's.
  void everythingIsHeldOnce() {
    for (const auto& [c, elements] : symmetric_cones())
      for (const BlockOrderKind kind : kinds) {
        const auto A = projector("siddon", c);
        const TileSymmetry symmetry(*A, StoredPart::views, kind);
        QCOMPARE(symmetry.elements(), elements);
        std::vector<int> rays(c.geometry->rays(), 0), voxels(c.grid.voxels(), 0);
        const auto count = [&](const SymmetricSide& side, std::vector<int>& held, auto image) {
          QCOMPARE(side.order.position.size(), held.size());
          for (std::size_t p = 0; p < side.order.at.size(); ++p)
            for (int e = 0; e < elements; ++e)
              if (side.owns(p, e)) ++held[static_cast<std::size_t>(image(e, side.order.at[p]))];
        };
        count(symmetry.rays(), rays, [&](int e, int at) { return symmetry.ray(e, at); });
        count(symmetry.pixels(), voxels, [&](int e, int at) { return symmetry.pixel(e, at); });
        for (const int times : rays) QCOMPARE(times, 1);
        for (const int times : voxels) QCOMPARE(times, elements);
      }
  }

  /// A sixteenth of the rays, where no view or row is its own mirror.
  void aSixteenthIsStored() {
    const ScanCase c = symmetric_cone("flat", 6, 8, 24);
    const auto A = projector("siddon", c);
    const TileSymmetry symmetry(*A, StoredPart::views, BlockOrderKind::folded);
    QCOMPARE(16 * static_cast<std::size_t>(std::ranges::count_if(symmetry.rays().order.at,
                                                                 [](int r) { return r >= 0; })),
             c.geometry->rays());
    const auto matrix = stored("siddon", c, "bsr_symmetric");
    const MatrixStorage storage = matrix->storage();
    QCOMPARE(16 * storage.stored, storage.nonzeros);
  }

  /// Place k of an orbit is where element k takes the first, and what goes back to a voxel comes
  /// from where the tables say.
  void orbitsKnowWhereImagesAre() {
    for (const char* kind : {"flat", "flat from the axis", "flat raised", "flat oblong"})
      for (const int side : {12, 24}) {
        const ScanCase c =
            symmetric_cone(kind, 5, 6, 16, std::string(kind) == "flat" ? 0.5 : 0, 23, side);
        const auto A = projector("siddon", c);
        const TileSymmetry symmetry(*A, StoredPart::views, BlockOrderKind::folded);
        const VolumeOrbits orbits = volume_orbits(symmetry);
        const BlockOrder& order = symmetry.pixels().order;
        const auto slot_count = static_cast<std::size_t>(orbits.slot_count);
        QVERIFY(have_orbits(c.grid, BlockOrderKind::folded));
        QCOMPARE(orbits.slot_count, symmetry.elements() > 8 ? 16 : 8);
        std::set<std::int32_t> met;
        for (std::size_t first = 0; first < orbits.patch.size(); first += slot_count)
          for (int k = 0; k < symmetry.elements(); ++k) {
            const std::int32_t patch = orbits.patch[first + static_cast<std::size_t>(k)];
            met.insert(patch);
            for (int pixel = 0; pixel < patch_pixels; ++pixel)
              for (int e = 0; e < symmetry.elements(); ++e) {
                const std::int32_t at =
                    order.at[static_cast<std::size_t>(patch * patch_pixels + pixel)];
                const auto from = static_cast<std::size_t>(order.position[static_cast<std::size_t>(
                    symmetry.pixel(symmetry.inverse(e), at))]);
                const auto slot = orbits.slot[static_cast<std::size_t>(e * orbits.slot_count + k)];
                QCOMPARE(from / patch_pixels, static_cast<std::size_t>(orbits.patch[first + slot]));
                QCOMPARE(
                    from % patch_pixels,
                    std::size_t{orbits.pixel[static_cast<std::size_t>(e * patch_pixels + pixel)]});
              }
          }
        QCOMPARE(met.size(), c.grid.voxels() / patch_pixels);
      }
    const auto none = [&](const ScanCase& c, BlockOrderKind kind) {
      const auto A = projector("siddon", c);
      return !have_orbits(c.grid, kind) &&
             volume_orbits(TileSymmetry(*A, StoredPart::views, kind)).patch.empty();
    };
    QVERIFY(none(symmetric_cone("flat", 5, 6, 16, 0.5, 23, 17), BlockOrderKind::folded));
    QVERIFY(none(symmetric_cone("flat", 5, 6, 16, 0.5, 23, 24), BlockOrderKind::natural));
  }

  /// A tile's rays are of one row and its patches of one slice: as full as those of a fan.
  void tilesAreAsFullAsInAPlane() {
    const BenchCase setting = bench_cases("cone128").front();
    const ScanCase cone{"cone", setting.geometry, setting.grid};
    ScanSpec spec = setting.geometry->spec();
    spec.beam = Beam::fan;
    spec.detector_rows = 1;
    spec.central_row = 0;
    const ScanCase fan{"fan", share(spec),
                       VolumeGrid::centered(128, 128, 1, setting.grid.spacing_mm)};
    const auto fill = [&](const ScanCase& c, BlockOrderKind kind, int stride) {
      const auto A = projector("distance_driven", c);
      const TileSymmetry symmetry(*A, StoredPart::views, kind);
      const BlockCount count =
          count_blocks(*A, symmetry.rays().order, symmetry.pixels().order, stride);
      qInfo("%s: fill %.1f, %.1f, %.1f %% of blocks of 8, 16 and 32 rays", c.name.c_str(),
            100 * count.fill(8), 100 * count.fill(16), 100 * count.fill(32));
      return count.fill(8);
    };
    const double natural = fill(cone, BlockOrderKind::natural, 200),
                 morton = fill(cone, BlockOrderKind::pseudo_morton, 200),
                 plane = fill(fan, BlockOrderKind::pseudo_morton, 1);
    QVERIFY(morton > 1.7 * natural);
    QVERIFY(morton > 0.8 * plane);
  }

  void sizeIsKnownBefore() {
    for (const char* weights : {"float32", "half"}) {
      const ScanCase c = symmetric_cone("flat", 24, 30, 32, 0.5, 44, 32);
      const auto A =
          stored("distance_driven", c, "bsr_symmetric", {{"weights", std::string(weights)}});
      const auto before = static_cast<double>(A->workspace_bytes() - A->build_bytes());
      A->build();
      EXPECT_NEAR(static_cast<double>(A->workspace_bytes()), before, 0.05 * before);
    }
  }

  void productsDoNotDependOnThreads() {
    expect_same_products_on_any_threads(
        *stored("distance_driven", symmetric_cone("flat", 7, 9), "bsr_symmetric"));
  }

  void refusesNamingTheCondition() {
    const auto refuse = [&](const ScanSpec& spec, const char* part, const char* why) {
      ScanCase c = symmetric_cone("flat", 6, 8);
      c.geometry = share(spec);
      EXPECT_THROWS(UsageError, stored("siddon", c, "bsr_symmetric", {{"part", std::string(part)}}),
                    why);
    };
    const ScanSpec cone = symmetric_cone("flat", 6, 8).geometry->spec();
    refuse(cone, "octant", "octants for slices only");
    ScanSpec helical = cone;
    helical.trajectory = Trajectory::helical;
    helical.helical_feed_mm_per_turn = 10;
    refuse(helical, "views", "climbs");
    refuse(as_poses(cone), "views", "free poses");
    ScanSpec lopsided = symmetric_cone("flat raised and offset", 6, 8, 7, 0.3).geometry->spec();
    refuse(lopsided, "views", "no whole number");
  }
};

GANTRY_TEST(TestBsrCone)
#include "test_bsr_cone.moc"
