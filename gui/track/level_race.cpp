#include "gui/track/level_race.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

std::optional<LevelRace> race_to_level(const std::vector<LevelCurve>& curves,
                                       bool smaller_is_better, double within) {
  std::optional<double> best;
  for (const LevelCurve& curve : curves)
    for (const double y : curve.ys)
      if (std::isfinite(y))
        best = !best ? y : smaller_is_better ? std::min(*best, y) : std::max(*best, y);
  if (!best || !(*best > 0)) return std::nullopt;
  LevelRace race;
  race.level = smaller_is_better ? *best * (1 + within) : *best / (1 + within);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const LevelCurve& curve = curves[i];
    const auto first = std::ranges::find_if(curve.ys, [&](double y) {
      return std::isfinite(y) && (smaller_is_better ? y <= race.level : y >= race.level);
    });
    LevelRace::Arrival arrival{i, std::nullopt};
    if (first != curve.ys.end())
      arrival.x = curve.xs[static_cast<std::size_t>(first - curve.ys.begin())];
    race.arrivals.push_back(arrival);
  }
  std::ranges::stable_sort(
      race.arrivals, [](const auto& a, const auto& b) { return a.x && (!b.x || *a.x < *b.x); });
  return race;
}

}  // namespace gantry
