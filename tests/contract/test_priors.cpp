// What every prior of the catalogue promises: its gradient, its parabolas and its proximal map
// belong to its value.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pair_sums.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <limits>

using namespace gantry;
using namespace gantry::test;

class TestPriors : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;

  void rows(bool PriorTraits::*offers) {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("which");
    const auto grids = pair_grids();
    for (const auto& entry : catalog_.priors.entries())
      for (std::size_t i = 0; i < grids.size() && entry.traits.*offers; ++i)
        QTest::addRow("%s, %d x %d x %d", entry.key.c_str(), grids[i].nx, grids[i].ny, grids[i].nz)
            << QString::fromStdString(entry.key) << static_cast<int>(i);
  }
  VolumeGrid grid() {
    QFETCH(int, which);
    return pair_grids()[static_cast<std::size_t>(which)];
  }
  std::unique_ptr<Prior> prior() {
    QFETCH(QString, key);
    return catalog_.priors.make(key.toStdString(), "cpu", backend_, grid(), {});
  }
  /// Differences on both sides of the usual edge height, 2e-4 per mm.
  Array image(unsigned seed) {
    return Array::from(backend_, random_values(grid().voxels(), seed, 0.0195F, 0.0205F));
  }
  /// x + reach d
  Array moved(const Array& x, const Array& d, double reach) {
    Array y = d.clone();
    backend_.axpby(1, x, static_cast<float>(reach), y);
    return y;
  }
  /// Returns the values rounded to multiples of 2^-bits, so that sums of few are exact in float32.
  Array rounded(const Array& x, int bits) {
    std::vector<float> values = x.to_host();
    for (float& value : values) value = std::ldexp(std::round(std::ldexp(value, bits)), -bits);
    return Array::from(backend_, values);
  }
  double proximal_objective(const Prior& prior, const Array& v, const Array& x, double weight) {
    Array difference = x.clone();
    backend_.axpby(-1, v, 1, difference);
    return 0.5 * backend_.dot(difference, difference) + weight * prior.value(x);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  /// Every solver that takes priors takes one, and every prior is taken.
  void solversAndPriorsMeet() {
    for (const auto& solver : catalog_.solvers.entries()) {
      if (solver.traits.prior == PriorUse::none) continue;
      const auto& usual = catalog_.priors.at(std::string(solver.traits.usual_prior));
      QVERIFY2(solver.traits.takes(usual.traits), solver.key.c_str());
    }
    for (const auto& prior : catalog_.priors.entries()) {
      const auto made = prior.make("cpu", backend_, VolumeGrid::centered(4, 4, 1, {1, 1, 1}), {});
      QVERIFY2(made->traits() == prior.traits, prior.key.c_str());
      QVERIFY2(std::ranges::any_of(catalog_.solvers.entries(),
                                   [&](const auto& s) { return s.traits.takes(prior.traits); }),
               prior.key.c_str());
    }
  }

  void valueIsZeroForAConstantAndGrowsWithTheDegree_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("which");
    for (const auto& entry : catalog_.priors.entries())
      QTest::addRow("%s", entry.key.c_str()) << QString::fromStdString(entry.key) << 1;
  }
  void valueIsZeroForAConstantAndGrowsWithTheDegree() {
    QFETCH(QString, key);
    const auto made = prior();
    QCOMPARE(made->value(Array::filled(backend_, grid().voxels(), 0.02F)), 0.0);
    // The q-GGMRF potential grows like |t|^q beyond its edge; its degree is that near zero.
    const bool is_near_zero = catalog_.priors.at(key.toStdString()).traits.degree == 2;
    Array small = Array::from(backend_, random_values(grid().voxels(), 1, -1, 1));
    backend_.axpby(0, small, is_near_zero ? 1e-9F : 1e3F, small);
    const Array twice = moved(small, small, 1);
    const double expected = std::pow(2.0, catalog_.priors.at(key.toStdString()).traits.degree);
    EXPECT_NEAR(made->value(twice) / made->value(small), expected, 2e-2);
  }

  /// The derivative along random directions, by central differences of the value, extrapolated to a
  /// difference of 0 (Richardson).
  void gradientIsThatOfTheValue_data() { rows(&PriorTraits::has_gradient); }
  void gradientIsThatOfTheValue() {
    const auto made = prior();
    Array x = image(1);
    // Potentials that are not convex may have kinks, beyond small differences.
    if (!made->traits().is_convex) backend_.axpby(0, x, 0.2F, x);
    x = rounded(x, 29);
    Array g = Array::filled(backend_, x.size(), std::nanf("")),
          h = Array::filled(backend_, x.size(), std::nanf(""));
    made->gradient(x, g, h);
    for (unsigned seed = 2; seed < 8; ++seed) {
      const Array d = rounded(Array::from(backend_, random_values(x.size(), seed, -1, 1)), 10);
      const auto difference = [&](double reach) {
        return (made->value(moved(x, d, reach)) - made->value(moved(x, d, -reach))) / (2 * reach);
      };
      const double reach = std::ldexp(1.0, -19),
                   slope = (4 * difference(reach) - difference(2 * reach)) / 3;
      const double scale = std::sqrt(backend_.dot(g, g) * backend_.dot(d, d));
      EXPECT_NEAR(backend_.dot(g, d), slope, 2e-5 * scale);
      EXPECT_NEAR(made->along(x, d, 0).slope, backend_.dot(g, d), 1e-5 * scale);
    }
  }

  /// At the voxels of a lattice: the elements of the gradient, and a bound for changes of these
  /// voxels alone.
  void gradientAtSomeVoxels_data() { rows(&PriorTraits::has_gradient); }
  void gradientAtSomeVoxels() {
    const auto made = prior();
    const Array x = image(1);
    Array g(backend_, x.size()), h(backend_, x.size());
    made->gradient(x, g, h);
    std::size_t seen = 0;
    for (const int spacing : {2, 3})
      for (const VoxelLattice& lattice : voxel_colours(grid(), spacing)) {
        const float untouched = -7;
        Array g_at = Array::filled(backend_, x.size(), untouched), h_at = g_at.clone(),
              step = Array::filled(backend_, x.size(), 0);
        made->gradient_at(x, lattice, g_at, h_at);
        std::size_t changed = 0;
        for (std::size_t j = 0; j < x.size(); ++j) {
          if (g_at.host()[j] == untouched && h_at.host()[j] == untouched) continue;
          ++changed;
          EXPECT_NEAR(g_at.host()[j], g.host()[j], 1e-5 * (1e-4 + std::abs(g.host()[j])));
          EXPECT_NEAR(h_at.host()[j], 0.5 * h.host()[j], 1e-5 * h.host()[j]);
          step.host()[j] = random_values(1, static_cast<unsigned>(j), -1, 1)[0];
        }
        QCOMPARE(changed, lattice.voxels(grid()));
        seen += changed;
        for (const double reach : {1e-5, 1e-3, 1e-2}) {
          double parabola = made->value(x);
          for (std::size_t j = 0; j < x.size(); ++j) {
            const double t = reach * static_cast<double>(step.host()[j]);
            if (t != 0) parabola += t * g_at.host()[j] + 0.5 * t * t * h_at.host()[j];
          }
          QVERIFY(made->value(moved(x, step, reach)) <= parabola * (1 + 1e-4));
        }
      }
    QCOMPARE(seen, 2 * x.size());
  }

  /// The edge field stays in (0, 1] and lowers R until it is stationary.
  void edgesAdapt_data() { rows(&PriorTraits::has_edges); }
  void edgesAdapt() {
    const auto made = prior();
    const Array x = Array::from(backend_, random_values(grid().voxels(), 9, 0.015F, 0.025F));
    double last = made->value(x);
    const double first = last;
    for (int n = 0; n < 30; ++n) {
      made->adapt_edges(x);
      const double now = made->value(x);
      QVERIFY(now <= last * (1 + 1e-6));
      last = now;
    }
    QVERIFY(last < first);
    const std::vector<float> v = made->edges()->to_host();
    QVERIFY(std::ranges::all_of(v, [](float e) { return e > 0 && e <= 1; }));
    // A small change of any voxel of the edge field raises R: the derivative is zero.
    for (std::size_t j = 0; j < v.size(); j += 1 + v.size() / 40) {
      const float e = 1e-3F;
      made->edges()->host()[j] = v[j] + e;
      const double above = made->value(x);
      made->edges()->host()[j] = v[j] - e;
      const double below = made->value(x);
      made->edges()->host()[j] = v[j];
      EXPECT_NEAR((above - below) / (2 * e), 0, 2e-2 * last / static_cast<double>(v.size()) + 1e-9);
    }
  }

  /// R(y) <= R(x) + <g, y - x> + 1/2 <h, (y - x)^2>, close by and far away.
  void separableParabolaIsNowhereBelow_data() { rows(&PriorTraits::has_gradient); }
  void separableParabolaIsNowhereBelow() {
    const auto made = prior();
    const Array x = image(4);
    Array g(backend_, x.size()), h(backend_, x.size());
    made->gradient(x, g, h);
    for (const double reach : {1e-5, 1e-4, 1e-3, 1e-2})
      for (unsigned seed = 5; seed < 15; ++seed) {
        const Array d = Array::from(backend_, random_values(x.size(), seed, -1, 1));
        Array curved = d.clone();
        backend_.multiply(h, curved);
        const double parabola = made->value(x) + reach * backend_.dot(g, d) +
                                0.5 * reach * reach * backend_.dot(curved, d);
        QVERIFY(made->value(moved(x, d, reach)) <= parabola * (1 + 1e-4));
      }
  }

  /// The parabola along a line touches the value at its point and lies nowhere below it.
  void parabolaAlongALineIsNowhereBelow_data() { rows(&PriorTraits::has_gradient); }
  void parabolaAlongALineIsNowhereBelow() {
    const auto made = prior();
    const Array x = image(4), d = Array::from(backend_, random_values(x.size(), 5, -1, 1));
    for (const double a : {0.0, 1e-4, -3e-4}) {
      const double there = made->value(moved(x, d, a));
      const PriorLine line = made->along(x, d, a);
      QVERIFY(line.curvature >= 0);
      for (const double reach : {1e-5, -1e-4, 1e-3, -1e-2})
        QVERIFY(made->value(moved(x, d, a + reach)) <=
                (there + line.slope * reach + 0.5 * line.curvature * reach * reach) * (1 + 1e-4));
    }
  }

  /// No image near the proximal map's has a smaller objective, with and without the bound.
  void proximalMapIsTheMinimum_data() { rows(&PriorTraits::has_proximal); }
  void proximalMapIsTheMinimum() {
    const auto made = prior();
    const Array v = Array::from(backend_, random_values(grid().voxels(), 6, -0.01F, 0.03F));
    const double weight = 0.004;
    for (const float low : {-std::numeric_limits<float>::infinity(), 0.0F}) {
      Array dual = Array::filled(backend_, made->dual_size(), 0), x(backend_, v.size());
      made->proximal({v, weight, low, 4000, [] {}}, dual, x);
      if (low == 0) QVERIFY(std::ranges::min(x.host()) >= 0);
      const double best = proximal_objective(*made, v, x, weight);
      for (unsigned seed = 7; seed < 27; ++seed)
        for (const double reach : {1e-3, 1e-4}) {
          Array other =
              moved(x, Array::from(backend_, random_values(v.size(), seed, -1, 1)), reach);
          backend_.clamp(other, low, std::numeric_limits<float>::infinity());
          QVERIFY(proximal_objective(*made, v, other, weight) >= best * (1 - 1e-6));
        }
      // Smaller than at v itself, unless v is constant along every axis that has differences.
      Array start = v.clone();
      backend_.clamp(start, low, std::numeric_limits<float>::infinity());
      QVERIFY(best < proximal_objective(*made, v, start, weight));
    }
  }

  void whatIsNotOfferedIsRefused() {
    const VolumeGrid grid = VolumeGrid::centered(4, 4, 1, {1, 1, 1});
    const Array x = Array::filled(backend_, grid.voxels(), 0);
    Array g(backend_, x.size()), h(backend_, x.size());
    int refused = 0;
    for (const auto& entry : catalog_.priors.entries()) {
      const auto made = entry.make("cpu", backend_, grid, {});
      if (!entry.traits.has_gradient) {
        ++refused;
        QVERIFY_THROWS_EXCEPTION(std::logic_error, made->gradient(x, g, h));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, made->along(x, x, 0));
      }
      if (!entry.traits.has_proximal) {
        ++refused;
        Array dual(backend_, 2 * x.size());
        QVERIFY_THROWS_EXCEPTION(std::logic_error, made->dual_size());
        QVERIFY_THROWS_EXCEPTION(std::logic_error, made->proximal({x, 0.01, 0, 1, [] {}}, dual, g));
      }
    }
    QVERIFY(refused > 0);
  }

  void threadsDoNotMatter_data() { valueIsZeroForAConstantAndGrowsWithTheDegree_data(); }
  void threadsDoNotMatter() {
    QFETCH(QString, key);
    const auto& entry = catalog_.priors.at(key.toStdString());
    const VolumeGrid on = VolumeGrid::centered(33, 29, 6, {1, 1, 2});
    const Array x = Array::from(backend_, random_values(on.voxels(), 7, 0.0195F, 0.0205F)),
                d = Array::from(backend_, random_values(on.voxels(), 8, -1, 1));
    const auto made = entry.make("cpu", backend_, on, {});
    expect_same_on_any_threads([&] {
      std::vector<double> numbers = {made->value(x)};
      const auto add = [&](const Array& image) {
        numbers.insert(numbers.end(), image.host().begin(), image.host().end());
      };
      if (entry.traits.has_gradient) {
        Array g(backend_, x.size()), h(backend_, x.size());
        made->gradient(x, g, h);
        const PriorLine line = made->along(x, d, 1e-3);
        numbers.insert(numbers.end(), {line.slope, line.curvature});
        add(g);
        add(h);
      }
      if (entry.traits.has_proximal) {
        Array dual = Array::filled(backend_, made->dual_size(), 0), z(backend_, x.size());
        made->proximal({x, 0.01, 0, 7, [] {}}, dual, z);
        add(z);
        add(dual);
      }
      return numbers;
    });
  }
};

GANTRY_TEST(TestPriors)
#include "test_priors.moc"
