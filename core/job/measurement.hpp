#pragma once

#include "core/catalog/catalog.hpp"

#include <string>
#include <vector>

namespace gantry {

/// One metric of one image.
struct MeasuredMetric {
  std::string key, label, unit;
  MetricNeeds needs;
  MetricValue value;
};

/// Every metric of the catalogue for which the pair holds what it looks at, in that order.
std::vector<MeasuredMetric> measure(const Catalog& catalog, const ImagePair& pair);

}  // namespace gantry
