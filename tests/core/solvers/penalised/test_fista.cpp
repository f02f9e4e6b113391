// FISTA with total variation: its objective never rises and arrives where other methods arrive.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/priors/total_variation.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupted_steps.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Minimises 1/2 ||A x - b||^2 + lambda TV(x), x >= 0 if wanted, by the primal-dual method of
/// Chambolle and Pock (J. Math. Imaging Vis. 40 (2011) 120), in double on the matrix itself: shares
/// nothing with the solver under test. Square pixels.
std::vector<double> primal_dual(const DenseMatrix& a, const std::vector<double>& b, int nx, int ny,
                                double lambda, bool nonnegative, int iterations) {
  const std::size_t n = a.front().size(), m = a.size();
  double norm_square = 0;
  for (const auto& row : a)
    for (const double value : row) norm_square += value * value;
  // lambda TV(x) = lambda / scale |scale grad x|: both parts of the operator alike in norm.
  const double scale = std::sqrt(norm_square / 8);
  const double tau = 1 / std::sqrt(2 * norm_square), sigma = tau;
  std::vector<double> x(n), bar(n), q(m), px(n), py(n);
  const auto gx = [&](const std::vector<double>& f, std::size_t j) {
    return static_cast<int>(j) % nx + 1 < nx ? f[j + 1] - f[j] : 0.0;
  };
  const auto gy = [&](const std::vector<double>& f, std::size_t j) {
    return static_cast<int>(j) / nx + 1 < ny ? f[j + static_cast<std::size_t>(nx)] - f[j] : 0.0;
  };
  for (int k = 0; k < iterations; ++k) {
    for (std::size_t i = 0; i < m; ++i) {
      double y = 0;
      for (std::size_t j = 0; j < n; ++j) y += a[i][j] * bar[j];
      q[i] = (q[i] + sigma * (y - b[i])) / (1 + sigma);
    }
    for (std::size_t j = 0; j < n; ++j) {
      px[j] += sigma * scale * gx(bar, j);
      py[j] += sigma * scale * gy(bar, j);
      const double shrink = std::max(1.0, std::hypot(px[j], py[j]) * scale / lambda);
      px[j] /= shrink;
      py[j] /= shrink;
    }
    std::vector<double> gradient(n);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) gradient[j] += a[i][j] * q[i];
    for (std::size_t j = 0; j < n; ++j) {  // grad^T p, scattered
      if (static_cast<int>(j) % nx + 1 < nx) {
        gradient[j] -= scale * px[j];
        gradient[j + 1] += scale * px[j];
      }
      if (static_cast<int>(j) / nx + 1 < ny) {
        gradient[j] -= scale * py[j];
        gradient[j + static_cast<std::size_t>(nx)] += scale * py[j];
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      double next = x[j] - tau * gradient[j];
      if (nonnegative) next = std::max(next, 0.0);
      bar[j] = 2 * next - x[j];
      x[j] = next;
    }
  }
  return x;
}

}  // namespace

class TestFista : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  Penalties penalties_{catalog_, "cpu"};

  Problem with_tv(const Projector& A, const Array& b, const Params& prior = {}) {
    return {.A = &A, .b = &b, .penalty = penalties_.make("tv", A, prior)};
  }
  std::unique_ptr<Projector> projector(const char* key, const ScanSpec& spec,
                                       const VolumeGrid& grid) {
    return catalog_.projectors.make(key, "cpu", backend_, share(spec), grid, {});
  }
  std::unique_ptr<Solver> solver(const Params& params = {}) {
    return catalog_.solvers.make("fista", "cpu", params);
  }
  static Params absolute(double lambda) {
    return {{"weight", lambda}, {"scale", std::string("absolute")}};
  }
  double objective(const Projector& A, const Array& b, const Array& x, double lambda) {
    Array r(backend_, A.range_size());
    A.forward(x, r);
    return 0.5 * backend_.residual(b, r, nullptr) +
           lambda * make_total_variation(backend_, A.grid(), {})->value(x);
  }
  Array noisy_data(const Projector& A, float noise) {
    const Array truth = Array::from(backend_, blocks(A.grid()));
    Array b(backend_, A.range_size());
    A.forward(truth, b);
    backend_.axpby(1, Array::from(backend_, random_values(b.size(), 11, -noise, noise)), 1, b);
    return b;
  }
  static std::vector<float> blocks(const VolumeGrid& grid) {
    std::vector<float> x(grid.voxels(), 0.0F);
    for (int z = 0; z < grid.nz; ++z)
      for (int y = grid.ny / 4; y < 3 * grid.ny / 4; ++y)
        for (int i = grid.nx / 4; i < 3 * grid.nx / 4; ++i)
          x[grid.index(i, y, z)] = i < grid.nx / 2 ? 0.02F : 0.03F;
    return x;
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void objectiveNeverRises_data() {
    QTest::addColumn<bool>("cone");
    QTest::addColumn<double>("weight");
    for (const double weight : {0.0, 0.001, 0.02, 0.5}) {
      QTest::addRow("fan, weight %g", weight) << false << weight;
      QTest::addRow("cone, weight %g", weight) << true << weight;
    }
  }
  void objectiveNeverRises() {
    QFETCH(bool, cone);
    QFETCH(double, weight);
    ScanSpec spec = fan_spec(18, 24, 4);
    VolumeGrid grid = VolumeGrid::centered(20, 20, 1, {2.5, 2.5, 2.5});
    if (cone) {
      spec.beam = Beam::cone;
      spec.detector_rows = 8;
      spec.central_row = 3.5;
      spec.row_pitch_mm = 4;
      grid = VolumeGrid::centered(14, 14, 7, {3, 3, 4});
    }
    const auto A = projector("distance_driven", spec, grid);
    const Array b = noisy_data(*A, 0.05F);
    const auto s = solver();
    s->init(with_tv(*A, b, {{"weight", weight}}));
    const double lambda = lambda_of(*s);
    QCOMPARE(lambda > 0, weight > 0);
    double previous = objective(*A, b, s->solution(), lambda);
    const double first = previous;
    for (int i = 0; i < 60; ++i) {
      Array r(backend_, A->range_size());
      A->forward(s->solution(), r);
      const double residual = std::sqrt(backend_.residual(b, r, nullptr));
      const StepReport report = s->step();
      EXPECT_NEAR(report.residual_norm, residual, 1e-5 * residual);
      const double now = objective(*A, b, s->solution(), lambda);
      QVERIFY2(now <= previous * (1 + 1e-6),
               qPrintable(QStringLiteral("%1: %2 > %3").arg(i).arg(now).arg(previous)));
      previous = now;
    }
    QVERIFY(previous < 0.5 * first);
  }

  /// As the note tells it.
  static double lambda_of(const Solver& s) {
    if (s.notes().empty()) return 0;
    const std::string note = s.notes().front();
    return std::stod(note.substr(note.find("= ") + 2));
  }

  // Its first iterates, where the momentum shows, without the penalty: in double, on the matrix.
  // On consistent data it goes on until the momentum overshoots, and steps are refused.
  void itIsTheFormula_data() {
    QTest::addColumn<bool>("consistent");
    QTest::addColumn<int>("iterations");
    QTest::newRow("noise") << false << 12;
    QTest::newRow("consistent") << true << 60;
  }
  void itIsTheFormula() {
    QFETCH(bool, consistent);
    QFETCH(int, iterations);
    const auto A =
        projector("siddon", fan_spec(20, 16, 4), VolumeGrid::centered(6, 5, 1, {5, 5, 5}));
    Array b = Array::from(backend_, random_values(A->range_size(), 41));
    if (consistent) A->forward(Array::from(backend_, random_values(A->domain_size(), 42)), b);
    const std::vector<float> data = b.to_host();
    const DenseMatrix a = dense_matrix(*A);
    const std::size_t n = a.front().size();
    DenseMatrix normal(n, std::vector<double>(n));
    for (const auto& row : a)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) normal[i][j] += row[i] * row[j];
    const double lipschitz = 1.02 * symmetric_eigenvalues(normal).back();
    const auto residual = [&](const std::vector<double>& x, std::size_t i) {
      return std::inner_product(x.begin(), x.end(), a[i].begin(), -static_cast<double>(data[i]));
    };
    const auto square = [&](const std::vector<double>& x) {
      double sum = 0;
      for (std::size_t i = 0; i < a.size(); ++i) sum += residual(x, i) * residual(x, i);
      return sum;
    };
    std::vector<double> x(n), y(n);
    double t = 1;
    int refused = 0;
    const auto s = solver({{"nonnegative", false}});
    s->init({A.get(), &b, nullptr});
    for (int k = 0; k < iterations; ++k) {
      std::vector<double> z = y;
      for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < n; ++j) z[j] -= a[i][j] * residual(y, i) / lipschitz;
      const std::vector<double> next = square(z) <= square(x) ? z : x;
      refused += next == x ? 1 : 0;
      const double next_t = (1 + std::sqrt(1 + 4 * t * t)) / 2;
      for (std::size_t j = 0; j < n; ++j)
        y[j] = next[j] + t / next_t * (z[j] - next[j]) + (t - 1) / next_t * (next[j] - x[j]);
      x = next;
      t = next_t;
      EXPECT_NEAR(s->step().new_residual_norm, std::sqrt(square(x)), 0.01 * std::sqrt(square(x)));
      for (std::size_t j = 0; j < n; ++j)
        EXPECT_NEAR(s->solution().host()[j], x[j], 0.01 * std::ranges::max(x));
    }
    QVERIFY(!consistent || refused > 3);
  }

  void aStartBelowZeroIsLiftedAtOnce() {
    const auto A =
        projector("siddon", fan_spec(14, 16, 4), VolumeGrid::centered(8, 7, 1, {5, 5, 5}));
    const Array b = noisy_data(*A, 0.1F), below = Array::filled(backend_, A->domain_size(), -1);
    const auto s = solver();
    s->init({A.get(), &b, &below});
    for (const float x : s->solution().host()) QCOMPARE(x, 0.0F);
  }

  void withoutWeightItIsLeastSquares() {
    const auto A =
        projector("siddon", fan_spec(20, 16, 4), VolumeGrid::centered(6, 5, 1, {5, 5, 5}));
    const std::vector<float> data = random_values(A->range_size(), 41);
    const Array b = Array::from(backend_, data);
    const std::vector<double> expected =
        least_squares(dense_matrix(*A), {data.begin(), data.end()});
    const auto s = solver({{"nonnegative", false}});
    run(*s, {A.get(), &b, nullptr}, {3000, 0}, {});
    double scale = 0;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (std::size_t j = 0; j < expected.size(); ++j)
      EXPECT_NEAR(s->solution().host()[j], expected[j], 1e-3 * scale);
  }

  void anotherMethodArrivesAtTheSameImage() {
    const VolumeGrid grid = VolumeGrid::centered(8, 7, 1, {5, 5, 5});
    const auto A = projector("siddon", fan_spec(14, 16, 4), grid);
    Array b = noisy_data(*A, 0.1F);
    const std::vector<float> data = b.to_host();
    const DenseMatrix a = dense_matrix(*A);
    for (const bool nonnegative : {false, true})
      for (const double lambda : {0.3, 3.0}) {
        const std::vector<double> expected =
            primal_dual(a, {data.begin(), data.end()}, 8, 7, lambda, nonnegative, 40000);
        const auto s = solver({{"nonnegative", nonnegative}});
        run(*s, with_tv(*A, b, absolute(lambda)), {2000, 0}, {});
        const Array other =
            Array::from(backend_, std::vector<float>(expected.begin(), expected.end()));
        const double best = objective(*A, b, other, lambda);
        EXPECT_NEAR(objective(*A, b, s->solution(), lambda), best, 1e-5 * best);
        for (std::size_t j = 0; j < expected.size(); ++j)
          EXPECT_NEAR(s->solution().host()[j], expected[j], 2e-4);
        // The few inner iterations of each step go on where those of the last one ended.
        const auto few = solver({{"nonnegative", nonnegative}, {"inner", std::int64_t{1}}});
        run(*few, with_tv(*A, b, absolute(lambda)), {2000, 0}, {});
        EXPECT_NEAR(objective(*A, b, few->solution(), lambda), best, 1e-4 * best);
      }
  }

  void relativeWeightsFollowTheData() {
    const auto A =
        projector("siddon", fan_spec(14, 16, 4), VolumeGrid::centered(8, 7, 1, {5, 5, 5}));
    const Array b = noisy_data(*A, 0.1F);
    Array tenfold = b.clone();
    backend_.axpby(0, b, 10, tenfold);
    const auto one = solver(), ten = solver();
    run(*one, with_tv(*A, b, {{"weight", 0.1}}), {20, 0}, {});
    run(*ten, with_tv(*A, tenfold, {{"weight", 0.1}}), {20, 0}, {});
    for (std::size_t j = 0; j < one->solution().size(); ++j)
      EXPECT_NEAR(ten->solution().host()[j], 10 * one->solution().host()[j], 1e-5);
    // lambda = weight rms(b) |a_j|, with the mean over columns of the matrix itself.
    double square = 0;
    for (const auto& row : dense_matrix(*A))
      for (const double value : row) square += value * value;
    const double expected = 0.1 * std::sqrt(backend_.dot(b, b) / static_cast<double>(b.size())) *
                            std::sqrt(square / static_cast<double>(A->domain_size()));
    EXPECT_NEAR(lambda_of(*one), expected, 0.15 * expected);
  }

  void interruptedStepsAreRepeatable() {
    const auto A =
        projector("siddon", fan_spec(14, 16, 4), VolumeGrid::centered(8, 7, 1, {5, 5, 5}));
    const Array b = noisy_data(*A, 0.1F);
    const auto calm = solver(), harried = solver();
    calm->init(with_tv(*A, b));
    harried->init(with_tv(*A, b));
    // Two products, and two passes of each inner iteration.
    expect_repeatable_steps(*A, *calm, *harried, 3, 20);
  }

  void emptyDataGiveAnEmptyImage() {
    const auto A =
        projector("siddon", fan_spec(14, 16, 4), VolumeGrid::centered(8, 7, 1, {5, 5, 5}));
    const Array zero = Array::filled(backend_, A->range_size(), 0);
    const auto s = solver();
    QCOMPARE(run(*s, with_tv(*A, zero), {9, 0}, {}), StopReason::exhausted);
    for (const float x : s->solution().host()) QCOMPARE(x, 0.0F);
    ScanSpec away = fan_spec(6, 10, 1);
    away.central_column = 200;
    const auto missing = projector("siddon", away, VolumeGrid::centered(8, 8, 1, {2, 2, 2}));
    const Array one = Array::filled(backend_, missing->range_size(), 1);
    const auto blind = solver();
    QCOMPARE(run(*blind, with_tv(*missing, one), {9, 0}, {}), StopReason::exhausted);
    for (const float x : blind->solution().host()) QCOMPARE(x, 0.0F);
  }
};

GANTRY_TEST(TestFista)
#include "test_fista.moc"
