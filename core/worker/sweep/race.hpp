#pragma once

#include "core/worker/sweep/criterion.hpp"
#include "core/worker/sweep/trial.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A comparison of several runs: which of them reaches a level of a criterion first.
struct Race {
  /// Each run computes until it reaches the level, or its iterations are over.
  std::vector<RunSpec> runs;
  Criterion criterion;
  /// The level. If none is set, all runs compute all their iterations, and the level is then 5 %
  /// from the best value of all (level_near_best()).
  std::optional<double> level;
};

/// Returns the runs that can race in an experiment: its own runs without their stages; then those
/// methods of the catalogue that none of these runs uses and that suit the scan, with their usual
/// settings, a projector that accepts the scan, and `iterations`. Direct methods and methods for
/// studies are left out.
std::vector<RunSpec> race_entrants(const std::vector<RunSpec>& runs, const ScanGeometry& scan,
                                   int iterations, const Catalog& catalog);

/// Computes the runs one after the other and passes on each result with the index of its run;
/// `follow` is called after each iteration. Throws Interrupted.
void race(const Race& race, const std::shared_ptr<const ExperimentData>& data, Trials trials,
          const std::function<void(std::size_t, TrialResult)>& tell,
          const std::function<void(std::size_t run, int iteration)>& follow = {});

/// The arrival of a run of a race at the level.
struct Arrival {
  std::size_t run = 0;
  std::optional<HistoryEntry> entry;  ///< of the first iteration at the level; none: not reached
};

/// Returns the level within a fraction of the best of several values: (1 + within) times the
/// smallest, or the largest over (1 + within) where larger values are better. Values that are not
/// finite do not count. Nothing without a positive best value.
std::optional<double> level_near_best(std::span<const double> values, bool smaller_is_better,
                                      double within);

constexpr double near_best = 0.05;

/// Returns the level of a race whose results are known: the level that was set, or the one near the
/// best value.
std::optional<double> level_of(const Race& race, const std::vector<TrialResult>& results);

/// Returns the arrivals at a level by rising seconds, then the runs that did not arrive.
std::vector<Arrival> arrivals(const Criterion& criterion, double level,
                              const std::vector<TrialResult>& results);

}  // namespace gantry
