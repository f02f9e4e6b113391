// Methods whose iterates are those of CGLS in exact arithmetic: what each iterate minimises, by
// dense linear algebra, CGLS's iterates, and the solution in the end.
#include "core/solvers/krylov/cg_normal.hpp"
#include "core/solvers/krylov/cgls.hpp"
#include "core/solvers/krylov/lsqr.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/small_scan.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestKrylovSolvers : public QObject, SmallScan {
  Q_OBJECT

  static std::unique_ptr<Solver> make() {
    QFETCH_GLOBAL(QString, solver);
    return solver == QLatin1String("lsqr") ? make_lsqr({}) : make_cg_normal({});
  }

 private slots:
  void initTestCase_data() {
    QTest::addColumn<QString>("solver");
    for (const char* solver : {"cg_normal", "lsqr"}) QTest::newRow(solver) << QString(solver);
  }

  /// The k-th iterate is the least squares solution among the combinations of A^T b, (A^T A) A^T b,
  /// .. (A^T A)^(k-1) A^T b, whatever recurrence comes to it.
  void iteratesAreBestInTheirKrylovSpaces() {
    const DenseMatrix dense = dense_matrix(*A_);
    const std::vector<double> data(data_.begin(), data_.end());
    std::vector<std::vector<double>> basis;  // orthonormal
    const auto solver = make();
    solver->init({A_.get(), &b_});
    for (int k = 0; k < 5; ++k) {
      std::vector<double> next = transposed(dense, k == 0 ? data : product(dense, basis.back()));
      for (int twice = 0; twice < 2; ++twice)
        for (const auto& v : basis) {
          const double along = std::inner_product(v.begin(), v.end(), next.begin(), 0.0);
          for (std::size_t j = 0; j < v.size(); ++j) next[j] -= along * v[j];
        }
      const double length =
          std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
      for (double& value : next) value /= length;
      basis.push_back(next);

      const std::vector<double> expected = best_of(dense, data, basis);
      const StepReport report = solver->step();
      QVERIFY(!report.exhausted);
      expect_values(solver->solution(), expected, 1e-4 * largest_magnitude(expected));
    }
  }

  void firstIteratesAreThoseOfCgls() {
    const Array x0 = Array::from(backend_, random_values(A_->domain_size(), 42));
    for (const Problem& problem : {Problem{A_.get(), &b_}, Problem{A_.get(), &b_, &x0}}) {
      const auto one = make(), other = make_cgls(resolve_params({}, cgls_params(), "cgls"));
      double first_update = 0;
      one->init(problem);
      other->init(problem);
      for (int k = 0; k < 5; ++k) {
        const StepReport found = one->step(), expected = other->step();
        if (k == 0) first_update = expected.update_norm;
        EXPECT_NEAR(found.residual_norm, expected.residual_norm, 1e-5 * expected.residual_norm);
        EXPECT_NEAR(found.update_norm, expected.update_norm, 1e-5 * first_update);
        for (std::size_t j = 0; j < x0.size(); ++j)
          EXPECT_NEAR(one->solution().host()[j], other->solution().host()[j], 1e-5);
      }
    }
  }

  void endsAtTheSolutionOfTheNormalEquations() {
    const auto solver = make();
    QCOMPARE(run(*solver, {A_.get(), &b_}, {300, 0}, {}), StopReason::exhausted);
    expect_values(solver->solution(), solution(), 1e-4);
  }

  /// LSQR keeps ||b - A x|| by its recurrence; rules that ask for it then take no product.
  void lsqrKnowsItsResidual() {
    const auto solver = make_lsqr({});
    solver->init({A_.get(), &b_});
    for (int k = 0; k < 10; ++k) {
      const StepReport report = solver->step();
      Array r(backend_, A_->range_size());
      A_->forward(solver->solution(), r);
      const double residual = std::sqrt(backend_.residual(b_, r, nullptr));
      EXPECT_NEAR(report.new_residual_norm, residual, 1e-5 * report.residual_norm);
      QVERIFY(report.new_residual_norm < report.residual_norm);
      EXPECT_NEAR(solver->objective()->data, 0.5 * residual * residual,
                  1e-5 * report.residual_norm * report.residual_norm);
      QCOMPARE(solver->objective()->penalty, 0.0);
    }
  }

  void stopsWhereThereIsNothingToDo() {
    const Array zero = Array::filled(backend_, A_->range_size(), 0);
    const auto solver = make();
    QCOMPARE(run(*solver, {A_.get(), &zero}, {50, 0}, {}), StopReason::exhausted);
    for (const float value : solver->solution().host()) QCOMPARE(value, 0.0F);
  }

 private:
  static std::vector<double> product(const DenseMatrix& a, const std::vector<double>& x) {
    std::vector<double> y;
    for (const auto& row : a)
      y.push_back(std::inner_product(row.begin(), row.end(), x.begin(), 0.0));
    return y;
  }
  static std::vector<double> transposed(const DenseMatrix& a, const std::vector<double>& y) {
    std::vector<double> x(a.front().size());
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += a[i][j] * y[i];
    return x;
  }
  /// The combination of `basis` with the least ||a x - b||.
  static std::vector<double> best_of(const DenseMatrix& a, const std::vector<double>& b,
                                     const std::vector<std::vector<double>>& basis) {
    DenseMatrix narrow(a.size(), std::vector<double>(basis.size()));
    for (std::size_t k = 0; k < basis.size(); ++k) {
      const std::vector<double> column = product(a, basis[k]);
      for (std::size_t i = 0; i < a.size(); ++i) narrow[i][k] = column[i];
    }
    const std::vector<double> part = least_squares(narrow, b);
    std::vector<double> x(a.front().size());
    for (std::size_t k = 0; k < basis.size(); ++k)
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += part[k] * basis[k][j];
    return x;
  }
};

GANTRY_TEST(TestKrylovSolvers)
#include "test_krylov_solvers.moc"
