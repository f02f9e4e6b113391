#include "core/worker/sweep/race.hpp"

#include "core/catalog/projector_choice.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

std::vector<double> values_of(const Criterion& criterion, const TrialResult& result) {
  std::vector<double> values;
  for (const HistoryEntry& entry : result.history) values.push_back(criterion.value(entry));
  return values;
}

}  // namespace

std::vector<RunSpec> race_entrants(const std::vector<RunSpec>& runs, const ScanGeometry& scan,
                                   int iterations, const Catalog& catalog) {
  std::vector<RunSpec> entrants = runs;
  for (RunSpec& run : entrants) run.clear_history();
  for (const auto& method : catalog.solvers.entries()) {
    const bool is_there = std::ranges::find(runs, method.key, [](const RunSpec& run) {
                            return run.solver;
                          }) != runs.end();
    if (is_there || method.is_for_studies() || method.traits.is_direct ||
        !method.traits.scans.include(scan))
      continue;
    RunSpec run;
    run.solver = method.key;
    run.projector = suitable_projector(catalog, host_key, scan, run.projector);
    run.iterations = iterations;
    entrants.push_back(run);
  }
  return entrants;
}

void race(const Race& race, const std::shared_ptr<const ExperimentData>& data, Trials trials,
          const std::function<void(std::size_t, TrialResult)>& tell,
          const std::function<void(std::size_t, int)>& follow) {
  for (std::size_t i = 0; i < race.runs.size(); ++i)
    tell(i, trials.compute(race.runs[i], data, [&](const HistoryEntry& entry) {
      if (follow) follow(i, entry.report.iteration);
      return race.level && race.criterion.is_at_level(race.criterion.value(entry), *race.level);
    }));
}

std::optional<double> level_near_best(std::span<const double> values, bool smaller_is_better,
                                      double within) {
  std::optional<double> best;
  for (const double value : values)
    if (std::isfinite(value))
      best = !best ? value : smaller_is_better ? std::min(*best, value) : std::max(*best, value);
  if (!best || !(*best > 0)) return std::nullopt;
  return smaller_is_better ? *best * (1 + within) : *best / (1 + within);
}

std::optional<double> level_of(const Race& race, const std::vector<TrialResult>& results) {
  if (race.level) return race.level;
  std::vector<double> all;
  for (const TrialResult& result : results)
    for (const double value : values_of(race.criterion, result)) all.push_back(value);
  return level_near_best(all, race.criterion.smaller_is_better, near_best);
}

std::vector<Arrival> arrivals(const Criterion& criterion, double level,
                              const std::vector<TrialResult>& results) {
  std::vector<Arrival> all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    Arrival arrival{i, std::nullopt};
    const std::vector<double> values = values_of(criterion, results[i]);
    if (const auto first = first_at_level(values, level, criterion.smaller_is_better))
      arrival.entry = results[i].history[*first];
    all.push_back(std::move(arrival));
  }
  std::ranges::stable_sort(all, [](const Arrival& a, const Arrival& b) {
    return a.entry && (!b.entry || a.entry->report.seconds < b.entry->report.seconds);
  });
  return all;
}

}  // namespace gantry
