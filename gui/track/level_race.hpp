#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// The curve of a run: a quantity that measures success over iterations, products or seconds.
struct LevelCurve {
  std::string label;
  std::vector<double> xs, ys;
};

/// When the runs first reached a common level of the quantity.
struct LevelRace {
  struct Arrival {
    std::size_t curve = 0;    ///< index into the curves
    std::optional<double> x;  ///< of the first value at or beyond the level; none: not reached
  };
  double level = 0;
  std::vector<Arrival> arrivals;  ///< one per curve: by rising x, then those that did not arrive
};

/// Returns the race to the level that lies within a fraction of the best value of all curves:
/// (1 + within) times the smallest value, or the largest over (1 + within) where larger values are
/// better. Values that are not finite do not count. Returns none without a positive best value.
std::optional<LevelRace> race_to_level(const std::vector<LevelCurve>& curves,
                                       bool smaller_is_better, double within);

}  // namespace gantry
