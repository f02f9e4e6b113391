// The thread mapping and the counters of accesses, against their definitions.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/mapping/thread_mapping.hpp"
#include "core/mapping/warp_counters.hpp"
#include "core/mapping/weighted_graph.hpp"
#include "core/operator/row_access.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

std::vector<std::vector<std::uint32_t>> random_sets(std::size_t count, std::uint32_t members) {
  std::vector<std::vector<std::uint32_t>> sets(count);
  std::mt19937 random(3);
  for (auto& set : sets)
    for (int n = 0; n < 12; ++n) set.push_back(random() % members);
  return sets;
}

}  // namespace

class TestThreadMapping : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;

  std::unique_ptr<Projector> siddon(const std::string& name) {
    for (const ScanCase& c : scan_cases())
      if (c.name == name)
        return catalog_.projectors.make("siddon", "cpu", backend_, c.geometry, c.grid, {});
    return nullptr;
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void edgesCountCommonMembers() {
    const auto sets = random_sets(60, 200);
    const WeightedGraph graph = common_members(sets);
    QCOMPARE(graph.nodes(), sets.size());
    std::size_t edges = 0;
    for (std::size_t a = 0; a < sets.size(); ++a) {
      std::map<std::size_t, int> found;
      for (std::size_t e = 0; e < graph.degree(a); ++e)
        found[static_cast<std::size_t>(graph.neighbours(a)[e])] =
            graph.weight[static_cast<std::size_t>(graph.start[a]) + e];
      const std::set<std::uint32_t> mine(sets[a].begin(), sets[a].end());
      for (std::size_t b = 0; b < sets.size(); ++b) {
        if (b == a) continue;
        const std::set<std::uint32_t> other(sets[b].begin(), sets[b].end());
        const auto common = std::ranges::count_if(mine, [&](auto m) { return other.contains(m); });
        QCOMPARE(found.contains(b) ? found[b] : 0, static_cast<int>(common));
        edges += common > 0 ? 1 : 0;
      }
    }
    QVERIFY(edges > 100);
  }

  void neighboursHaveDifferentColours() {
    const WeightedGraph graph = common_members(random_sets(200, 400));
    const std::vector<int> colours = welsh_powell(graph);
    std::size_t most = 0;
    for (std::size_t n = 0; n < graph.nodes(); ++n) {
      most = std::max(most, graph.degree(n));
      for (const std::int32_t other : graph.neighbours(n))
        QVERIFY(colours[n] != colours[static_cast<std::size_t>(other)]);
    }
    QVERIFY(static_cast<std::size_t>(std::ranges::max(colours)) <= most);
    // A complete graph needs a colour for each node, a graph without edges one.
    QCOMPARE(std::ranges::max(welsh_powell(common_members({{1, 2}, {1, 3}, {1, 4}}))), 2);
    QCOMPARE(std::ranges::max(welsh_powell(common_members({{1}, {2}, {3}}))), 0);
  }

  /// Three separate groups of nodes are the three parts that cut no edge.
  void partsFollowTheEdges() {
    std::vector<std::vector<std::uint32_t>> sets;
    for (std::uint32_t n = 0; n < 96; ++n) sets.push_back({n % 3, 100 + n});
    const WeightedGraph graph = common_members(sets);
    for (const auto& parts : {partition(graph, 3, 1), grown_parts(graph, 3)}) {
      for (std::size_t n = 0; n < sets.size(); ++n) QCOMPARE(parts[n], parts[n % 3]);
      QCOMPARE((std::set<int>(parts.begin(), parts.end())), (std::set<int>{0, 1, 2}));
    }
    QCOMPARE(partition(graph, 3, 5), partition(graph, 3, 5));
  }

  /// Li et al., figure 3: two rays over 10 voxels of an image of 4 x 4 with two voxels a segment. A
  /// block for each ray reads 9 segments; two threads of a warp read 7.
  void segmentsOfTheExample() {
    const std::vector<Access> first{{0, 0}, {1, 4}, {2, 8}, {3, 9}, {4, 13}},
        second{{0, 1}, {1, 5}, {2, 8}, {3, 12}, {4, 14}};
    std::vector<Access> both = first;
    both.insert(both.end(), second.begin(), second.end());
    const WarpCounters together = count_accesses(both, 2), one = count_accesses(first, 2),
                       two = count_accesses(second, 2);
    QCOMPARE(together.accesses, 10);
    QCOMPARE(together.requests, 5);
    // Steps: (0 1), (4 5), (8 8), (9 12), (13 14) in segments 0 | 2 | 4 | 4 6 | 6 7.
    QCOMPARE(together.transactions, 7);
    QCOMPARE(together.lines, 5);  // of 8 voxels: 0 | 0 | 1 | 1 | 1
    QCOMPARE(together.collisions, 1);
    QCOMPARE(together.common, 1);
    QCOMPARE(together.coalescing_score(), 3);
    QCOMPARE(one.transactions + two.transactions, 10);
    QCOMPARE(one.collisions + two.collisions, 0);
  }

  void everyRayOnceWithoutCollisions_data() {
    QTest::addColumn<QString>("scan");
    QTest::addColumn<bool>("metis");
    for (const bool metis : {true, false})
      for (const char* name : {"fan flat", "parallel on the axes and diagonals", "fan arc",
                               "detector offset by half its width", "cone flat",
                               "helical flat, downwards", "fan stack, rows aligned with slices",
                               // Views of 1, 8 and 10 cells, fewer than a warp has lanes.
                               "one column", "cells wider than five voxels", "every ray misses"})
        QTest::addRow("%s, %s", name, metis ? "METIS if there" : "grown parts")
            << QString(name) << metis;
  }
  void everyRayOnceWithoutCollisions() {
    QFETCH(QString, scan);
    QFETCH(bool, metis);
    const auto A = siddon(scan.toStdString());
    const MappingOptions options{.columns_of_block = 40, .rows_of_block = 8, .metis = metis};
    const ThreadMapping mapping = map_threads(*A, options, [](double) {});
    QCOMPARE(mapping.rays.size(), mapping.colour.size() * lanes_of_warp);
    std::vector<std::uint32_t> rays;
    std::size_t idle = 0, short_warps = 0;
    for (const std::uint32_t ray : mapping.rays)
      if (ray == no_ray)
        ++idle;
      else
        rays.push_back(ray);
    std::ranges::sort(rays);
    std::vector<std::uint32_t> all(A->range_size());
    std::iota(all.begin(), all.end(), 0U);
    QVERIFY(rays == all);
    for (std::size_t w = 0; w < mapping.colour.size(); ++w) {
      const bool is_short = mapping.rays[(w + 1) * lanes_of_warp - 1] == no_ray;
      // Only the last warp of a colour of a block has idle lanes: another colour or block follows.
      if (is_short && w + 1 < mapping.colour.size())
        QVERIFY(mapping.colour[w + 1] != mapping.colour[w] || mapping.colour[w + 1] == 0);
      short_warps += is_short ? 1 : 0;
    }
    QVERIFY(idle == 0 || short_warps > 0);
    QCOMPARE(mapping.first_of_view.size(), static_cast<std::size_t>(A->views()) + 1);
    const WalkSteps steps(*A);
    const WarpCounters mapped = count_warps(steps, mapping.rays),
                       in_order = count_warps(steps, all);
    QCOMPARE(mapped.common, 0);
    QCOMPARE(mapped.collisions, 0);
    QCOMPARE(in_order.common > 0, in_order.accesses > 0);
    QCOMPARE(in_order.accesses > 0, scan != "every ray misses");
    QCOMPARE(mapped.accesses, in_order.accesses);
    QVERIFY(mapped.transactions <= mapped.accesses);
  }

  /// Of detectors with one row, a block has as many cells as of others: a view of 120 cells has one
  /// short warp for each colour, not one for each 40 cells.
  void fewRowsFillWarps() {
    ScanSpec spec = fan_spec(4, 120, 0.5);
    const auto A = catalog_.projectors.make("siddon", "cpu", backend_, share(spec),
                                            VolumeGrid::centered(16, 16, 1, {3, 3, 3}), {});
    const ThreadMapping mapping =
        map_threads(*A, {.columns_of_block = 40, .rows_of_block = 8}, [](double) {});
    std::map<std::pair<std::size_t, int>, int> short_warps;
    for (std::size_t w = 0; w < mapping.colour.size(); ++w) {
      const auto view = std::ranges::upper_bound(mapping.first_of_view, w * lanes_of_warp) -
                        mapping.first_of_view.begin();
      if (mapping.rays[(w + 1) * lanes_of_warp - 1] == no_ray)
        ++short_warps[{static_cast<std::size_t>(view), mapping.colour[w]}];
    }
    QVERIFY(!short_warps.empty());
    for (const auto& [place, count] : short_warps) QCOMPARE(count, 1);
  }

  /// A stride of 180 would meet the first of 8 groups of each view alone.
  void samplesTakeTurnsThroughAView() {
    QCOMPARE(sampling_stride(0, 0), std::size_t{1});
    QCOMPARE(sampling_stride(7, 8), std::size_t{7});
    const std::size_t stride = sampling_stride(180, 8);
    QVERIFY(stride >= 180 && stride < 188);
    std::set<std::size_t> places;
    for (std::size_t n = 0; n < 8; ++n) places.insert(n * stride % 8);
    QCOMPARE(places.size(), std::size_t{8});
  }

  /// However the threads of the processor take turns over the views.
  void theSameEveryTime() {
    const auto A = siddon("cone flat");
    const MappingOptions options{.columns_of_block = 40, .rows_of_block = 8};
    const ThreadMapping first = map_threads(*A, options, [](double) {});
    for (int again = 0; again < 8; ++again) {
      const ThreadMapping other = map_threads(*A, options, [](double) {});
      QVERIFY(other.rays == first.rays && other.colour == first.colour);
    }
  }

  /// Every access counted one by one.
  void countersAreThoseOfAnEmulation() {
    const auto A = siddon("cone flat");
    std::vector<std::uint32_t> rays(A->range_size());
    std::iota(rays.begin(), rays.end(), 0U);
    const WarpCounters counted = count_warps(WalkSteps(*A), rays, 3, 4);
    WarpCounters expected;
    for (std::size_t first = 0; first < rays.size(); first += 3 * lanes_of_warp) {
      const std::size_t count = std::min(lanes_of_warp, rays.size() - first);
      std::vector<std::vector<std::size_t>> walks;
      RowWeights row;
      for (std::size_t n = first; n < first + count; ++n) {
        const std::size_t cell = rays[n] % A->cells_per_view();
        const int columns = A->geometry().columns();
        A->row_source()
            ->view_rows(static_cast<int>(rays[n] / A->cells_per_view()))
            ->weights(static_cast<int>(cell) % columns, static_cast<int>(cell) / columns, row);
        walks.push_back(row.voxel);
      }
      for (std::size_t step = 0;; ++step) {
        std::set<std::size_t> voxels, segments;
        std::int64_t active = 0;
        for (const auto& walk : walks)
          if (step < walk.size()) {
            ++active;
            voxels.insert(walk[step]);
            segments.insert(walk[step] / 4);
          }
        if (active == 0) break;
        ++expected.requests;
        expected.accesses += active;
        expected.collisions += active - static_cast<std::int64_t>(voxels.size());
        expected.transactions += static_cast<std::int64_t>(segments.size());
      }
    }
    QCOMPARE(counted.requests, expected.requests);
    QCOMPARE(counted.accesses, expected.accesses);
    QCOMPARE(counted.collisions, expected.collisions);
    QCOMPARE(counted.transactions, expected.transactions);
    QVERIFY(expected.collisions > 0);
    QCOMPARE(collisions_between_warps(WalkSteps(*A), rays, 1), 0.0);
    QVERIFY(collisions_between_warps(WalkSteps(*A), rays, 64) > 0);
  }
};

GANTRY_TEST(TestThreadMapping)
#include "test_thread_mapping.moc"
