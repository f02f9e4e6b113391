// Row after row: against a plain loop over the dense matrix, and Kaczmarz's own properties.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/row_action/art.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <numeric>

using namespace gantry;
using namespace gantry::test;

namespace {

std::unique_ptr<Solver> art(double relaxation, bool nonnegative, const std::string& order) {
  return make_art(
      resolve_params({{"relaxation", relaxation}, {"nonnegative", nonnegative}, {"order", order}},
                     art_params(), "art"));
}

/// Kaczmarz as it is printed, in double, ray after ray in the order of the data.
std::vector<double> kaczmarz(const DenseMatrix& a, std::span<const float> b, double relaxation,
                             bool nonnegative, int iterations) {
  std::vector<double> x(a.front().size(), 0.0);
  for (int k = 0; k < iterations; ++k)
    for (std::size_t i = 0; i < a.size(); ++i) {
      double product = 0, square = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        product += a[i][j] * x[j];
        square += a[i][j] * a[i][j];
      }
      if (square == 0) continue;
      for (std::size_t j = 0; j < x.size(); ++j) {
        x[j] += relaxation * (b[i] - product) / square * a[i][j];
        if (nonnegative && a[i][j] > 0) x[j] = std::max(x[j], 0.0);
      }
    }
  return x;
}

}  // namespace

class TestArt : public QObject {
  Q_OBJECT

  CpuBackend backend_;
  // Wider than the grid, so that rays at both ends miss.
  std::unique_ptr<Projector> A_ = make_siddon(backend_, share(fan_spec(14, 22, 4)),
                                              VolumeGrid::centered(8, 7, 1, {5, 5, 5}), {});
  Array truth_ = Array::from(backend_, random_values(A_->domain_size(), 61));
  Array b_{backend_, A_->range_size()}, noisy_;

  double distance(const Array& a, const Array& b) {
    Array difference = a.clone();
    backend_.axpby(-1, b, 1, difference);
    return std::sqrt(backend_.dot(difference, difference));
  }

 private slots:
  void initTestCase() {
    A_->forward(truth_, b_);
    noisy_ = Array::from(backend_, random_values(A_->range_size(), 62, -3, 3));
    backend_.axpby(1, b_, 1, noisy_);
  }

  void isTheLoopThatIsPrinted_data() {
    QTest::addColumn<double>("relaxation");
    QTest::addColumn<bool>("nonnegative");
    QTest::addColumn<bool>("cone");
    QTest::newRow("full") << 1.0 << false << false;
    QTest::newRow("calm") << 0.2 << false << false;
    QTest::newRow("overrelaxed, bounded") << 1.5 << true << false;
    QTest::newRow("cone") << 0.7 << false << true;
  }
  void isTheLoopThatIsPrinted() {
    QFETCH(double, relaxation);
    QFETCH(bool, nonnegative);
    QFETCH(bool, cone);
    // 15 columns of 11 rows: more rays than have their weights made at a time.
    ScanSpec spec = fan_spec(5, 15, 5);
    spec.beam = Beam::cone;
    spec.detector_rows = 11;
    spec.central_row = 4.75;
    const auto panel =
        make_siddon(backend_, share(spec), VolumeGrid::centered(7, 6, 5, {5, 5, 5}), {});
    const Projector& A = cone ? *panel : *A_;
    const Array b =
        cone ? Array::from(backend_, random_values(A.range_size(), 63)) : noisy_.clone();
    const auto solver = art(relaxation, nonnegative, "natural");
    run(*solver, {&A, &b, nullptr}, {3, 0}, {});
    const std::vector<double> expected =
        kaczmarz(dense_matrix(A), b.host(), relaxation, nonnegative, 3);
    for (std::size_t j = 0; j < expected.size(); ++j)
      EXPECT_NEAR(solver->solution().host()[j], expected[j], 2e-5);
    QVERIFY(!nonnegative || std::ranges::min(solver->solution().host()) >= 0);
  }

  // One ray a view, so that each step is a row.
  void aRowIsFulfilledRightAfterItsTurn() {
    ScanSpec spec = fan_spec(40, 1, 3);
    spec.central_column = 2;  // beside the axis
    const auto A = make_siddon(backend_, share(spec), VolumeGrid::centered(8, 7, 1, {5, 5, 5}), {});
    Array data(backend_, A->range_size()), y(backend_, A->range_size());
    A->forward(truth_, data);
    for (const bool fulfilled : {true, false}) {
      const auto solver = art(fulfilled ? 1.0 : 0.5, false, "natural");
      solver->init({A.get(), &data, nullptr});
      for (std::size_t i = 0; i < 40; ++i) {
        A->forward(solver->solution(), y);
        const double before = data.host()[i] - y.host()[i];
        const StepReport report = solver->step();
        EXPECT_NEAR(report.residual_norm, std::abs(before), 1e-5);
        A->forward(solver->solution(), y);
        EXPECT_NEAR(data.host()[i] - y.host()[i], fulfilled ? 0.0 : 0.5 * before, 2e-5);
      }
    }
  }

  void errorOfConsistentDataNeverGrows() {
    for (const char* order : {"natural", "golden", "random", "multilevel"})
      for (const double relaxation : {0.2, 1.0, 1.95})
        for (const bool nonnegative : {false, true}) {
          const auto solver = art(relaxation, nonnegative, order);
          solver->init({A_.get(), &b_, nullptr});
          const double start = distance(solver->solution(), truth_);
          double previous = start;
          for (int step = 0; step < 20 * A_->views(); ++step) {
            const Array before = solver->solution().clone();
            const StepReport report = solver->step();
            const double error = distance(solver->solution(), truth_);
            QVERIFY(error <= previous * (1 + 1e-6));
            EXPECT_NEAR(report.update_norm, distance(solver->solution(), before), 1e-5);
            previous = error;
          }
          QVERIFY(previous < 0.3 * start);
        }
  }

  /// It would throw the corner's voxel about by its error over 0.006 mm.
  void aRayThatGrazesTheGridSaysNothing() {
    const ScanCase grazing = grazing_case();
    const auto A = make_siddon(backend_, grazing.geometry, grazing.grid, {});
    Array b(backend_, A->range_size());
    A->forward(Array::from(backend_, random_values(A->domain_size(), 64)), b);
    Array spoiled = b.clone();
    const DenseMatrix a = dense_matrix(*A);
    int grazes = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double chord = std::accumulate(a[i].begin(), a[i].end(), 0.0);
      if (!(chord > 0 && chord < 0.01)) continue;
      spoiled.host()[i] = 5;
      ++grazes;
    }
    QCOMPARE(grazes, 8);
    const auto after = [&](const Array& data) {
      const auto solver = art(1.0, false, "golden");
      run(*solver, {A.get(), &data, nullptr}, {2, 0}, {});
      return solver->solution().to_host();
    };
    QCOMPARE(after(spoiled), after(b));
  }

  void threadsChangeNothing() {
    expect_same_on_any_threads([&] {
      const auto solver = art(0.7, true, "golden");
      run(*solver, {A_.get(), &noisy_, nullptr}, {2, 0}, {});
      return solver->solution().to_host();
    });
  }

  void countsItsWorkInProducts() {
    const auto solver = art(0.7, true, "golden");
    SolverRun loop(*solver, {A_.get(), &b_, nullptr}, {1, 0});
    while (!loop.finished()) loop.advance();
    EXPECT_NEAR(loop.applications(), 2, 1e-9);
  }

  void needsSingleRows() {
    const MatrixOperator plain(backend_, DenseMatrix(4, std::vector<double>(4)), 1);
    const Array b = Array::filled(backend_, 4, 1);
    EXPECT_THROWS(UsageError, art(1, true, "natural")->init({&plain, &b, nullptr}),
                  "projector: this solver needs the single rows of the matrix");
  }
};

GANTRY_TEST(TestArt)

#include "test_art.moc"
