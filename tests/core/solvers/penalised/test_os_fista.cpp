// FISTA over ordered subsets: its formula in double, and the minimum that FISTA finds.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
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

class TestOsFista : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  Penalties penalties_{catalog_, "cpu"};

  std::unique_ptr<Projector> projector(const ScanSpec& spec, const VolumeGrid& grid) {
    return catalog_.projectors.make("siddon", "cpu", backend_, share(spec), grid, {});
  }
  std::unique_ptr<Solver> os_fista(const Params& params) {
    return catalog_.solvers.make("os_fista", "cpu", params);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void itIsTheFormula_data() {
    QTest::addColumn<int>("subsets");
    QTest::addColumn<bool>("weighted");
    for (const int subsets : {1, 3, 4})
      for (const bool weighted : {false, true})
        QTest::addRow("%d subsets%s", subsets, weighted ? ", weighted" : "") << subsets << weighted;
  }
  void itIsTheFormula() {
    QFETCH(int, subsets);
    QFETCH(bool, weighted);
    constexpr int views = 20, columns = 16;
    const auto A = projector(fan_spec(views, columns, 4), VolumeGrid::centered(6, 5, 1, {5, 5, 5}));
    const Array b = Array::from(backend_, random_values(A->range_size(), 41)),
                w = Array::from(backend_, random_values(A->range_size(), 43, 0.2F, 1));
    const auto weight = [&](std::size_t i) { return weighted ? double{w.host()[i]} : 1.0; };
    const DenseMatrix a = dense_matrix(*A);
    const std::size_t n = a.front().size();
    const auto is_of = [&](std::size_t ray, int subset) {
      return static_cast<int>(ray / columns) % subsets == subset;
    };
    DenseMatrix normal(n, std::vector<double>(n));
    for (std::size_t ray = 0; ray < a.size(); ++ray)
      for (std::size_t i = 0; is_of(ray, 0) && i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) normal[i][j] += weight(ray) * a[ray][i] * a[ray][j];
    const double lipschitz = 1.02 * subsets * symmetric_eigenvalues(normal).back();

    const auto solver = os_fista({{"subsets", std::int64_t{subsets}},
                                  {"order", std::string("natural")},
                                  {"nonnegative", true}});
    solver->init({.A = A.get(), .b = &b, .weights = weighted ? &w : nullptr});
    QCOMPARE(solver->steps_per_iteration(), subsets);
    std::vector<double> x(n), y(n);
    double t = 1;
    for (int step = 0; step < 2 * subsets + 3; ++step) {
      std::vector<double> gradient(n);
      double square = 0, change = 0;
      for (std::size_t ray = 0; ray < a.size(); ++ray) {
        if (!is_of(ray, step % subsets)) continue;
        const double r =
            b.host()[ray] - std::inner_product(y.begin(), y.end(), a[ray].begin(), 0.0);
        square += r * r;
        for (std::size_t j = 0; j < n; ++j) gradient[j] += weight(ray) * a[ray][j] * r;
      }
      const double next_t = (1 + std::sqrt(1 + 4 * t * t)) / 2;
      for (std::size_t j = 0; j < n; ++j) {
        const double next = std::max(0.0, y[j] + subsets * gradient[j] / lipschitz);
        change += (next - x[j]) * (next - x[j]);
        y[j] = next + (t - 1) / next_t * (next - x[j]);
        x[j] = next;
      }
      t = next_t;
      const StepReport report = solver->step();
      EXPECT_NEAR(report.residual_norm, std::sqrt(square), 1e-3 * std::sqrt(square));
      EXPECT_NEAR(report.update_norm, std::sqrt(change), 1e-2 * std::sqrt(change));
      for (std::size_t j = 0; j < n; ++j)
        EXPECT_NEAR(solver->solution().host()[j], x[j], 2e-3 * std::sqrt(change) + 1e-6);
    }
  }

  /// With total variation, few iterations lead to the objective that FISTA reaches after many.
  void itReachesTheMinimumOfFista_data() {
    QTest::addColumn<int>("subsets");
    for (const int subsets : {1, 2, 4}) QTest::addRow("%d subsets", subsets) << subsets;
  }
  void itReachesTheMinimumOfFista() {
    QFETCH(int, subsets);
    const auto A = projector(fan_spec(36, 24, 4), VolumeGrid::centered(20, 20, 1, {2.5, 2.5, 2}));
    const Array truth = Array::from(backend_, random_values(A->domain_size(), 3, 0, 0.02F));
    Array b(backend_, A->range_size());
    A->forward(truth, b);
    const Problem problem{
        .A = A.get(), .b = &b, .penalty = penalties_.make("tv", *A, {{"weight", 0.02}})};
    const auto fista = catalog_.solvers.make("fista", "cpu", {{"inner", std::int64_t{50}}});
    fista->init(problem);
    for (int i = 0; i < 800; ++i) fista->step();
    const double minimum = fista->objective()->total();
    const auto solver = os_fista({{"subsets", std::int64_t{subsets}}, {"inner", std::int64_t{50}}});
    solver->init(problem);
    QCOMPARE(solver->notes(), fista->notes());  // the same weight of the prior
    for (int i = 0; i < 200 * solver->steps_per_iteration(); ++i) solver->step();
    Array r(backend_, A->range_size());
    A->forward(solver->solution(), r);
    const double data_term = 0.5 * backend_.residual(b, r, nullptr);
    const double lambda =
        fista->objective()->penalty / problem.penalty.prior->value(fista->solution());
    const double reached = data_term + lambda * problem.penalty.prior->value(solver->solution());
    EXPECT_NEAR(reached, minimum, 0.01 * minimum);
  }

  void anInterruptedStepIsRepeated() {
    const auto A = projector(fan_spec(12, 24, 4), VolumeGrid::centered(16, 16, 1, {3, 3, 3}));
    const Array b = Array::from(backend_, random_values(A->range_size(), 7));
    const Problem problem{.A = A.get(), .b = &b, .penalty = penalties_.make("tv", *A, {})};
    const auto calm = os_fista({{"subsets", std::int64_t{3}}}),
               harried = os_fista({{"subsets", std::int64_t{3}}});
    calm->init(problem);
    harried->init(problem);
    expect_repeatable_steps(*A, *calm, *harried, 7, 2);
  }
};

GANTRY_TEST(TestOsFista)
#include "test_os_fista.moc"
