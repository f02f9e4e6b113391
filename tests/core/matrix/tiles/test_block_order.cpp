// Orders of rays and pixels for blocks: the published formula, permutations, lines that run back
// along each other; and the numbers of blocks of a published scan (Nourazar and Goossens 2021,
// Table 3), which the overlaps of the distance-driven projector come close to.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/matrix/inspect/block_occupancy.hpp"
#include "core/matrix/inspect/square_pattern.hpp"
#include "core/matrix/tiles/bsr.hpp"
#include "core/matrix/tiles/pseudo_morton.hpp"
#include "core/matrix/tiles/tile_matrix.hpp"
#include "core/operator/slice_stack.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <map>
#include <set>
#include <utility>

using namespace gantry;
using namespace gantry::test;

namespace {

/// As printed, with W the extent of b.
std::int64_t published_index(int a, int b, int W) {
  const int Bx = 4, By = 2;
  const int tx = a % Bx, ty = b % By, bx = a / Bx, by = b / By;
  const int t2x = bx % Bx, t2y = by % By, b2x = bx / Bx, b2y = by / By;
  const int i1 = (t2x * By + t2y) + (b2x * (W / (By * By)) + b2y) * Bx * By;
  return (tx * By + ty) + std::int64_t{i1} * Bx * By;
}

ScanCase parallel_scan(double pitch, double span = 2 * pi, int side = 512) {
  ScanSpec spec = fan_spec(720, 512, pitch);
  spec.beam = Beam::parallel;
  for (int v = 0; v < 720; ++v)
    spec.view_angles_rad[static_cast<std::size_t>(v)] = (v + 0.5) * span / 720;
  const double pixel = 512.0 / side;
  return {"published", share(spec), VolumeGrid::centered(side, side, 1, {pixel, pixel, 1})};
}

/// Direction and signed distance from the axis.
struct Line {
  double angle, offset;
};
Line line_of(const ScanGeometry& geometry, int ray) {
  const Ray r = geometry.ray(ray / geometry.columns(), ray % geometry.columns(), 0);
  return {std::atan2(r.direction.y, r.direction.x),
          r.origin_mm.x * r.direction.y - r.origin_mm.y * r.direction.x};
}

}  // namespace

class TestBlockOrder : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;

  std::unique_ptr<Projector> projector(const std::string& key, const ScanCase& c) {
    return catalog_.projectors.make(key, "cpu", backend_, c.geometry, c.grid, {});
  }
  BlockCount count(const ScanCase& c, BlockOrderKind kind, int stride,
                   const std::string& weights = "distance_driven") {
    const auto A = projector(weights, c);
    return count_blocks(*A, ray_order(*c.geometry, kind), pixel_order(c.grid, kind), stride);
  }
  /// Returns the count of every 13th group of the published scan, computed once for all tests.
  const BlockCount& published_count(double pitch, BlockOrderKind kind) {
    const auto [found, is_new] = published_.try_emplace({pitch, kind});
    if (is_new) found->second = count(parallel_scan(pitch), kind, 13);
    return found->second;
  }
  std::map<std::pair<double, BlockOrderKind>, BlockCount> published_;

 private slots:
  void initTestCase() { add_core(catalog_); }

  /// Blocked-ELL is as wide as its longest row of blocks, which is no less than the mean.
  void longestRowsAreFound() {
    const ScanCase c = parallel_scan(1.25);
    const auto A = projector("distance_driven", c);
    for (const char* order : {"natural", "pseudo-morton", "folded"}) {
      const SquarePattern squares = estimate_squares(*A, order, 16);
      const double mean =
          published_count(1.25, block_order_kind(order)).blocks(16) / (squares.rows / 16);
      QVERIFY(squares.most_by_row > 1.05 * mean && squares.most_by_row < 4 * mean);
    }
  }

  void isThePublishedCurve() {
    for (const auto& [a, b] : {std::pair{16, 4}, {32, 12}, {720, 512}, {64, 20}, {16, 128}}) {
      const PseudoMorton curve(a, b);
      QCOMPARE(curve.size(), std::int64_t{a} * b);
      std::vector<char> met(static_cast<std::size_t>(curve.size()), 0);
      for (int i = 0; i < a; ++i)
        for (int k = 0; k < b; ++k) {
          const std::int64_t index = curve.index({i, k});
          QCOMPARE(index, published_index(i, k, b));
          QVERIFY(curve.place(index) == (PlanePoint{i, k}));
          QVERIFY(met[static_cast<std::size_t>(index)]++ == 0);
        }
    }
  }

  void padsWhatDoesNotDivide() {
    for (const auto& [a, b] : {std::pair{1, 1}, {17, 3}, {15, 5}, {33, 7}}) {
      const PseudoMorton curve(a, b);
      QVERIFY(curve.padded_a() % 16 == 0 && curve.padded_a() - a < 16);
      QVERIFY(curve.padded_b() % 4 == 0 && curve.padded_b() - b < 4);
      std::set<std::int64_t> met;
      for (std::int64_t i = 0; i < curve.size(); ++i) {
        const PlanePoint place = curve.place(i);
        QVERIFY(place.a < curve.padded_a() && place.b < curve.padded_b());
        QCOMPARE(curve.index(place), i);
        met.insert(place.a * std::int64_t{curve.padded_b()} + place.b);
      }
      QCOMPARE(static_cast<std::int64_t>(met.size()), curve.size());
    }
  }

  /// Every 16 consecutive pixels are a patch of 4 x 4.
  void patchesAreSquares() {
    const BlockOrder order =
        pixel_order(VolumeGrid::centered(37, 22, 1, {1, 1, 1}), BlockOrderKind::pseudo_morton);
    for (std::size_t p = 0; p < order.at.size(); p += 16) {
      std::set<std::pair<int, int>> patch;
      for (std::size_t i = p; i < p + 16; ++i)
        if (order.at[i] >= 0) patch.insert({order.at[i] % 37 / 4, order.at[i] / 37 / 4});
      QVERIFY(patch.size() <= 1);
    }
  }

  void ordersArePermutations() {
    for (const ScanCase& c : scan_cases()) {
      if (!c.geometry->rotates()) continue;
      for (const auto kind :
           {BlockOrderKind::natural, BlockOrderKind::pseudo_morton, BlockOrderKind::folded})
        for (const BlockOrder& order : {ray_order(*c.geometry, kind), pixel_order(c.grid, kind)}) {
          std::size_t there = 0;
          for (std::size_t p = 0; p < order.at.size(); ++p)
            if (order.at[p] >= 0) {
              ++there;
              QCOMPARE(
                  static_cast<std::size_t>(order.position[static_cast<std::size_t>(order.at[p])]),
                  p);
            }
          QCOMPARE(there, order.position.size());
          QVERIFY(order.at.size() % 16 == 0);
        }
    }
  }

  /// The rays that are folded together in a full circle lie on one line: exactly in a parallel
  /// beam, within half an angular step of the views in a fan beam.
  void foldedRaysRunBack() {
    for (const Beam beam : {Beam::parallel, Beam::fan}) {
      ScanSpec spec = fan_spec(48, 40, 3);
      spec.beam = beam;
      const ScanGeometry geometry(spec);
      QVERIFY(folds(geometry));
      const BlockOrder order = ray_order(geometry, BlockOrderKind::folded);
      const PseudoMorton curve(48, 40);
      const double turn = beam == Beam::fan ? 2 * pi / 48 : 1e-9;
      for (int a = 0; a < 48; a += 2)
        for (int b = 0; b < 40; ++b) {
          const auto at = [&](int i) {
            return order.at[static_cast<std::size_t>(curve.index({i, b}))];
          };
          const Line there = line_of(geometry, at(a)), back = line_of(geometry, at(a + 1));
          EXPECT_NEAR(std::remainder(there.angle - back.angle - pi, 2 * pi), 0.0, turn);
          EXPECT_NEAR(there.offset, -back.offset, 1e-9);
        }
    }
    QVERIFY(!folds(*parallel_scan(1, pi).geometry));
    ScanSpec offset = fan_spec(48, 40, 3);
    offset.central_column = 8;
    QVERIFY(!folds(ScanGeometry(offset)));
  }

  // Nonempty blocks (NEB) of 512^2 pixels, 720 views of 512 cells over a field of 1.25 and 1.047
  // sides.
  void countsTheBlocksOfThePublishedScan_data() {
    QTest::addColumn<double>("pitch");
    QTest::addColumn<double>("nonzeros");
    QTest::addColumn<QList<double>>("before");
    QTest::addColumn<QList<double>>("after");
    QTest::addRow("1.25") << 1.25 << 323.0e6 << QList<double>{3.18, 4.73, 7.84}
                          << QList<double>{1.63, 2.02, 2.70};
    QTest::addRow("1.047") << 1.047 << 336.9e6 << QList<double>{3.36, 4.86, 7.85}
                           << QList<double>{1.79, 2.19, 2.93};
  }
  void countsTheBlocksOfThePublishedScan() {
    QFETCH(double, pitch);
    QFETCH(double, nonzeros);
    QFETCH(QList<double>, before);
    QFETCH(QList<double>, after);
    const BlockCount &natural = published_count(pitch, BlockOrderKind::natural),
                     &morton = published_count(pitch, BlockOrderKind::pseudo_morton),
                     &folded = published_count(pitch, BlockOrderKind::folded);
    EXPECT_NEAR(morton.nonzeros, nonzeros, 0.01 * nonzeros);
    for (int i = 0; i < 3; ++i) {
      const int rays = 8 << i;
      // To the last digit given, and the sample's error.
      EXPECT_NEAR(100 * natural.fraction_of_blocks(rays), before[i], 0.005 + 0.015 * before[i]);
      EXPECT_NEAR(100 * morton.fraction_of_blocks(rays), after[i], 0.005 + 0.015 * after[i]);
      QVERIFY(folded.blocks(rays) < 0.9 * morton.blocks(rays));
      qInfo("%2d x 16: %.3f %% before, %.3f %% after, %.3f %% folded; fill %.1f, %.1f, %.1f %%",
            rays, 100 * natural.fraction_of_blocks(rays), 100 * morton.fraction_of_blocks(rays),
            100 * folded.fraction_of_blocks(rays), 100 * natural.fill(rays),
            100 * morton.fill(rays), 100 * folded.fill(rays));
    }
  }

  /// A sample for a memory estimate: even steps of 30 views would meet the same cells in each.
  void aSmallSampleEstimatesTheBlocks() {
    const ScanCase scan = parallel_scan(1.25);
    for (const auto kind :
         {BlockOrderKind::natural, BlockOrderKind::pseudo_morton, BlockOrderKind::folded}) {
      const double all = published_count(1.25, kind).blocks(8);
      EXPECT_NEAR(count(scan, kind, 120).blocks(8), all, 0.15 * all);
    }
  }

  /// The numbers of nonzeros that Nourazar and Goossens (2021) print in Table 2 (37.9e6, 78.4e6)
  /// are proportional to the image's side, as those of two pixels in each of its lines, of which a
  /// field of 1.047 sides has 39.0e6 and 78.0e6; overlaps have 22.3e6 at 64^2 with 1.05.
  void interpolationHasThePublishedNonzeros() {
    const auto millions = [&](int side, double field, const std::string& weights) {
      return 1e-6 * count(parallel_scan(field, 2 * pi, side), BlockOrderKind::natural, 13, weights)
                        .nonzeros;
    };
    EXPECT_NEAR(millions(64, 1.047, "joseph"), 39.0, 0.1);
    EXPECT_NEAR(millions(128, 1.047, "joseph"), 78.0, 0.2);
    EXPECT_NEAR(millions(64, 1.05, "distance_driven"), 22.3, 0.1);
  }

  /// Nourazar and Goossens (2021), Tables 3 and 5: 1.55 % of 755e6 blocks of 8 x 16 are 3.04 GB.
  void countsBytesAsPublished() {
    BlockCount count;
    count.rows = 720 * 512;
    count.patches = 512 * 512 / 16;
    count.tiles_met = 0.0155 * count.rows / 8 * count.patches;
    EXPECT_NEAR(count.bsr_bytes(8), 3.04e9, 0.005e9);
  }

  /// An image pixel for each group and patch says how many of its blocks there are; coarser ones
  /// are means of these.
  void occupancyAddsUpToTheShare() {
    const ScanCase c = scan_cases()[0];
    const auto A = projector("siddon", c);
    for (const auto kind : {BlockOrderKind::natural, BlockOrderKind::folded})
      for (const int block : {8, 16, 32}) {
        const BlockCount count =
            count_blocks(*A, ray_order(*c.geometry, kind), pixel_order(c.grid, kind));
        for (const auto& [width, height] : {std::pair{1 << 20, 1 << 20}, {16, 6}}) {
          const BlockOccupancy image = block_occupancy(*A, kind, block, width, height, 1 << 20);
          double sum = 0;
          for (const float share : image.share) {
            QVERIFY(share >= 0 && share <= 1);
            sum += share;
          }
          EXPECT_NEAR(sum / static_cast<double>(image.share.size()),
                      count.fraction_of_blocks(block), 1e-6);
        }
      }
  }

  /// Decoded, the tiles are the rows, rounded to half where they are halves, and nothing else.
  void tilesHoldTheRows() {
    for (const ScanCase& c : {scan_cases()[0], scan_cases()[5], scan_cases()[2]})
      for (const auto kind :
           {BlockOrderKind::natural, BlockOrderKind::pseudo_morton, BlockOrderKind::folded})
        for (const int block : {8, 16, 32}) {
          const auto A = projector("distance_driven", c);
          const TileMatrix<float> tiles = build_tiles<float>(*A, kind, block);
          std::vector<std::vector<double>> dense(A->range_size(),
                                                 std::vector<double>(A->domain_size(), 0.0));
          std::size_t stored = 0;
          for (std::size_t g = 0; g < tiles.groups(); ++g)
            for (auto e = tiles.group_start[g]; e < tiles.group_start[g + 1]; ++e) {
              QCOMPARE(std::size_t{tiles.first_tile[e]}, stored);
              for (std::uint32_t t = 0; t < 4; ++t) {
                if ((tiles_of(tiles.entry[e]) >> t & 1U) == 0) continue;
                for (std::size_t i = 0; i < 128; ++i) {
                  const float weight = tiles.weight[128 * stored + i];
                  const auto ray = tiles.rays.at[32 * g + 8 * t + i / 16],
                             pixel = tiles.pixels.at[16 * patch_of(tiles.entry[e]) + i % 16];
                  if (weight == 0) continue;
                  QVERIFY(ray >= 0 && pixel >= 0);
                  dense[static_cast<std::size_t>(ray)][static_cast<std::size_t>(pixel)] += weight;
                }
                ++stored;
              }
            }
          QCOMPARE(stored, tiles.tiles());
          RowWeights row;
          for (int v = 0; v < A->views(); ++v)
            for (int u = 0; u < c.geometry->columns(); ++u) {
              A->row_source()->view_rows(v)->weights(u, 0, row);
              auto& found = dense[static_cast<std::size_t>(v * c.geometry->columns() + u)];
              for (std::size_t k = 0; k < row.size(); ++k) found[row.voxel[k]] -= row.weight[k];
              for (const double left : found) EXPECT_NEAR(left, 0.0, 1e-6);
            }
        }
  }

  void refusesWhatSharesNoWeights() {
    const auto format = catalog_.matrix_formats.make("bsr", "cpu", {});
    for (const ScanCase& c : scan_cases()) {
      const auto A = projector("siddon", c);
      const bool shares = is_planar(*c.geometry, c.grid) || is_stack(*c.geometry, c.grid);
      if (shares)
        format->require(*A);
      else
        EXPECT_THROWS(UsageError, format->require(*A), "slices with equal weights");
    }
  }
};

GANTRY_TEST(TestBlockOrder)
#include "test_block_order.moc"
