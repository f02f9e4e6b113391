#pragma once

#include "core/solvers/solver.hpp"

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
};

struct StopRules {
  int iterations = 50;  ///< at most this many
  double relative_update =
      0;  ///< stop when ||x_k+1 - x_k|| falls below this fraction of ||x_k+1||; 0: never
};

enum class StopReason { none, iterations, converged, exhausted, diverged, stopped };
/// "50 iterations done", "diverged: ..."
std::string describe(StopReason reason);

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
  /// run.
  SolverRun(Solver& solver, const Problem& problem, const StopRules& rules);

  /// One step. A report when it completed an iteration. Passes on Interrupted, and can then be
  /// called again.
  std::optional<IterationReport> advance();

  bool finished() const { return reason_ != StopReason::none; }
  StopReason reason() const { return reason_; }
  int iterations() const { return iteration_; }
  int steps_into_iteration() const { return step_; }
  double seconds() const { return seconds_; }
  double applications() const { return applications_; }
  const StopRules& rules() const { return rules_; }

  /// Allows `more` further iterations; a run that had ended by its count goes on.
  void extend(int more);

 private:
  void decide(double update_norm, bool exhausted);

  Solver& solver_;
  const LinearOperator& A_;
  StopRules rules_;
  int iteration_ = 0, step_ = 0;
  double residual_square_ = 0, update_square_ = 0, seconds_ = 0, applications_ = 0;
  StopReason reason_ = StopReason::none;
};

/// Runs to the end, telling observers of each iteration; a stop request is honoured between steps.
StopReason run(Solver& solver, const Problem& problem, const StopRules& rules,
               std::span<SolverObserver* const> observers, const std::stop_token& stop = {});

}  // namespace gantry
