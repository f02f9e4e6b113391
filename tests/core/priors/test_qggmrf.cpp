// The q-GGMRF prior against its sum over pairs in double, and that against finite differences.
#include "core/backend/cpu_backend.hpp"
#include "core/priors/qggmrf.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pair_sums.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <numeric>

#ifdef _OPENMP
#include <omp.h>
#endif

using namespace gantry;
using namespace gantry::test;

class TestQggmrf : public QObject {
  Q_OBJECT
  CpuBackend backend_;

  /// Differences on both sides of the edge height.
  static std::vector<float> image(const VolumeGrid& grid, std::uint32_t seed) {
    return random_values(grid.voxels(), seed, 0.019F, 0.021F);
  }

 private slots:
  // The formula of Thibault et al. (2007, eq. 9) with p = 2:
  // |t|^p / (p s^p) / (1 + |t / (T s)|^(p - q)).
  void potentialIsTheFormulaInPrint() {
    for (const double q : {1.0, 1.2, 1.7, 2.0})
      for (double t = -3e-3; t < 3e-3; t += 7.3e-5) {
        const QggmrfShape shape{q, 2e-4};
        const double printed =
            std::pow(std::abs(t), 2) / 2 / (1 + std::pow(std::abs(t) / 2e-4, 2 - q));
        EXPECT_NEAR(shape.value(t), printed, 1e-12 * printed);
        const double e = 1e-5 * std::abs(t),
                     slope = (shape.value(t + e) - shape.value(t - e)) / (2 * e);
        EXPECT_NEAR(shape.influence(t) * t, slope, 1e-6 * std::abs(slope));
        for (double s = -3e-3; s < 3e-3; s += 9.1e-5) {
          const double parabola = shape.value(t) + shape.influence(t) * t * (s - t) +
                                  0.5 * shape.influence(t) * (s - t) * (s - t);
          QVERIFY(shape.value(s) <= parabola + 1e-20);
          QVERIFY(shape.value(0.5 * (s + t)) <=
                  0.5 * (shape.value(s) + shape.value(t)) * (1 + 1e-12));  // convex
        }
      }
    QCOMPARE((QggmrfShape{1.2, 2e-4}.influence(0)), 1.0);
  }

  void neighboursCountByTheirDistance() {
    for (const VolumeGrid& grid : pair_grids()) {
      const auto pairs = neighbour_pairs(grid);
      QCOMPARE(pairs.size(), grid.nz == 1 ? 4U : 13U);
      double sum = 0;
      for (const NeighbourPair& pair : pairs) {
        sum += 2 * pair.weight;
        const Vec3 d = grid.spacing_mm;
        EXPECT_NEAR(
            pair.weight / pairs.front().weight,
            std::hypot(pairs.front().dx * d.x, pairs.front().dy * d.y, pairs.front().dz * d.z) /
                std::hypot(pair.dx * d.x, pair.dy * d.y, pair.dz * d.z),
            1e-12);
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }

  // The gradient by central differences of the sum over pairs in double.
  void gradientIsThatOfTheSum() {
    const QggmrfShape shape{1.3, 3e-4};
    for (const VolumeGrid& grid : pair_grids()) {
      const PairSums sums(grid, shape);
      const std::vector<float> x = image(grid, 1);
      std::vector<double> at(x.begin(), x.end());
      const auto prior = make_qggmrf(backend_, grid, shape);
      Array g = Array::filled(backend_, x.size(), std::nanf("")),
            h = Array::filled(backend_, x.size(), std::nanf(""));
      prior->gradient(Array::from(backend_, x), g, h);
      const double value = sums.value(at);
      EXPECT_NEAR(prior->value(Array::from(backend_, x)), value, 2e-6 * value);
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double e = 1e-7;
        at[j] = x[j] + e;
        const double above = sums.value(at);
        at[j] = x[j] - e;
        const double slope = (above - sums.value(at)) / (2 * e);
        at[j] = x[j];
        EXPECT_NEAR(g.host()[j], slope, 2e-9);  // of 1e-4
        EXPECT_NEAR(h.host()[j], sums.curvature(at, j), 5e-6);
      }
    }
  }

  void theLineIsThatOfTheSum() {
    const QggmrfShape shape{1.2, 2e-4};
    for (const VolumeGrid& grid : pair_grids()) {
      const PairSums sums(grid, shape);
      const std::vector<float> x = image(grid, 2), d = random_values(grid.voxels(), 3, -1, 1);
      const auto prior = make_qggmrf(backend_, grid, shape);
      for (const double a : {0.0, 1e-3, -4e-4}) {
        const PriorLine found = prior->along(Array::from(backend_, x), Array::from(backend_, d), a);
        const auto expected = sums.along(x, d, a);
        EXPECT_NEAR(found.slope, expected.slope, 1e-5 * sums.scale(x, d));
        EXPECT_NEAR(found.curvature, expected.curvature, 1e-5 * expected.curvature);
      }
    }
  }

  // R(y) <= R(x) + <g, y - x> + 1/2 <h, (y - x)^2>, close by and far away.
  void theSeparableParabolaIsAbove() {
    const QggmrfShape shape{1.2, 2e-4};
    for (const VolumeGrid& grid : pair_grids()) {
      const std::vector<float> x = image(grid, 4);
      const auto prior = make_qggmrf(backend_, grid, shape);
      Array g(backend_, x.size()), h(backend_, x.size());
      prior->gradient(Array::from(backend_, x), g, h);
      for (const float reach : {1e-5F, 1e-4F, 1e-3F, 1e-2F})
        for (std::uint32_t seed = 5; seed < 15; ++seed) {
          std::vector<float> y = random_values(x.size(), seed, -reach, reach);
          double parabola = prior->value(Array::from(backend_, x));
          for (std::size_t j = 0; j < x.size(); ++j) {
            y[j] += x[j];
            const double change = static_cast<double>(y[j]) - x[j];
            parabola += g.host()[j] * change + 0.5 * h.host()[j] * change * change;
          }
          QVERIFY(prior->value(Array::from(backend_, y)) <= parabola * (1 + 1e-5));
        }
    }
  }

  /// Two voxels: the potential itself, in float32, from far below the edge to far above.
  void theRangeIsWide() {
    const VolumeGrid grid = VolumeGrid::centered(2, 1, 1, {1, 1, 1});
    const double weight = neighbour_pairs(grid).front().weight;
    for (const double q : {1.0, 1.2, 2.0}) {
      const QggmrfShape shape{q, 2e-4};
      const auto prior = make_qggmrf(backend_, grid, shape);
      for (float t = 1e-12F; t < 1e6F; t *= 3.7F) {
        const Array x = Array::from(backend_, std::vector<float>{t, 0});
        Array g(backend_, 2), h(backend_, 2);
        prior->gradient(x, g, h);
        EXPECT_NEAR(prior->value(x) / (weight * shape.value(t)), 1, 2e-6);
        EXPECT_NEAR(g.host()[0] / (weight * shape.influence(t) * t), 1, 2e-6);
        QCOMPARE(g.host()[1], -g.host()[0]);
        EXPECT_NEAR(h.host()[1] / (2 * weight * shape.influence(t)), 1, 2e-6);
      }
      const Array flat = Array::filled(backend_, 2, 0.02F);
      Array g(backend_, 2), h(backend_, 2);
      prior->gradient(flat, g, h);
      QCOMPARE(prior->value(flat), 0.0);
      QCOMPARE(g.host()[0], 0.0F);
      EXPECT_NEAR(h.host()[0], 2 * weight * (q == 2 ? 0.5 : 1), 1e-6);
    }
  }

  void threadsDoNotMatter() {
#ifdef _OPENMP
    const VolumeGrid grid = VolumeGrid::centered(33, 29, 6, {1, 1, 2});
    const Array x = Array::from(backend_, image(grid, 7)),
                d = Array::from(backend_, random_values(grid.voxels(), 8, -1, 1));
    const auto prior = make_qggmrf(backend_, grid, {});
    const auto all = [&] {
      Array g(backend_, x.size()), h(backend_, x.size());
      prior->gradient(x, g, h);
      std::vector<double> numbers(g.host().begin(), g.host().end());
      numbers.insert(numbers.end(), h.host().begin(), h.host().end());
      const PriorLine line = prior->along(x, d, 1e-3);
      numbers.insert(numbers.end(), {line.slope, line.curvature, prior->value(x)});
      return numbers;
    };
    const int usual = omp_get_max_threads();
    omp_set_num_threads(1);
    const std::vector<double> one = all();
    omp_set_num_threads(4);
    QCOMPARE(all(), one);
    omp_set_num_threads(usual);
#endif
  }
};

GANTRY_TEST(TestQggmrf)
#include "test_qggmrf.moc"
