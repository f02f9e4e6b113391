#include "core/job/measurement.hpp"

namespace gantry {

std::vector<MeasuredMetric> measure(const Catalog& catalog, const ImagePair& pair) {
  std::vector<MeasuredMetric> all;
  for (const auto& entry : catalog.metrics.entries()) {
    const auto metric = entry.make("any", {});
    if (metric->applies_to(pair))
      all.push_back(
          {entry.key, metric->label(), metric->unit(), metric->needs(), metric->measure(pair)});
  }
  return all;
}

}  // namespace gantry
