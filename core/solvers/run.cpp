#include "core/solvers/run.hpp"

#include "core/base/clock.hpp"
#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"
#include "core/solvers/divergence_cure.hpp"
#include "core/solvers/iterate_residual.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

/// An objective that has grown to this many times its least value is taken to grow without bound,
/// unless it is still below this part of that of a zero image: the first steps from a good start
/// may be too long, and rounding alone raises an objective of nearly 0.
constexpr double boundless = 100, of_zero_image = 0.1;
/// An objective of so many times the least before it is told to the user, unless rounding may be
/// the cause, also if a later one is less, as of a method that swings. So is one at the end of so
/// many times that of a zero image.
constexpr double doubtful = 5, of_rounding = 1e-6, worse_than_nothing = 1.1;

}  // namespace

std::string describe(StopReason reason) {
  switch (reason) {
    case StopReason::none:
      return "running";
    case StopReason::iterations:
      return "all iterations done";
    case StopReason::converged:
      return "converged: the update fell below its limit";
    case StopReason::fitted:
      return "stopped at the residual: it fell below its limit";
    case StopReason::noise_level:
      return "stopped at the noise level: the residual is no larger than the noise";
    case StopReason::settled:
      return "converged: the change of the objective fell below its limit";
    case StopReason::exhausted:
      return "finished: a further step would change nothing";
    case StopReason::diverged:
      return "diverged: values are no longer finite, or the objective grows without bound";
    case StopReason::stopped:
      return "stopped";
  }
  return {};
}

bool is_rule(StopReason reason) {
  return reason == StopReason::converged || reason == StopReason::fitted ||
         reason == StopReason::noise_level || reason == StopReason::settled;
}

StopRules without(StopRules rules, StopReason rule) {
  if (rule == StopReason::converged) rules.relative_update = 0;
  if (rule == StopReason::fitted) rules.relative_residual = 0;
  if (rule == StopReason::noise_level) rules.discrepancy = 0;
  if (rule == StopReason::settled) rules.relative_objective = 0;
  return rules;
}

void require_possible(const StopRules& rules) {
  if (rules.discrepancy > 0 && !(rules.noise_norm > 0))
    throw UsageError("the noise of these data is not known, so a run cannot stop at its level",
                     "stop at noise", "stop at a relative residual, or simulate noisy data");
}

template <class Work>
void SolverRun::timed(const Work& work) {
  const double applications_before = A_.applications();
  const auto start = Clock::now();
  work();
  seconds_ += seconds_since(start);
  applications_ += A_.applications() - applications_before;
}

SolverRun::SolverRun(Solver& solver, const Problem& problem, const StopRules& rules)
    : solver_(solver), A_(*problem.A), b_(*problem.b), rules_(rules) {
  require_possible(rules_);
  timed([&] { solver_.init(problem); });
  if (rules_.relative_objective > 0 && !solver_.objective() &&
      !solver_.traits().objective_takes_residual)
    throw UsageError("the method reports no objective, so a run cannot stop at its change",
                     "stop at objective", "stop at the update, or use a method that reports one");
  const std::optional<Objective> start = solver_.objective();
  if (!start && !solver_.traits().has_objective()) return;
  Backend& backend = A_.backend();
  zero_objective_ =
      0.5 * (problem.weights != nullptr ? backend.weighted_square(*problem.weights, b_)
                                        : backend.dot(b_, b_));
  if (start && std::isfinite(start->total())) least_objective_ = start->total();
}

std::optional<IterationReport> SolverRun::advance() {
  if (finished()) return std::nullopt;
  // If this is interrupted, nothing is counted, and the next call repeats it.
  if (rules_.relative_objective > 0 && part_.steps == 0 && !last_objective_)
    timed([&] {
      if (objective_takes_residual()) measure_residual();
      last_objective_ = objective(objective_takes_residual()).total();
    });
  if (!part_.is_complete) timed([&] { do_step(); });
  if (!part_.is_complete) return std::nullopt;
  const bool measures = !part_.last.exhausted && needs_residual();
  if (measures) timed([&] { measure_residual(); });
  const Objective reached = objective(measures);
  ++iteration_;
  const PartOfIteration whole = std::exchange(part_, {});
  const IterationReport iteration{iteration_,
                                  std::sqrt(whole.residual_square),
                                  std::sqrt(whole.update_square),
                                  applications_,
                                  seconds_,
                                  whole.last.new_residual_norm,
                                  reached};
  decide(iteration, whole.last.exhausted);
  last_objective_ = iteration.objective.total();
  return iteration;
}

void SolverRun::do_step() {
  const StepReport step = solver_.step();
  part_.last = step;
  if (part_.steps == 0 || !step.uses_all_rays)
    part_.residual_square += step.residual_norm * step.residual_norm;
  part_.update_square += step.update_norm * step.update_norm;
  ++part_.steps;
  part_.is_complete = part_.steps >= solver_.steps_per_iteration() || step.exhausted;
}

/// Whether a rule needs the objective of a method that knows it from the residual alone.
bool SolverRun::objective_takes_residual() const {
  return rules_.relative_objective > 0 && solver_.traits().objective_takes_residual;
}

/// Whether a rule needs the residual of the iterate, which the method has not told.
bool SolverRun::needs_residual() const {
  return objective_takes_residual() ||
         (rules_.ask_for_residual() && !std::isfinite(part_.last.new_residual_norm));
}

void SolverRun::measure_residual() {
  if (residual_.empty()) residual_ = Array(A_.backend(), A_.range_size());
  part_.last.new_residual_norm =
      iterate_residual(solver_.traits(), A_, b_, solver_.solution(), residual_);
}

/// Returns the objective of the iterate. `is_measured`: residual_ is that of the iterate.
Objective SolverRun::objective(bool is_measured) const {
  if (is_measured)
    if (const auto value = solver_.objective_with(residual_, part_.last.new_residual_norm))
      return *value;
  return solver_.objective().value_or(Objective{});
}

void SolverRun::decide(const IterationReport& report, bool exhausted) {
  const auto norm = [](const Array& x) { return std::sqrt(x.backend().dot(x, x)); };
  const double residual = report.exact_residual_norm;
  const double objective = report.objective.total();
  const double least = std::min(objective, least_objective_.value_or(objective));
  const bool grows = objective > boundless * least && objective > of_zero_image * zero_objective_;
  if (std::isfinite(objective)) least_objective_ = least;
  if (objective > of_rounding * zero_objective_) rise_ = std::max(rise_, objective / least);
  if (!std::isfinite(report.update_norm) || grows) {
    reason_ = StopReason::diverged;
  } else if (exhausted) {
    reason_ = StopReason::exhausted;
  } else if (rules_.discrepancy > 0 && residual <= rules_.discrepancy * rules_.noise_norm) {
    reason_ = StopReason::noise_level;
  } else if (rules_.relative_residual > 0 && residual <= rules_.relative_residual * norm(b_)) {
    reason_ = StopReason::fitted;
  } else if (rules_.relative_update > 0 &&
             report.update_norm <= rules_.relative_update * norm(solver_.solution())) {
    reason_ = StopReason::converged;
  } else if (rules_.relative_objective > 0 && last_objective_ &&
             std::abs(*last_objective_ - report.objective.total()) <=
                 rules_.relative_objective * std::abs(report.objective.total())) {
    reason_ = StopReason::settled;
  } else if (iteration_ >= rules_.iterations) {
    reason_ = StopReason::iterations;
  }
}

std::string SolverRun::objective_note() const {
  if (!last_objective_ || reason_ == StopReason::diverged) return {};
  TextStream note;
  note.precision(3);
  if (rise_ > doubtful)
    note << "the objective rose to " << rise_ << " times the least that it had been before";
  else if (*last_objective_ > worse_than_nothing * zero_objective_)
    note << "the objective is " << *last_objective_ / zero_objective_
         << " times that of a zero image";
  else
    return {};
  if (const std::string cure = divergence_cure(solver_); !cure.empty()) note << "; " << cure;
  return note.str();
}

void SolverRun::extend(int more) {
  rules_ = without(rules_, reason_);
  rules_.iterations = iteration_ + more;
  if (reason_ == StopReason::iterations || is_rule(reason_)) reason_ = StopReason::none;
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
