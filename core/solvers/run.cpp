#include "core/solvers/run.hpp"

#include <chrono>
#include <cmath>

namespace gantry {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

std::string describe(StopReason reason) {
  switch (reason) {
    case StopReason::none:
      return "running";
    case StopReason::iterations:
      return "all iterations done";
    case StopReason::converged:
      return "converged: the update fell below its limit";
    case StopReason::exhausted:
      return "finished: a further step would change nothing";
    case StopReason::diverged:
      return "diverged: values are no longer finite; use a smaller relaxation";
    case StopReason::stopped:
      return "stopped";
  }
  return {};
}

SolverRun::SolverRun(Solver& solver, const Problem& problem, const StopRules& rules)
    : solver_(solver), A_(*problem.A), rules_(rules) {
  const double applications_before = A_.applications();
  const auto start = Clock::now();
  solver_.init(problem);
  seconds_ = seconds_since(start);
  applications_ = A_.applications() - applications_before;
}

std::optional<IterationReport> SolverRun::advance() {
  if (finished()) return std::nullopt;
  // An interrupted step throws here and counts for nothing: it will be made again.
  const double applications_before = A_.applications();
  const auto start = Clock::now();
  const StepReport report = solver_.step();
  seconds_ += seconds_since(start);
  applications_ += A_.applications() - applications_before;
  residual_square_ += report.residual_norm * report.residual_norm;
  update_square_ += report.update_norm * report.update_norm;
  ++step_;
  if (step_ < solver_.steps_per_iteration() && !report.exhausted) return std::nullopt;
  ++iteration_;
  const IterationReport iteration{iteration_, std::sqrt(residual_square_),
                                  std::sqrt(update_square_), applications_, seconds_};
  step_ = 0;
  residual_square_ = update_square_ = 0;
  decide(iteration.update_norm, report.exhausted);
  return iteration;
}

void SolverRun::decide(double update_norm, bool exhausted) {
  const Array& x = solver_.solution();
  if (!std::isfinite(update_norm)) {
    reason_ = StopReason::diverged;
  } else if (exhausted) {
    reason_ = StopReason::exhausted;
  } else if (rules_.relative_update > 0 &&
             update_norm <= rules_.relative_update * std::sqrt(x.backend().dot(x, x))) {
    reason_ = StopReason::converged;
  } else if (iteration_ >= rules_.iterations) {
    reason_ = StopReason::iterations;
  }
}

void SolverRun::extend(int more) {
  rules_.iterations = iteration_ + more;
  if (reason_ == StopReason::iterations || reason_ == StopReason::converged)
    reason_ = StopReason::none;
}

StopReason run(Solver& solver, const Problem& problem, const StopRules& rules,
               std::span<SolverObserver* const> observers, const std::stop_token& stop) {
  SolverRun loop(solver, problem, rules);
  while (!loop.finished()) {
    if (stop.stop_requested()) return StopReason::stopped;
    if (const auto report = loop.advance())
      for (SolverObserver* observer : observers) observer->on_iteration(*report, solver);
  }
  return loop.reason();
}

}  // namespace gantry
