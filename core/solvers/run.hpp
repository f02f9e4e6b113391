#pragma once

#include "core/solvers/solver.hpp"

#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace gantry {

/// What one iteration (a pass over all data) did, summed over its steps.
struct IterationReport {
  int iteration = 0;         ///< 1 for the first
  double residual_norm = 0;  ///< root of the summed squares of its steps' residual norms
  double update_norm = 0;    ///< likewise
  double applications = 0;   ///< of A or A^T since the start, set-up included
  double seconds = 0;        ///< spent in steps and set-up since the start
  /// ||b - A x|| of the iterate that it ended at; NaN where no rule asked and the method does not
  /// know it.
  double exact_residual_norm = std::numeric_limits<double>::quiet_NaN();
};

/// When a run ends: after so many iterations, or as soon as one of the other rules holds. A rule of
/// 0 never does. Those on the residual look at the iterate itself: where the method does not know
/// ||A x - b||, and one that steps through subsets cannot, they take one more product with A an
/// iteration, which counts as any other.
struct StopRules {
  int iterations = 50;           ///< at most this many
  double relative_update = 0;    ///< ||x_k+1 - x_k|| <= this ||x_k+1||
  double relative_residual = 0;  ///< ||A x - b|| <= this ||b||
  /// Morozov's discrepancy principle, Soviet Math. Dokl. 7 (1966) 414: ||A x - b|| <= this
  /// ||noise||. To fit the data better is to fit their noise.
  double discrepancy = 0;
  double noise_norm = 0;  ///< ||noise||, for the discrepancy principle

  bool ask_for_residual() const { return relative_residual > 0 || discrepancy > 0; }
};

/// Throws UsageError for a discrepancy rule without the norm of the noise.
void require_possible(const StopRules& rules);

/// The usual factor of the discrepancy principle: a little above one, since the norm of the noise
/// is not exactly what the residual ends at.
constexpr double usual_discrepancy = 1.02;

enum class StopReason {
  none,
  iterations,
  converged,
  fitted,
  noise_level,
  exhausted,
  diverged,
  stopped
};
/// "all iterations done", "stopped at the noise level: ..."
std::string describe(StopReason reason);
/// Whether it is one of the rules that end a run before its last iteration.
bool is_rule(StopReason reason);
/// Without the rule of that name; unchanged where the reason is no rule.
StopRules without(StopRules rules, StopReason rule);

/// What is done of the iteration under way.
struct PartOfIteration {
  int steps = 0;
  double residual_square = 0, update_square = 0;  ///< summed over these steps
  StepReport last;                                ///< of the last of them
  bool is_complete = false;  ///< its steps are done, its residual may still be wanted
};

class SolverObserver {
 public:
  virtual ~SolverObserver() = default;
  virtual void on_iteration(const IterationReport& report, const Solver& solver) = 0;
};

/// Drives a solver step by step: counts, times and decides when to stop. The one loop of the
/// program is made of it.
class SolverRun {
 public:
  /// Initialises the solver (which counts into seconds and applications). References outlive the
  /// run. Throws UsageError for rules that are not possible.
  SolverRun(Solver& solver, const Problem& problem, const StopRules& rules);

  /// One step. A report when it completed an iteration. Passes on Interrupted, and can then be
  /// called again.
  std::optional<IterationReport> advance();

  bool finished() const { return reason_ != StopReason::none; }
  StopReason reason() const { return reason_; }
  int iterations() const { return iteration_; }
  int steps_into_iteration() const { return part_.steps; }
  double seconds() const { return seconds_; }
  double applications() const { return applications_; }
  const StopRules& rules() const { return rules_; }

  /// Allows `more` further iterations; a run that had ended by its count or a rule goes on, and
  /// that rule is lifted.
  void extend(int more);

  const PartOfIteration& part() const { return part_; }
  /// Goes on within the iteration that another run of the same solver was in, whose state the
  /// solver has been given. Before advance(). The products of the set-up are not counted: that run
  /// had counted its own.
  void go_on_within(const PartOfIteration& part) {
    part_ = part;
    applications_ = 0;
  }

 private:
  void do_step();
  void measure_residual();
  void decide(const IterationReport& report, bool exhausted);
  template <class Work>
  void timed(const Work& work);

  Solver& solver_;
  const LinearOperator& A_;
  const Array& b_;
  StopRules rules_;
  int iteration_ = 0;
  double seconds_ = 0, applications_ = 0;
  PartOfIteration part_;
  Array residual_;  // rays; empty until wanted
  StopReason reason_ = StopReason::none;
};

/// Runs to the end, telling observers of each iteration; a stop request is honoured between steps.
StopReason run(Solver& solver, const Problem& problem, const StopRules& rules,
               std::span<SolverObserver* const> observers, const std::stop_token& stop = {});

}  // namespace gantry
