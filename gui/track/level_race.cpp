#include "gui/track/level_race.hpp"

#include "core/worker/sweep/race.hpp"

#include <algorithm>

namespace gantry {

std::optional<LevelRace> race_to_level(const std::vector<LevelCurve>& curves,
                                       bool smaller_is_better, double within) {
  std::vector<double> all;
  for (const LevelCurve& curve : curves) all.insert(all.end(), curve.ys.begin(), curve.ys.end());
  const auto level = level_near_best(all, smaller_is_better, within);
  if (!level) return std::nullopt;
  LevelRace race;
  race.level = *level;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const LevelCurve& curve = curves[i];
    LevelRace::Arrival arrival{i, std::nullopt};
    if (const auto first = first_at_level(curve.ys, race.level, smaller_is_better))
      arrival.x = curve.xs[*first];
    race.arrivals.push_back(arrival);
  }
  std::ranges::stable_sort(
      race.arrivals, [](const auto& a, const auto& b) { return a.x && (!b.x || *a.x < *b.x); });
  return race;
}

}  // namespace gantry
