// The Huber and Tikhonov priors against their sums in double, and Huber's proximal map against a
// closed form.
#include "core/backend/cpu_backend.hpp"
#include "core/priors/huber.hpp"
#include "core/priors/tikhonov.hpp"
#include "core/priors/total_variation.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/pair_sums.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <functional>
#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr float unbounded = -std::numeric_limits<float>::infinity();
constexpr double edge = 2e-4;  // 1/mm: 10 HU of water's 0.02 per mm

Params resolved_huber(double edge_hu) {
  return resolve_params({{"edge", edge_hu}}, huber_params(), "huber");
}

/// sum_j h(|(grad x)_j|) from the definition, in double.
double sum_of(const VolumeGrid& grid, const std::vector<double>& x,
              const std::function<double(double)>& h) {
  const Vec3 d = grid.spacing_mm;
  const double smallest = grid.nz == 1 ? std::min(d.x, d.y) : std::min({d.x, d.y, d.z});
  double sum = 0;
  for (int z = 0; z < grid.nz; ++z)
    for (int y = 0; y < grid.ny; ++y)
      for (int i = 0; i < grid.nx; ++i) {
        const double here = x[grid.index(i, y, z)];
        const double gx = i + 1 < grid.nx ? (x[grid.index(i + 1, y, z)] - here) / d.x : 0,
                     gy = y + 1 < grid.ny ? (x[grid.index(i, y + 1, z)] - here) / d.y : 0,
                     gz = z + 1 < grid.nz ? (x[grid.index(i, y, z + 1)] - here) / d.z : 0;
        sum += h(smallest * std::hypot(gx, gy, gz));
      }
  return sum;
}
double huber_function(double t) { return t <= edge ? t * t / (2 * edge) : t - edge / 2; }
double half_square(double t) { return t * t / 2; }

}  // namespace

class TestMagnitudePriors : public QObject {
  Q_OBJECT
  CpuBackend backend_;

  void compare(const Prior& prior, const VolumeGrid& grid, const std::function<double(double)>& h) {
    const std::vector<float> x = random_values(grid.voxels(), 1, 0.0195F, 0.0205F);
    std::vector<double> at(x.begin(), x.end());
    const double value = sum_of(grid, at, h);
    EXPECT_NEAR(prior.value(Array::from(backend_, x)), value, 1e-4 * value);
    Array g(backend_, x.size()), bound(backend_, x.size());
    prior.gradient(Array::from(backend_, x), g, bound);
    double largest = 0;
    for (const float slope : g.host())
      largest = std::max(largest, std::abs(static_cast<double>(slope)));
    QVERIFY(largest > 0);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double e = 1e-8;
      at[j] = x[j] + e;
      const double above = sum_of(grid, at, h);
      at[j] = x[j] - e;
      const double slope = (above - sum_of(grid, at, h)) / (2 * e);
      at[j] = x[j];
      EXPECT_NEAR(g.host()[j], slope, 1e-3 * largest);
    }
  }

 private slots:
  void huberIsItsSum() {
    for (const VolumeGrid& grid : pair_grids())
      compare(*make_huber(backend_, grid, resolved_huber(10)), grid, huber_function);
  }

  void tikhonovIsItsSum() {
    for (const VolumeGrid& grid : pair_grids())
      compare(*make_tikhonov(backend_, grid, {}), grid, half_square);
  }

  /// Two voxels t apart: while t stays above the edge each moves by the weight, as with total
  /// variation; below the edge, t shrinks to t / (1 + 2 weight / edge).
  void huberProximalMapOfTwoVoxels() {
    const VolumeGrid grid = VolumeGrid::centered(2, 1, 1, {1, 1, 1});
    for (const auto& [edge_hu, apart, weight] :
         {std::tuple{10.0, 0.01, 0.002}, {1000.0, 0.01, 0.002}, {50.0, 0.003, 0.002}}) {
      const double c = 0.02 * edge_hu / 1000;
      const auto prior = make_huber(backend_, grid, resolved_huber(edge_hu));
      const Array v = Array::from(backend_, std::vector<float>{0, static_cast<float>(apart)});
      Array dual = Array::filled(backend_, prior->dual_size(), 0), x(backend_, 2);
      prior->proximal({v, weight, unbounded, 5000, [] {}}, dual, x);
      const double above = apart - 2 * weight, below = apart / (1 + 2 * weight / c);
      EXPECT_NEAR(x.host()[1] - x.host()[0], above > c ? above : below, 1e-6);
      EXPECT_NEAR(x.host()[1] + x.host()[0], apart, 1e-7);
    }
  }

  /// With a vanishing edge Huber's function is that of total variation.
  void huberTendsToTotalVariation() {
    const VolumeGrid grid = VolumeGrid::centered(12, 10, 1, {1, 1, 1});
    const Array v = Array::from(backend_, random_values(grid.voxels(), 3, 0, 0.03F));
    const auto huber = make_huber(backend_, grid, resolved_huber(0.01));
    const auto variation = make_total_variation(backend_, grid, {});
    EXPECT_NEAR(huber->value(v), variation->value(v), 1e-4 * variation->value(v));
    Array p = Array::filled(backend_, huber->dual_size(), 0), q = p.clone(), x(backend_, v.size()),
          y(backend_, v.size());
    huber->proximal({v, 0.003, 0, 2000, [] {}}, p, x);
    variation->proximal({v, 0.003, 0, 2000, [] {}}, q, y);
    for (std::size_t j = 0; j < v.size(); ++j) EXPECT_NEAR(x.host()[j], y.host()[j], 2e-5);
  }
};

GANTRY_TEST(TestMagnitudePriors)
#include "test_magnitude_priors.moc"
