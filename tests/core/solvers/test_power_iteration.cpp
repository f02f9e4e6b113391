// The largest eigenvalue against dense linear algebra.
#include "core/backend/cpu_backend.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/power_iteration.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestPowerIteration : public QObject {
  Q_OBJECT

  CpuBackend backend_;
  std::unique_ptr<Projector> A_ = make_siddon(backend_, share(fan_spec(14, 16, 4)),
                                              VolumeGrid::centered(8, 7, 1, {5, 5, 5}), {});

  /// Of C^1/2 A^T R A C^1/2, which shares its eigenvalues with C A^T R A.
  double dense_eigenvalue(const std::vector<float>& c, const std::vector<float>& r) {
    const DenseMatrix a = dense_matrix(*A_);
    const std::size_t n = A_->domain_size();
    DenseMatrix m(n, std::vector<double>(n, 0.0));
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          m[i][j] += r[k] * a[k][i] * a[k][j] * std::sqrt(static_cast<double>(c[i]) * c[j]);
    return symmetric_eigenvalues(m).back();
  }

 private slots:
  void agreesWithDenseEigenvalues() {
    const std::vector<float> c1(A_->domain_size(), 1), r1(A_->range_size(), 1),
        c = random_values(A_->domain_size(), 51), r = random_values(A_->range_size(), 52);
    const Array column = Array::from(backend_, c), row = Array::from(backend_, r);
    const auto check = [&](const Array* cw, const Array* rw, double expected) {
      const PowerResult found = largest_eigenvalue(*A_, cw, rw, {1000, 1e-9});
      EXPECT_NEAR(found.eigenvalue, expected, 2e-6 * expected);
      QVERIFY(found.eigenvalue <= expected * (1 + 1e-6));  // from below, but for rounding
    };
    check(nullptr, nullptr, dense_eigenvalue(c1, r1));
    check(&column, nullptr, dense_eigenvalue(c, r1));
    check(nullptr, &row, dense_eigenvalue(c1, r));
    check(&column, &row, dense_eigenvalue(c, r));
    EXPECT_NEAR(operator_norm_square(*A_), dense_eigenvalue(c1, r1),
                1e-4 * dense_eigenvalue(c1, r1));
  }

  void usualLimitsAreCloseEnoughForABound() {
    const std::vector<float> c(A_->domain_size(), 1), r(A_->range_size(), 1);
    const PowerResult found = largest_eigenvalue(*A_, nullptr, nullptr);
    QVERIFY(found.converged);
    QVERIFY(found.iterations < 40);
    EXPECT_NEAR(found.eigenvalue, dense_eigenvalue(c, r), 1e-4 * found.eigenvalue);
  }

  void aLooserToleranceEndsEarlier() {
    const std::vector<float> c(A_->domain_size(), 1), r(A_->range_size(), 1);
    const PowerResult loose = largest_eigenvalue(*A_, nullptr, nullptr, {1000, 0.01}),
                      tight = largest_eigenvalue(*A_, nullptr, nullptr, {1000, 1e-5});
    QVERIFY(loose.converged && tight.converged);
    QVERIFY(loose.iterations < tight.iterations);
    EXPECT_NEAR(loose.eigenvalue, dense_eigenvalue(c, r), 0.03 * loose.eigenvalue);
  }

  void alwaysFindsTheSame() {
    QCOMPARE(operator_norm_square(*A_), operator_norm_square(*A_));
    QCOMPARE(largest_eigenvalue(*A_, nullptr, nullptr, {3, 0}).iterations, 3);
  }

  void anOperatorWithoutWeightsHasNorm0() {
    ScanSpec narrow = fan_spec(6, 10, 1);
    narrow.central_column = 200;  // every ray misses
    const auto A =
        make_siddon(backend_, share(narrow), VolumeGrid::centered(8, 8, 1, {2, 2, 2}), {});
    QCOMPARE(operator_norm_square(*A), 0.0);
    const Array none = Array::filled(backend_, A_->domain_size(), 0);
    QCOMPARE(largest_eigenvalue(*A_, &none, nullptr).eigenvalue, 0.0);
  }

  void givesWay() {
    Interrupt interrupt;
    interrupt.raise();
    A_->set_interrupt(&interrupt);
    QVERIFY_THROWS_EXCEPTION(Interrupted, operator_norm_square(*A_));
    A_->set_interrupt(nullptr);
  }
};

GANTRY_TEST(TestPowerIteration)
#include "test_power_iteration.moc"
