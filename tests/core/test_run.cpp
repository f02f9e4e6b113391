// The loop that drives a solver: counting, stopping, going on.
#include "core/backend/cpu_backend.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"

#include <cmath>
#include <limits>

using namespace gantry;

namespace {

class Identity final : public LinearOperator {
 public:
  explicit Identity(Backend& backend) : LinearOperator(backend, 2, 1, 2) {}

 private:
  void do_forward(const Array& x, Array& y, ViewSubset) const override { backend().copy(x, y); }
  void do_adjoint(const Array& y, Array& x, ViewSubset) const override { backend().copy(y, x); }
};

/// Two steps an iteration; each halves the distance to b. Throws Interrupted when told to.
class Halving final : public Solver {
 public:
  int steps_per_iteration() const override { return 2; }
  SolverMemory memory() const override { return {1, 0}; }
  bool interrupt_next = false;
  bool exhaust = false;
  bool blow_up = false;

 private:
  void do_init() override {}
  StepReport do_step() override {
    Array y = rays();
    A().forward(x_, y);
    if (interrupt_next) {
      interrupt_next = false;
      throw Interrupted{};
    }
    const double before = std::sqrt(backend().residual(b(), y, nullptr));
    backend().axpby(0.5F, b(), 0.5F, x_);
    StepReport report;
    report.residual_norm = before;
    report.update_norm = blow_up ? std::numeric_limits<double>::infinity() : 0.5 * before;
    report.exhausted = exhaust;
    return report;
  }
};

}  // namespace

class TestRun : public QObject {
  Q_OBJECT
  CpuBackend backend_;
  Identity identity_{backend_};
  Array b_ = Array::filled(backend_, 2, 3.0F);
  Problem problem() { return {&identity_, &b_, nullptr}; }

 private slots:
  void stepsAddUpToIterations() {
    Halving solver;
    SolverRun loop(solver, problem(), {2, 0});
    QVERIFY(!loop.advance());
    QCOMPARE(loop.steps_into_iteration(), 1);
    const auto first = loop.advance();
    QVERIFY(first);
    QCOMPARE(first->iteration, 1);
    const double norm_b = std::sqrt(18.0);
    EXPECT_NEAR(first->residual_norm, norm_b * std::sqrt(1 + 0.25), 1e-6);
    EXPECT_NEAR(first->update_norm, norm_b * std::sqrt(0.25 + 0.0625), 1e-6);
    EXPECT_NEAR(first->applications, 2, 1e-12);
    QVERIFY(!loop.finished());
    loop.advance();
    QVERIFY(loop.advance());
    QCOMPARE(loop.reason(), StopReason::iterations);
    QVERIFY(!loop.advance());
    QCOMPARE(loop.iterations(), 2);
    loop.extend(1);
    QVERIFY(!loop.finished());
    loop.advance();
    QCOMPARE(loop.advance()->iteration, 3);
    QCOMPARE(loop.reason(), StopReason::iterations);
  }

  void interruptedStepsCountForNothing() {
    Halving solver;
    SolverRun loop(solver, problem(), {1, 0});
    loop.advance();
    solver.interrupt_next = true;
    QVERIFY_THROWS_EXCEPTION(Interrupted, loop.advance());
    QCOMPARE(loop.steps_into_iteration(), 1);
    EXPECT_NEAR(loop.advance()->applications, 2, 1e-12);
  }

  void rulesEndARun() {
    Halving converging;
    QCOMPARE(run(converging, problem(), {100, 0.01}, {}), StopReason::converged);
    Halving exhausting;
    exhausting.exhaust = true;
    QCOMPARE(run(exhausting, problem(), {100, 0}, {}), StopReason::exhausted);
    Halving diverging;
    diverging.blow_up = true;
    QCOMPARE(run(diverging, problem(), {100, 0}, {}), StopReason::diverged);
    std::stop_source stop;
    stop.request_stop();
    Halving stopped;
    QCOMPARE(run(stopped, problem(), {100, 0}, {}, stop.get_token()), StopReason::stopped);
  }

  void observersSeeEveryIteration() {
    struct Counter : SolverObserver {
      int last = 0;
      double seconds = 0;
      void on_iteration(const IterationReport& report, const Solver& solver) override {
        QCOMPARE(report.iteration, last + 1);
        QVERIFY(report.seconds >= seconds);
        QCOMPARE(solver.solution().size(), std::size_t{2});
        last = report.iteration;
        seconds = report.seconds;
      }
    } counter;
    SolverObserver* const observers[] = {&counter};
    Halving solver;
    run(solver, problem(), {7, 0}, observers);
    QCOMPARE(counter.last, 7);
  }
};

QTEST_APPLESS_MAIN(TestRun)
#include "test_run.moc"
