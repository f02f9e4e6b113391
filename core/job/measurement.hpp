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

/// Returns every metric of the catalogue for which the pair holds the required images, in the order
/// of the catalogue.
std::vector<MeasuredMetric> measure(const Catalog& catalog, const ImagePair& pair);

}  // namespace gantry
