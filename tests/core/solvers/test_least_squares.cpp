// Methods that minimise 1/2 ||A x - b||^2_W, without a prior and from data that no image explains,
// against Gaussian elimination in float64.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <memory>
#include <vector>

using namespace gantry;
using namespace gantry::test;

class TestLeastSquares : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  std::unique_ptr<Projector> A_;
  std::vector<float> b_, weights_;

 private slots:
  void initTestCase() {
    add_core(catalog_);
    const VolumeGrid grid = VolumeGrid::centered(6, 6, 1, {8, 8, 8});
    A_ = catalog_.projectors.make("siddon", "cpu", backend_, share(fan_spec(40, 24, 4)), grid, {});
    Array b(backend_, A_->range_size());
    A_->forward(Array::from(backend_, random_values(grid.voxels(), 1, 0.01F, 0.03F)), b);
    b_ = b.to_host();
    const std::vector<float> noise = random_values(b_.size(), 2, -0.05F, 0.05F);
    for (std::size_t i = 0; i < b_.size(); ++i) b_[i] += noise[i];
    weights_ = random_values(b_.size(), 3, 0.5F, 1.0F);
  }

  void theMinimumIsThatOfElimination_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<bool>("weighted");
    QTest::addColumn<int>("iterations");
    QTest::addColumn<Params>("params");
    QTest::addColumn<double>("tolerance");
    const Params any_sign = {{"nonnegative", false}};
    for (const bool weighted : {false, true}) {
      const char* kind = weighted ? ", weighted" : "";
      for (const auto& [solver, iterations] :
           {std::pair{"icd", 300}, {"supervoxel_icd", 300}, {"wls_pcg", 100}})
        QTest::addRow("%s%s", solver, kind)
            << QString(solver) << weighted << iterations
            << (solver == std::string("wls_pcg") ? Params{} : any_sign) << 1e-6;
      // The distance to the minimum falls with the rate, which falls like 1 / iteration.
      Params falling = any_sign;
      falling.set("rate_rule", std::string("printed"));
      falling.set("rate", 0.01);
      falling.set("decay", 2.0);
      QTest::addRow("sgd with a falling rate%s", kind)
          << QString("sgd") << weighted << 10000 << falling << 1e-4;
    }
  }
  void theMinimumIsThatOfElimination() {
    QFETCH(QString, solver);
    QFETCH(bool, weighted);
    QFETCH(int, iterations);
    QFETCH(Params, params);
    QFETCH(double, tolerance);
    DenseMatrix dense = dense_matrix(*A_);
    std::vector<double> data(b_.begin(), b_.end());
    if (weighted)
      for (std::size_t i = 0; i < data.size(); ++i) {
        const double root = std::sqrt(1.0 * weights_[i]);
        data[i] *= root;
        for (double& value : dense[i]) value *= root;
      }
    const std::vector<double> expected = least_squares(dense, data);
    const Array b = Array::from(backend_, b_), w = Array::from(backend_, weights_);
    const auto s = catalog_.solvers.make(solver.toStdString(), "cpu", params);
    run(*s, {.A = A_.get(), .b = &b, .weights = weighted ? &w : nullptr}, {iterations, 0}, {});
    double square = 0, of_expected = 0;
    for (std::size_t j = 0; j < expected.size(); ++j) {
      square += std::pow(s->solution().host()[j] - expected[j], 2);
      of_expected += expected[j] * expected[j];
    }
    const double distance = std::sqrt(square / of_expected);
    QVERIFY2(distance <= tolerance, qPrintable(QString::number(distance)));
  }
};

GANTRY_TEST(TestLeastSquares)
#include "test_least_squares.moc"
