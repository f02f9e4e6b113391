// In which order subsets are visited.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/row_action/art.hpp"
#include "core/solvers/run.hpp"
#include "core/solvers/sirt_family/sirt.hpp"
#include "core/solvers/view_order.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/products.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <map>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

class TestViewOrder : public QObject {
  Q_OBJECT

  CpuBackend backend_;

  /// Returns a disc with a denser disc in it.
  static std::vector<float> two_discs(const VolumeGrid& grid) {
    std::vector<float> image;
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        const Vec3 p = grid.voxel_center_mm(ix, iy, 0);
        const bool body = std::hypot(p.x, p.y) < 24, dense = std::hypot(p.x + 7, p.y + 3) < 5;
        image.push_back(dense ? 0.04F : body ? 0.02F : 0.0F);
      }
    return image;
  }

  static std::vector<int> levels(int count, int turns = 1) {
    return visiting_order(ViewOrder::multilevel, count, 1, 0, turns);
  }

 private slots:
  void everyOrderIsAPermutation() {
    for (const std::string& name : view_order_names())
      for (int count = 1; count <= 40; ++count)
        for (int turns = 1; turns <= 5; ++turns) {
          std::vector<int> order = visiting_order(parse_view_order(name), count, 3, 2, turns);
          std::ranges::sort(order);
          std::vector<int> all(static_cast<std::size_t>(count));
          std::iota(all.begin(), all.end(), 0);
          QCOMPARE(order, all);
        }
  }

  void multilevelHalvesTheGapsLevelByLevel() {
    // Guan and Gordon 1994: 0 and 90 degrees, then 45 and 135, then the four between, ...
    QCOMPARE(levels(8), (std::vector<int>{0, 4, 2, 6, 1, 5, 3, 7}));
    QCOMPARE(levels(16), (std::vector<int>{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}));
    QCOMPARE(levels(6), (std::vector<int>{0, 3, 1, 4, 2, 5}));
    QCOMPARE(levels(1), std::vector<int>{0});
  }

  void oppositeViewsAreNotNeighbours() {
    // A full turn: 8 views see 4 directions, each from both sides.
    QCOMPARE(levels(8, 2), (std::vector<int>{0, 6, 1, 7, 4, 2, 5, 3}));
    // How far the directions of consecutive views lie apart on average, of half a turn; 1/2 is
    // most.
    const auto spread = [](const std::vector<int>& order) {
      double sum = 0;
      for (std::size_t i = 1; i < order.size(); ++i) {
        const double apart = (order[i] - order[i - 1]) * 2.0 / static_cast<double>(order.size());
        sum += std::abs(apart - std::round(apart));
      }
      return sum / static_cast<double>(order.size() - 1);
    };
    for (const int count : {12, 60, 90, 180, 721}) {
      QVERIFY(spread(levels(count, 2)) > 0.3);
      QVERIFY(spread(levels(count, 1)) < 0.25);  // as if the turn were a half one
    }
  }

  void halfTurnsOfAScan() {
    const auto turns = [&](ScanSpec spec, int subsets) {
      const auto A = make_siddon(backend_, share(std::move(spec)),
                                 VolumeGrid::centered(4, 4, 1, {2, 2, 2}), {});
      return half_turns(*A, subsets);
    };
    ScanSpec spec = fan_spec(36, 4, 3);
    QCOMPARE(turns(spec, 36), 2);
    QCOMPARE(turns(spec, 18), 1);  // opposite views share a subset
    spec.view_angles_rad = angles_from_degrees(90, -5, 36);
    QCOMPARE(turns(spec, 36), 1);
    spec.view_angles_rad = angles_from_degrees(0, 5, 46);  // a short scan
    QCOMPARE(turns(spec, 46), 1);
    QCOMPARE(turns(fan_spec(1, 4, 3), 1), 1);
    QCOMPARE(turns(fan_spec(3, 4, 3), 3), 2);  // 0, 120, 240 degrees: the last has a step too
  }

  /// The six orders of three views come equally often: 2000 times of 12000, give or take 41.
  void randomOrdersAreFair() {
    std::map<std::vector<int>, int> times;
    for (std::uint64_t seed = 0; seed < 3000; ++seed)
      for (int iteration = 0; iteration < 4; ++iteration)
        ++times[visiting_order(ViewOrder::random, 3, seed, iteration)];
    QCOMPARE(times.size(), std::size_t{6});
    for (const auto& [order, count] : times) EXPECT_NEAR(count, 2000, 5 * 41);
    // and each iteration draws anew
    QVERIFY(visiting_order(ViewOrder::random, 40, 5, 0) !=
            visiting_order(ViewOrder::random, 40, 5, 1));
  }

  void sequencesGoOnFromIterationToIteration() {
    const auto A = make_siddon(backend_, share(fan_spec(9, 4, 3)),
                               VolumeGrid::centered(4, 4, 1, {2, 2, 2}), {});
    for (const std::string& name : view_order_names()) {
      const ViewOrder order = parse_view_order(name);
      SubsetSequence sequence(*A, 9, order, 5);
      for (int step = 0; step < 36; ++step) {
        const int expected =
            visiting_order(order, 9, 5, step / 9, 2)[static_cast<std::size_t>(step % 9)];
        QCOMPARE(sequence.at(step), expected);
        QCOMPARE(sequence.at(step), expected);  // a step that was interrupted asks again
      }
    }
  }

  /// Consecutive views that lie far apart have less information in common: after one iteration the
  /// error is less than half of that in the natural order.
  void spreadOrdersBeatTheNaturalOne_data() {
    QTest::addColumn<QString>("method");
    QTest::newRow("sart") << "sart";
    QTest::newRow("art") << "art";
  }
  void spreadOrdersBeatTheNaturalOne() {
    QFETCH(QString, method);
    const bool by_rays = method == QLatin1String("art");
    const VolumeGrid grid = VolumeGrid::centered(32, 32, 1, {2, 2, 2});
    const auto A = make_siddon(backend_, share(fan_spec(180, 48, 3)), grid, {});
    const std::vector<float> truth = two_discs(grid);
    Array data(backend_, A->range_size());
    A->forward(Array::from(backend_, truth), data);
    const auto error = [&](const char* order) {
      const Params given = {{"order", std::string(order)}, {"relaxation", 1.0}};
      const auto solver = by_rays ? make_art(resolve_params(given, art_params(), "art"))
                                  : make_sart(resolve_params(given, sart_params(), "sart"));
      run(*solver, {A.get(), &data, nullptr}, {1, 0}, {});
      return relative_rms(solver->solution().host(), truth);
    };
    const double natural = error("natural");
    for (const char* order : {"golden", "random", "multilevel"})
      EXPECT_NEAR(error(order), 0, 0.5 * natural);
  }

  void unknownNamesAreRefused() {
    EXPECT_THROWS(UsageError, parse_view_order("zigzag"), "random or multilevel");
  }
};

GANTRY_TEST(TestViewOrder)
#include "test_view_order.moc"
