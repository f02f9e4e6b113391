// Methods of single rows and columns with matrices in half precision: the residual that they hold,
// and that a run reports, is that of the weights that they correct by.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/matrix/matrix_format.hpp"
#include "core/solvers/iterate_residual.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/reference_weights.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestSingleWeights : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  const VolumeGrid grid_ = VolumeGrid::centered(20, 20, 1, {2, 2, 2});
  std::shared_ptr<const ScanGeometry> scan_;
  std::unique_ptr<Projector> A_;
  Array b_;

  std::unique_ptr<StoredMatrix> stored(const std::string& format, const std::string& weights) {
    return std::make_unique<StoredMatrix>(
        catalog_.projectors.make("siddon", "cpu", backend_, scan_, grid_, {}),
        catalog_.matrix_formats.make(format, "cpu", {{"weights", weights}}));
  }
  double norm(const std::vector<double>& product) {
    double square = 0;
    for (std::size_t i = 0; i < product.size(); ++i)
      square += std::pow(b_.host()[i] - product[i], 2);
    return std::sqrt(square);
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    ScanSpec spec = fan_spec(16, 24, 3);
    spec.view_angles_rad = angles_from_degrees(11.25, 22.5, 16);
    scan_ = share(spec);
    A_ = catalog_.projectors.make("siddon", "cpu", backend_, scan_, grid_, {});
    b_ = Array(backend_, A_->range_size());
    A_->forward(Array::from(backend_, random_values(grid_.voxels(), 1, 0.01F, 0.03F)), b_);
    backend_.axpby(1, Array::from(backend_, random_values(b_.size(), 2, -0.003F, 0.003F)), 1, b_);
  }

  void residualIsThatOfTheSingleWeights_data() {
    QTest::addColumn<QString>("solver");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("weights");
    for (const auto* solver : catalog_.solvers.on("cpu")) {
      if (!solver->traits.needs_rows && !solver->traits.needs_columns) continue;
      for (const auto* format : catalog_.matrix_formats.on("cpu"))
        for (const ParamSpec& param : format->params)
          for (const std::string& weights : param.choices)
            if (param.key == "weights")
              QTest::addRow("%s, %s %s", solver->key.c_str(), format->key.c_str(), weights.c_str())
                  << QString::fromStdString(solver->key) << QString::fromStdString(format->key)
                  << QString::fromStdString(weights);
    }
  }
  void residualIsThatOfTheSingleWeights() {
    QFETCH(QString, solver);
    QFETCH(QString, format);
    QFETCH(QString, weights);
    const auto matrix = stored(format.toStdString(), weights.toStdString());
    const auto method = catalog_.solvers.make(solver.toStdString(), "cpu", {});
    const Problem problem{.A = matrix.get(), .b = &b_};
    SolverRun loop(*method, problem, {.iterations = 6, .relative_residual = 1e-9});
    const ReferenceWeights reference(*A_);
    int iterations = 0;
    while (!loop.finished())
      if (const auto report = loop.advance()) {
        const double expected = norm(reference.forward(method->solution().to_host(), A_->all(), 0));
        EXPECT_NEAR(report->exact_residual_norm, expected, 1e-5 * expected);
        ++iterations;
      }
    QCOMPARE(iterations, 6);
    // A run says so where the weights are not those of the matrix.
    QCOMPARE(!single_weights_note(method->traits(), *matrix).empty(), weights != "float32");
  }

  /// As the product of the matrix itself would be: once for each measurement.
  void productsCountAsBefore() {
    const auto products = [&](const std::string& weights) {
      const auto matrix = stored("scsr", weights);
      const auto method = catalog_.solvers.make("sgd", "cpu", {});
      const Problem problem{.A = matrix.get(), .b = &b_};
      run(*method, problem, {.iterations = 3, .relative_residual = 1e-9}, {});
      return matrix->applications();
    };
    QCOMPARE(products("compact"), products("float32"));
  }

  /// Other methods correct by products of the matrix, and their residual is that of the matrix.
  void methodsOfProductsKeepTheMatrix() {
    const auto matrix = stored("scsr", "compact");
    const auto cgls = catalog_.solvers.make("cgls", "cpu", {});
    const Array x = Array::from(backend_, random_values(grid_.voxels(), 3, 0.01F, 0.03F));
    Array r(backend_, b_.size()), expected(backend_, b_.size());
    iterate_residual(cgls->traits(), *matrix, b_, x, r);
    matrix->forward(x, expected);
    backend_.residual(b_, expected, nullptr);
    QCOMPARE(r.to_host(), expected.to_host());
    QVERIFY(single_weights_note(cgls->traits(), *matrix).empty());
  }
};

GANTRY_TEST(TestSingleWeights)
#include "test_single_weights.moc"
