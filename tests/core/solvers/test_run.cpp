// The loop that drives a solver: counting, stopping, going on.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <limits>

using namespace gantry;

namespace {

class Identity final : public LinearOperator {
 public:
  explicit Identity(Backend& backend) : LinearOperator(backend, 2, 1, 2) {}
  mutable int interrupt_in = -1;  // 0: the next product gives way

 private:
  void do_forward(const Array& x, Array& y, ViewSubset) const override {
    if (interrupt_in-- == 0) throw Interrupted{};
    backend().copy(x, y);
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset) const override { backend().copy(y, x); }
};

/// Two steps an iteration; each halves the distance to b. Throws Interrupted when told to.
class Halving final : public Solver {
 public:
  int steps_per_iteration() const override { return 2; }
  SolverMemory memory(const OperatorMemory&) const override { return {1, 0}; }
  bool interrupt_next = false;
  bool exhaust = false;
  bool blow_up = false;
  bool grows = false;
  bool knows_residual = false;
  bool has_objective = false;
  int steps = 0;

  /// ||b - x||^2 / 2.
  std::optional<Objective> objective() const override {
    if (!has_objective) return std::nullopt;
    Array difference = x_.clone();
    return Objective{0.5 * backend().residual(b(), difference, nullptr), 0};
  }

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
    if (grows)
      backend().axpby(-3.0F, b(), 4.0F, x_);  // four times as far from b
    else
      backend().axpby(0.5F, b(), 0.5F, x_);
    StepReport report;
    report.residual_norm = before;
    if (knows_residual) report.new_residual_norm = 0.5 * before;
    ++steps;
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

  /// From the start on: the first iteration ends at a distance of 16 times ||b||, and the objective
  /// grows by 256.
  void anObjectiveThatGrowsWithoutBoundEndsTheRun() {
    Halving solver;
    solver.grows = solver.has_objective = true;
    SolverRun loop(solver, problem(), {10, 0});
    while (!loop.finished()) loop.advance();
    QCOMPARE(loop.reason(), StopReason::diverged);
    QCOMPARE(loop.iterations(), 1);
    // From the solution on, what rounding makes of an objective of 0 is no growth.
    Halving solved;
    solved.grows = solved.has_objective = true;
    Problem at_solution = problem();
    const Array nearly = Array::filled(backend_, 2, 3.0F * (1 + 1e-7F));
    at_solution.x0 = &nearly;
    SolverRun still(solved, at_solution, {2, 0});
    while (!still.finished()) still.advance();
    QCOMPARE(still.reason(), StopReason::iterations);
    Halving unknown;
    unknown.grows = true;
    SolverRun other(unknown, problem(), {10, 0});
    while (!other.finished()) other.advance();
    QCOMPARE(other.reason(), StopReason::iterations);
  }

  /// Four iterations divide the objective by 16 each; the fifth, which multiplies it by 256, leaves
  /// a small part of that of a zero image, so that the run goes on. That it falls again later is no
  /// reason not to tell.
  void anObjectiveThatHasRisenIsTold() {
    Halving solver;
    solver.has_objective = true;
    SolverRun loop(solver, problem(), {5, 0});
    while (loop.iterations() < 4) loop.advance();
    QCOMPARE(loop.objective_note(), std::string());
    solver.grows = true;
    while (!loop.finished()) loop.advance();
    QCOMPARE(loop.reason(), StopReason::iterations);
    solver.grows = false;
    loop.extend(3);
    while (!loop.finished()) loop.advance();
    QCOMPARE(loop.objective_note(),
             std::string("the objective rose to 256 times the least that it had been before"));
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
    QCOMPARE(exhausting.steps, 1);  // not to the end of the iteration
    Halving diverging;
    diverging.blow_up = true;
    QCOMPARE(run(diverging, problem(), {100, 0}, {}), StopReason::diverged);
    std::stop_source stop;
    stop.request_stop();
    Halving stopped;
    QCOMPARE(run(stopped, problem(), {100, 0}, {}, stop.get_token()), StopReason::stopped);
  }

  // After iteration k the objective is 9 / 16^k.
  void aRunEndsWhenTheObjectiveSettles() {
    Halving solver;
    solver.has_objective = true;
    SolverRun loop(solver, problem(), {.iterations = 100, .relative_objective = 15.1});
    while (!loop.finished()) loop.advance();
    QCOMPARE(loop.reason(), StopReason::settled);
    QCOMPARE(loop.iterations(), 1);  // from 9 to 9/16: 15 times the latter
    loop.extend(2);
    while (!loop.finished()) loop.advance();
    QCOMPARE(loop.reason(), StopReason::iterations);
    Halving without;
    EXPECT_THROWS(UsageError, SolverRun(without, problem(), {.relative_objective = 0.1}),
                  "the method reports no objective, so a run cannot stop at its change");
    Halving slower;
    slower.has_objective = true;
    SolverRun whole(slower, problem(), {.iterations = 5, .relative_objective = 14.9});
    while (!whole.finished()) whole.advance();
    QCOMPARE(whole.reason(), StopReason::iterations);
  }

  // After iteration k the residual is ||b|| / 4^k.
  void aRunEndsAtARelativeResidual() {
    for (const bool knows : {false, true}) {
      Halving solver;
      solver.knows_residual = knows;
      SolverRun loop(solver, problem(), {.iterations = 100, .relative_residual = 0.01});
      std::optional<IterationReport> last;
      while (!loop.finished())
        if (const auto report = loop.advance()) last = report;
      QCOMPARE(loop.reason(), StopReason::fitted);
      QCOMPARE(last->iteration, 4);  // 1/64 is not enough, 1/256 is
      EXPECT_NEAR(last->exact_residual_norm, std::sqrt(18.0) / 256, 1e-6);
      // A product more an iteration, where the method does not know the residual itself.
      EXPECT_NEAR(last->applications, knows ? 8 : 12, 1e-12);
    }
  }

  void aRunEndsAtTheNoise() {
    const double norm_b = std::sqrt(18.0);
    const auto iterations = [&](double tau, double noise) {
      Halving solver;
      SolverRun loop(
          solver, problem(),
          {.iterations = 100, .relative_residual = 1e-6, .discrepancy = tau, .noise_norm = noise});
      while (!loop.finished()) loop.advance();
      [&] { QCOMPARE(loop.reason(), StopReason::noise_level); }();
      return loop.iterations();
    };
    QCOMPARE(iterations(1.02, norm_b / 64 / 1.01), 3);
    QCOMPARE(iterations(1.0, norm_b / 64 / 1.01), 4);
    QCOMPARE(iterations(5.0, norm_b), 1);
    QVERIFY(describe(StopReason::noise_level).starts_with("stopped at the noise level: "));
    Halving solver;
    EXPECT_THROWS(UsageError, SolverRun(solver, problem(), {.discrepancy = 1.02}),
                  "noise of these data is not known");
  }

  void residualsAreNotTakenWithoutARule() {
    Halving solver;
    SolverRun loop(solver, problem(), {.iterations = 1});
    loop.advance();
    const auto report = loop.advance();
    QVERIFY(std::isnan(report->exact_residual_norm));
    EXPECT_NEAR(report->applications, 2, 1e-12);
  }

  void norIsThatOfAnExhaustedMethod() {
    Halving solver;
    solver.exhaust = true;
    SolverRun loop(solver, problem(), {.relative_residual = 1e-6});
    const auto report = loop.advance();
    QCOMPARE(loop.reason(), StopReason::exhausted);
    EXPECT_NEAR(report->applications, 1, 1e-12);
  }

  void anInterruptedResidualIsTakenAgain() {
    Halving solver;
    SolverRun loop(solver, problem(), {.iterations = 1, .relative_residual = 1e-6});
    loop.advance();
    identity_.interrupt_in = 1;  // after the product of the step
    QVERIFY_THROWS_EXCEPTION(Interrupted, loop.advance());
    QVERIFY(!loop.finished());
    const auto report = loop.advance();
    QVERIFY(report);
    QCOMPARE(solver.steps, 2);  // the step was not made again
    QCOMPARE(report->iteration, 1);
    EXPECT_NEAR(report->exact_residual_norm, std::sqrt(18.0) / 4, 1e-6);
    EXPECT_NEAR(report->applications, 3, 1e-12);
  }

  void goingOnLiftsTheRuleThatEndedTheRun() {
    for (const StopRules rules :
         {StopRules{.relative_residual = 0.1}, StopRules{.discrepancy = 1.02, .noise_norm = 0.5},
          StopRules{.relative_update = 0.1}}) {
      Halving solver;
      SolverRun loop(solver, problem(), rules);
      while (!loop.finished()) loop.advance();
      QVERIFY(loop.reason() != StopReason::iterations);
      const int before = loop.iterations();
      loop.extend(3);
      while (!loop.finished()) loop.advance();
      QCOMPARE(loop.reason(), StopReason::iterations);
      QCOMPARE(loop.iterations(), before + 3);
    }
  }

  void emptyDataEndAtOnce() {
    const Array zero = Array::filled(backend_, 2, 0);
    Halving solver;
    const Problem empty{&identity_, &zero, nullptr};
    for (const auto& [rules, reason] :
         {std::pair{StopRules{.relative_residual = 0.1}, StopReason::fitted},
          {StopRules{.relative_update = 0.1}, StopReason::converged}}) {
      SolverRun loop(solver, empty, rules);
      while (!loop.finished()) loop.advance();
      QCOMPARE(loop.reason(), reason);
      QCOMPARE(loop.iterations(), 1);
    }
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

GANTRY_TEST(TestRun)
#include "test_run.moc"
