#include "core/worker/sweep/criterion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

std::vector<Criterion> criteria(const Catalog& catalog) {
  std::vector<Criterion> all;
  for (const auto& entry : catalog.metrics.entries()) {
    const auto metric = entry.make("any", {});
    all.push_back({entry.label, metric->unit(), entry.help(), metric->smaller_is_better(),
                   metric->needs(), [key = entry.key](const HistoryEntry& e) {
                     const auto found = e.metrics.find(key);
                     return found == e.metrics.end() ? std::numeric_limits<double>::quiet_NaN()
                                                     : found->second;
                   }});
  }
  all.push_back({"Residual", "", "‖b − A x‖ / ‖b‖, of the estimate that the iteration started from",
                 true, std::nullopt, &HistoryEntry::relative_residual});
  return all;
}

std::size_t usual_criterion(const std::vector<Criterion>& all, bool has_reference) {
  const auto found = std::ranges::find_if(all, [&](const Criterion& one) {
    return has_reference ? one.needs == MetricNeeds::reference : !one.needs;
  });
  return found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
}

std::optional<std::size_t> first_at_level(std::span<const double> values, double level,
                                          bool smaller_is_better) {
  const auto found = std::ranges::find_if(values, [&](double value) {
    return std::isfinite(value) && (smaller_is_better ? value <= level : value >= level);
  });
  if (found == values.end()) return std::nullopt;
  return static_cast<std::size_t>(found - values.begin());
}

}  // namespace gantry
