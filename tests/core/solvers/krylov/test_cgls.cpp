// Tikhonov's functional against the dense normal equations.
#include "core/base/error.hpp"
#include "core/projectors/voxel/voxel_driven.hpp"
#include "core/solvers/krylov/cgls.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/small_scan.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestCgls : public QObject, SmallScan {
  Q_OBJECT

  static std::unique_ptr<Solver> cgls(double damping) {
    return make_cgls(resolve_params({{"damping", damping}}, cgls_params(), "cgls"));
  }
  double functional(const Array& x, double damping) {
    Array r(backend_, A_->range_size());
    A_->forward(x, r);
    return backend_.residual(b_, r, nullptr) + damping * backend_.dot(x, x);
  }

 private slots:
  void dampedSolutionIsThatOfTheNormalEquations() {
    for (const double damping : {0.0, 3.0, 300.0, 1e5}) {
      const auto s = cgls(damping);
      run(*s, {A_.get(), &b_, nullptr}, {80, 0}, {});
      const std::vector<double> expected = solution(damping);
      expect_values(s->solution(), expected, 1e-4 * largest_magnitude(expected));
    }
  }

  // sum w (b - A x)^2 + mu |x|^2 is that of rows and data times sqrt(w), without weights.
  void weightedSolutionIsThatOfTheNormalEquations() {
    const std::vector<float> weights = random_values(A_->range_size(), 43, 0, 2);
    DenseMatrix dense = dense_matrix(*A_);
    std::vector<double> data(data_.begin(), data_.end());
    for (std::size_t i = 0; i < dense.size(); ++i) {
      const double root = std::sqrt(static_cast<double>(weights[i]));
      for (double& value : dense[i]) value *= root;
      data[i] *= root;
    }
    const Array w = Array::from(backend_, weights);
    for (const double damping : {0.0, 300.0}) {
      const auto s = cgls(damping);
      run(*s, {A_.get(), &b_, nullptr, &w}, {80, 0}, {});
      expect_values(s->solution(), least_squares(dense, data, damping), 1e-4);
    }
  }

  void endsWhereTheGradientIsNone() {
    const Array truth = Array::from(backend_, random_values(A_->domain_size(), 44));
    Array b(backend_, A_->range_size());
    A_->forward(truth, b);
    const auto s = cgls(0);
    QCOMPARE(run(*s, {A_.get(), &b, nullptr}, {300, 0}, {}), StopReason::exhausted);
    for (std::size_t j = 0; j < truth.size(); ++j)
      EXPECT_NEAR(s->solution().host()[j], truth.host()[j], 1e-4);
  }

  void errorOfConsistentDataFallsAtEveryStep() {
    const Array truth = Array::from(backend_, random_values(A_->domain_size(), 44));
    Array b(backend_, A_->range_size());
    A_->forward(truth, b);
    const auto s = cgls(0);
    s->init({A_.get(), &b, nullptr});
    double previous = std::sqrt(backend_.dot(truth, truth));
    const double rounding = 1e-5 * previous;
    int steps = 0;
    for (; steps < 25 && !s->step().exhausted; ++steps) {
      Array difference = s->solution().clone();
      backend_.axpby(-1, truth, 1, difference);
      const double error = std::sqrt(backend_.dot(difference, difference));
      QVERIFY(error <= previous + rounding);
      previous = error;
    }
    QVERIFY(steps >= 10);
  }

  void stopsWhenNothingIsLeft() {
    const Array zero = Array::filled(backend_, A_->range_size(), 0);
    const auto s = cgls(0);
    QCOMPARE(run(*s, {A_.get(), &zero, nullptr}, {50, 0}, {}), StopReason::exhausted);
  }

  void functionalFallsAtEveryStep() {
    const Array x0 = Array::from(backend_, random_values(A_->domain_size(), 42));
    for (const double damping : {0.0, 300.0}) {
      const auto s = cgls(damping);
      s->init({A_.get(), &b_, &x0});
      double previous = functional(s->solution(), damping);
      for (int k = 0; k < 25; ++k) {
        Array r(backend_, A_->range_size());
        A_->forward(s->solution(), r);
        const double residual = std::sqrt(backend_.residual(b_, r, nullptr));
        const StepReport report = s->step();
        EXPECT_NEAR(report.residual_norm, residual, 1e-4 * residual);  // of the data alone
        const double now = functional(s->solution(), damping);
        QVERIFY(now <= previous * (1 + 1e-6));
        previous = now;
        if (report.exhausted) break;
      }
    }
  }

  // The recurrence carries b - A x along; what it says must be true of the image, weighted or not,
  // from a start or not, and after many steps.
  void theResidualItKeepsIsThatOfTheImage() {
    const Array x0 = Array::from(backend_, random_values(A_->domain_size(), 43));
    const Array weights = Array::from(backend_, random_values(A_->range_size(), 44, 0.2F, 1.0F));
    const double scale = std::sqrt(backend_.dot(b_, b_));
    for (const double damping : {0.0, 300.0})
      for (const Problem& problem : {Problem{A_.get(), &b_}, Problem{A_.get(), &b_, &x0},
                                     Problem{.A = A_.get(), .b = &b_, .weights = &weights}}) {
        const auto s = cgls(damping);
        s->init(problem);
        for (int k = 0; k < 60; ++k) {
          const StepReport report = s->step();
          EXPECT_NEAR(report.new_residual_norm, std::sqrt(functional(s->solution(), 0)),
                      1e-6 * scale);
          if (report.exhausted) break;
        }
      }
  }

  void aRuleOnTheResidualCostsNoProduct() {
    const auto products = [&](const StopRules& rules) {
      const auto s = cgls(0);
      SolverRun loop(*s, {A_.get(), &b_}, rules);
      while (!loop.finished()) loop.advance();
      [&] { QCOMPARE(loop.iterations(), 6); }();
      return loop.applications();
    };
    const double plain = products({.iterations = 6});
    EXPECT_NEAR(plain, 1 + 2 * 6, 1e-9);  // A x0, then A^T r and A p an iteration
    EXPECT_NEAR(products({.iterations = 6, .relative_residual = 1e-9}), plain, 1e-9);
  }

  // The search directions are conjugate to all before them, which x alone does not know: a run that
  // starts from x0 begins with the gradient, and so goes another way to the same end.
  void aWarmStartBeginsAnew() {
    const auto whole = cgls(0), first = cgls(0), second = cgls(0), longer = cgls(0);
    run(*whole, {A_.get(), &b_, nullptr}, {8, 0}, {});
    run(*first, {A_.get(), &b_, nullptr}, {4, 0}, {});
    run(*second, {A_.get(), &b_, &first->solution()}, {4, 0}, {});
    QVERIFY(functional(second->solution(), 0) > functional(whole->solution(), 0));
    run(*longer, {A_.get(), &b_, &first->solution()}, {80, 0}, {});
    expect_values(longer->solution(), solution(), 1e-4);
  }

  /// A backprojection that is not the exact transpose is refused, unless the problem insists.
  void anInexactPairIsRefusedUnlessTheProblemInsists() {
    const auto A = make_voxel_driven(backend_, share(fan_spec(20, 16, 4)), A_->grid(), {});
    QVERIFY(!A->matched());
    Array b(backend_, A->range_size()), r(backend_, A->range_size());
    A->forward(Array::from(backend_, random_values(A->domain_size(), 47)), b);
    const auto s = cgls(0);
    EXPECT_THROWS(UsageError, s->init({A.get(), &b}), "exact transpose");
    Problem problem{A.get(), &b};
    problem.insists_on_pair = true;
    run(*s, problem, {5, 0}, {});
    A->forward(s->solution(), r);
    const double before = backend_.dot(b, b), after = backend_.residual(b, r, nullptr);
    QVERIFY2(after < 0.05 * before, qPrintable(QString::number(after / before)));
  }
};

GANTRY_TEST(TestCgls)
#include "test_cgls.moc"
