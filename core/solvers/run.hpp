#pragma once

#include "core/solvers/solver.hpp"

#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace gantry {

/// The result of one iteration (a pass over all views), summed over its steps.
struct IterationReport {
  int iteration = 0;         ///< 1 for the first
  double residual_norm = 0;  ///< root of the summed squares of its steps' residual norms
  double update_norm = 0;    ///< likewise
  double applications = 0;   ///< of A or A^T since the start, set-up included
  double seconds = 0;        ///< spent in steps and set-up since the start
  /// ||b - A x|| of the iterate after the iteration; NaN if no rule needs it and the method does
  /// not know it.
  double exact_residual_norm = std::numeric_limits<double>::quiet_NaN();
  /// The objective at the iterate after the iteration; NaN if the method has none, or would need
  /// the residual, which no rule needs.
  Objective objective = {};
};

/// When a run ends: after `iterations`, or as soon as one of the other rules holds. A rule of 0 is
/// off. The rules on the residual need ||A x - b|| of the iterate itself. If the method does not
/// know it, as no method through subsets does, each iteration costs one more product with A, which
/// is counted.
struct StopRules {
  int iterations = 50;           ///< at most this many
  double relative_update = 0;    ///< ||x_k+1 - x_k|| <= this ||x_k+1||
  double relative_residual = 0;  ///< ||A x - b|| <= this ||b||
  /// |Phi_k - Phi_k+1| <= this |Phi_k+1|, for methods that have an objective Phi. Those that know
  /// it from the residual alone need that of the iterate, as the rules on the residual do.
  double relative_objective = 0;
  /// Morozov's discrepancy principle, Soviet Math. Dokl. 7 (1966) 414: ||A x - b|| <= this
  /// ||noise||. A smaller residual would mean that the image fits the noise.
  double discrepancy = 0;
  double noise_norm = 0;  ///< ||noise||, for the discrepancy principle

  bool ask_for_residual() const { return relative_residual > 0 || discrepancy > 0; }
};

/// Throws UsageError for a discrepancy rule without the norm of the noise.
void require_possible(const StopRules& rules);

/// The usual factor of the discrepancy principle. It is a little above one, since the residual of
/// the best image is not exactly the norm of the noise.
constexpr double usual_discrepancy = 1.02;

enum class StopReason {
  none,
  iterations,
  converged,
  fitted,
  noise_level,
  settled,
  exhausted,
  diverged,
  stopped
};
/// "all iterations done", "stopped at the noise level: ..."
std::string describe(StopReason reason);
/// Whether the reason is one of the rules that end a run before its last iteration.
bool is_rule(StopReason reason);
/// Returns the rules without the one that `rule` names; unchanged if the reason is not a rule.
StopRules without(StopRules rules, StopReason rule);

/// The completed part of the iteration under way.
struct PartOfIteration {
  int steps = 0;
  double residual_square = 0;  ///< over these steps, see StepReport::uses_all_rays
  double update_square = 0;    ///< summed over these steps
  StepReport last;             ///< of the last of these steps
  bool is_complete = false;    ///< all steps are done; the residual may still have to be computed
};

class SolverObserver {
 public:
  virtual ~SolverObserver() = default;
  virtual void on_iteration(const IterationReport& report, const Solver& solver) = 0;
};

/// Runs a solver step by step: counts, measures time and decides when to stop.
class SolverRun {
 public:
  /// Initialises the solver, whose time and products are counted. References must outlive the run.
  /// Throws UsageError as require_possible() does, and for a rule on the objective if the method
  /// reports none.
  SolverRun(Solver& solver, const Problem& problem, const StopRules& rules);

  /// Makes one step. Returns a report if it completed an iteration. Throws Interrupted, after which
  /// it can be called again.
  std::optional<IterationReport> advance();

  bool finished() const { return reason_ != StopReason::none; }
  StopReason reason() const { return reason_; }
  int iterations() const { return iteration_; }
  int steps_into_iteration() const { return part_.steps; }
  double seconds() const { return seconds_; }
  double applications() const { return applications_; }
  const StopRules& rules() const { return rules_; }

  /// Allows `more` further iterations. A run that ended by its number of iterations or by a rule
  /// continues; that rule no longer applies.
  void extend(int more);

  /// Returns a note if the objective, which the method should lower, has been far above what it had
  /// been before, or is above that of a zero image; else an empty text.
  std::string objective_note() const;

  const PartOfIteration& part() const { return part_; }
  /// Continues within an iteration that another run of the same solver had begun; the solver must
  /// have been given that run's state. To be called before advance(). The products of the set-up
  /// are not counted, since the other run has counted them.
  void continue_iteration(const PartOfIteration& part) {
    part_ = part;
    applications_ = 0;
  }

 private:
  void do_step();
  bool objective_takes_residual() const;
  bool needs_residual() const;
  void measure_residual();
  Objective objective(bool is_measured) const;
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
  // Phi before the iteration under way, for its rule; nothing if that began in another run.
  std::optional<double> last_objective_;
  // Of a zero image, and the least of this run: at its start, if the method knows it there without
  // a product, and after its iterations. Nothing if it has none.
  double zero_objective_ = 0;
  std::optional<double> least_objective_;
  double rise_ = 1;  // the largest ratio of an objective to the least before it
  StopReason reason_ = StopReason::none;
};

/// Runs to the end and reports each iteration to the observers. A stop request takes effect between
/// steps.
StopReason run(Solver& solver, const Problem& problem, const StopRules& rules,
               std::span<SolverObserver* const> observers, const std::stop_token& stop = {});

}  // namespace gantry
