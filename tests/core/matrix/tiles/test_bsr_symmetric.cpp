// What of a symmetric slice is stored in tiles, and its products: against CSR of all rows, the
// number of pixels of an octant, orbits counted one by one, and blocks of a published scan.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/geometry/bench_cases.hpp"
#include "core/matrix/tiles/bsr_symmetric.hpp"
#include "core/matrix/tiles/tile_symmetry.hpp"
#include "core/operator/slice_stack.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/products.hpp"
#include "tests/support/symmetric_stacks.hpp"
#include "tests/support/test_program.hpp"

#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr StoredPart parts[] = {StoredPart::views, StoredPart::octant};
constexpr BlockOrderKind kinds[] = {BlockOrderKind::natural, BlockOrderKind::pseudo_morton,
                                    BlockOrderKind::folded};

}  // namespace

class TestBsrSymmetric : public QObject {
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
  /// False where the format refuses the scan.
  bool compare_with_csr(const std::string& key, const ScanCase& c, const Params& params,
                        double tolerance) {
    std::unique_ptr<StoredMatrix> A;
    try {
      A = stored(key, c, "bsr_symmetric", params);
    } catch (const UsageError&) {
      return false;
    }
    const auto W = stored(key, c, "csr");
    const auto x = random_values(A->domain_size(), 1), y = random_values(A->range_size(), 2);
    for (const ViewSubset& views :
         {A->all(), ViewSubset{A->views() - 1, 1, 1}, ViewSubset::interleaved(1, 3, A->views())}) {
      const double forward = relative_rms(forward_of(*A, x, views), forward_of(*W, x, views)),
                   back = relative_rms(adjoint_of(*A, y, views), adjoint_of(*W, y, views));
      const std::string what = key + ", " + c.name;
      [&] {
        QVERIFY2(forward < tolerance, (what + ": " + std::to_string(forward)).c_str());
        QVERIFY2(back < tolerance, (what + ": " + std::to_string(back)).c_str());
      }();
    }
    [&] {
      // Where a ray runs along pixels' edges rounding decides.
      const auto all = static_cast<double>(W->storage().nonzeros);
      EXPECT_NEAR(static_cast<double>(A->storage().nonzeros), all, 0.05 * all);
      QVERIFY(A->storage().stored < A->storage().nonzeros);
    }();
    return true;
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void isCsr_data() {
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("order");
    for (const char* part : {"views", "octant"})
      for (const char* order : {"natural", "pseudo-morton", "folded"})
        QTest::newRow((std::string(part) + ", " + order).c_str()) << part << order;
  }
  void isCsr() {
    QFETCH(QString, part);
    QFETCH(QString, order);
    const Params params{{"part", part.toStdString()}, {"order", order.toStdString()}};
    int taken = 0;
    for (const ScanCase& c : symmetric_stacks(1))
      for (const char* key : {"distance_driven", "siddon", "joseph", "area_integral"}) {
        taken += compare_with_csr(key, c, params, 1e-6);
        if (QTest::currentTestFailed()) return;
      }
    // All, but no octants of the four that have quarter turns and a view on a diagonal.
    QCOMPARE(taken, 4 * (part == "views" ? 13 : 9));
  }

  void takesAnyNumberOfSlices() {
    for (const int slices : {3, 8, 33})
      for (const char* part : {"views", "octant"})
        for (const char* block : {"8x16", "16x16", "32x16"}) {
          QVERIFY(compare_with_csr("distance_driven", symmetric_stack("fan", slices),
                                   {{"part", std::string(part)}, {"block", std::string(block)}},
                                   1e-6));
          if (QTest::currentTestFailed()) return;
        }
  }

  void roundsWeightsToHalf() {
    for (const char* part : {"views", "octant"})
      QVERIFY(compare_with_csr("distance_driven", symmetric_stack("fan", 2),
                               {{"part", std::string(part)}, {"weights", std::string("half")}},
                               5e-4));
  }

  /// On the side that is no sum every index is one position's by one element; on the other all
  /// elements have all.
  void everythingIsHeldOnce() {
    for (const ScanCase& c : symmetric_stacks(1))
      for (const StoredPart part : parts)
        for (const BlockOrderKind kind : kinds) {
          const auto A = projector("siddon", c);
          const TileSymmetry symmetry(*A, part, kind);
          QVERIFY(symmetry.rays().disjoint == (part == StoredPart::views));
          QVERIFY(symmetry.pixels().disjoint == (part == StoredPart::octant));
          const auto check = [&](const SymmetricSide& side, const auto& images) {
            std::vector<int> held(side.order.position.size(), 0);
            for (std::size_t p = 0; p < side.order.at.size(); ++p)
              for (int e = 0; e < symmetry.elements(); ++e)
                if (side.owns(p, e)) {
                  const auto [one, opposite] = images(e, side.order.at[p]);
                  ++held[static_cast<std::size_t>(one)];
                  if (opposite >= 0) ++held[static_cast<std::size_t>(opposite)];
                }
            for (const int times : held) QCOMPARE(times, side.disjoint ? 1 : symmetry.elements());
          };
          check(symmetry.rays(), [&](int e, int at) {
            const int ray = symmetry.ray(e, at);
            return std::pair{ray, symmetry.opposite(ray)};
          });
          check(symmetry.pixels(), [&](int e, int at) {
            return std::pair{symmetry.pixel(e, at), -1};
          });
          if (QTest::currentTestFailed()) return;
        }
  }

  /// N / 8 + n / 4 pixels of an even image of n x n = N, of which 2 n lie on a diagonal in orbits
  /// of four; a multiple of 16 with what fills the patches.
  void anOctantHasItsPixels() {
    for (const int side : {8, 24, 32}) {
      const auto A = projector("siddon", symmetric_stack("fan", 1, 16, 0.5, 29, side));
      for (const BlockOrderKind kind : kinds) {
        const TileSymmetry symmetry(*A, StoredPart::octant, kind);
        const auto& at = symmetry.pixels().order.at;
        QCOMPARE(std::ranges::count_if(at, [](int j) { return j >= 0; }),
                 std::ptrdiff_t{side * side / 8 + side / 4});
        QVERIFY(at.size() % 16 == 0);
        // Patches on the diagonal are not full; in natural order those at the ends of lines.
        if (kind != BlockOrderKind::natural)
          QCOMPARE(at.size(), static_cast<std::size_t>(16 * (side / 8) * (side / 8 + 1) / 2));
      }
    }
  }

  /// Lines of an eighth of a turn on one side of the axis, there and back beside each other.
  void foldsWhatItStores() {
    const ScanCase c = symmetric_stack("fan", 1, 64, 0.5, 40, 24);
    const auto A = projector("siddon", c);
    const TileSymmetry symmetry(*A, StoredPart::views, BlockOrderKind::folded);
    const auto& at = symmetry.rays().order.at;
    QCOMPARE(std::ranges::count_if(at, [](int r) { return r >= 0; }), std::ptrdiff_t{64 * 40 / 8});
    for (const int ray : at) {
      if (ray < 0) continue;
      const bool back = ray % 40 >= 20;
      const Vec3 d = c.geometry->ray(ray / 40, ray % 40, 0).direction;
      const double angle = std::atan2(d.y, d.x) + (back ? pi : 0);
      const double turned = angle - 2 * pi * std::floor(angle / (2 * pi));
      QVERIFY(turned >= 0 && turned <= pi / 4);
    }
  }

  /// One of two opposite rays of a parallel beam is stored: half as many rays.
  void storesOppositeRaysOnce() {
    const ScanCase c = symmetric_stack("parallel", 1, 64, 0.5, 40, 24);
    const auto A = projector("siddon", c);
    for (const StoredPart part : parts) {
      const TileSymmetry symmetry(*A, part, BlockOrderKind::folded);
      QVERIFY(symmetry.opposites());
      const auto& at = symmetry.rays().order.at;
      QCOMPARE(std::ranges::count_if(at, [](int r) { return r >= 0; }),
               std::ptrdiff_t{64 * 40 / (part == StoredPart::views ? 16 : 2)});
      for (const int ray : at) {
        if (ray < 0) continue;
        const int opposite = symmetry.opposite(ray);
        const Ray there = c.geometry->ray(ray / 40, ray % 40, 0),
                  back = c.geometry->ray(opposite / 40, opposite % 40, 0);
        EXPECT_NEAR(norm(there.direction + back.direction), 0.0, 1e-12);
        const Vec3 between = back.origin_mm - there.origin_mm;
        EXPECT_NEAR(between.x * there.direction.y - between.y * there.direction.x, 0.0, 1e-9);
      }
    }
    for (const ScanCase& other : {symmetric_stack("fan", 1), symmetric_stack("parallel offset", 1),
                                  symmetric_stack("parallel 180", 1, 8)})
      QVERIFY(!TileSymmetry(*projector("siddon", other), StoredPart::views, BlockOrderKind::folded)
                   .opposites());
  }

  /// Patches of 4 x 4 pixels go to patches where the image is a multiple of them.
  void patchesHaveOrbits() {
    const auto orbits = [&](int side, BlockOrderKind kind) {
      const auto A = projector("siddon", symmetric_stack("fan", 1, 16, 0.5, 29, side));
      return TileSymmetry(*A, StoredPart::views, kind).patch_orbits();
    };
    QVERIFY(orbits(21, BlockOrderKind::folded).empty());
    QVERIFY(orbits(24, BlockOrderKind::natural).empty());
    for (const int side : {24, 20}) {
      const std::vector<std::int32_t> found = orbits(side, BlockOrderKind::folded);
      std::set<std::int32_t> met;
      std::size_t there = 0;
      for (const std::int32_t patch : found)
        if (patch >= 0) ++there, met.insert(patch);
      QCOMPARE(there, static_cast<std::size_t>(side * side / 16));
      QCOMPARE(met.size(), there);
      // Of 6 x 6 patches 3 orbits of 8 and 3 on the diagonals; of 5 x 5 the middle one and lines
      // too.
      QCOMPARE(found.size(), static_cast<std::size_t>(8 * 6));
    }
  }

  /// Blocks of 512^2 pixels and 720 views of 512 cells, of an eighth of the matrix.
  void countsTheBlocksOfThePublishedScan() {
    const BenchCase setting = bench_cases("T1").front();
    const ScanCase c{"T1", setting.geometry, setting.grid};
    const auto A = projector("distance_driven", c);
    const auto blocks = [&](StoredPart part, BlockOrderKind kind) {
      const TileSymmetry symmetry(*A, part, kind);
      return count_blocks(*A, symmetry.rays().order, symmetry.pixels().order, 7);
    };
    const auto all = [&](BlockOrderKind kind) {
      return count_blocks(*A, ray_order(*c.geometry, kind), pixel_order(c.grid, kind), 53);
    };
    for (const BlockOrderKind kind : kinds) {
      const BlockCount whole = all(kind), views = blocks(StoredPart::views, kind),
                       octant = blocks(StoredPart::octant, kind);
      for (const int rays : {8, 16, 32})
        qInfo("%2d x 16: %.0f of all, %.0f of views, %.0f of an octant; fill %.1f, %.1f, %.1f %%",
              rays, whole.blocks(rays), views.blocks(rays), octant.blocks(rays),
              100 * whole.fill(rays), 100 * views.fill(rays), 100 * octant.fill(rays));
      const double times = kind == BlockOrderKind::folded ? 16 : 8;  // with opposite rays
      EXPECT_NEAR(times * views.nonzeros, whole.nonzeros, 0.02 * whole.nonzeros);
      EXPECT_NEAR(times * octant.nonzeros, whole.nonzeros, 0.02 * whole.nonzeros);
      if (kind == BlockOrderKind::natural) continue;
      QVERIFY(8 * views.blocks(8) < 1.03 * whole.blocks(8));
      QVERIFY(8 * octant.blocks(8) < 1.2 * whole.blocks(8));
    }
  }

  void refusesNamingTheCondition() {
    const auto refuse = [&](const ScanCase& c, const char* part, const char* why) {
      EXPECT_THROWS(UsageError, stored("siddon", c, "bsr_symmetric", {{"part", std::string(part)}}),
                    why);
    };
    for (const char* part : {"views", "octant"}) {
      refuse(symmetric_stack("fan", 1, 7, 0.3), part, "no whole number");
      ScanCase between = symmetric_stack("fan", 3);
      ScanSpec spec = between.geometry->spec();
      spec.central_row += 0.3;
      between.geometry = share(spec);
      refuse(between, part, "slices with equal weights");
    }
    refuse(symmetric_stack("fan", 1, 16, 0), "octant", "view 2 is along one");
  }
};

GANTRY_TEST(TestBsrSymmetric)
#include "test_bsr_symmetric.moc"
