#pragma once

#include "core/catalog/catalog.hpp"
#include "core/job/history.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// A number by which iterates are compared: a metric of the catalogue, or the residual, which every
/// run has.
struct Criterion {
  std::string label, unit, help;
  bool smaller_is_better = true;
  /// The needs of a metric; empty for the residual, which does not measure the quality of an image:
  /// a small residual fits the noise of the data, too.
  std::optional<MetricNeeds> needs;
  std::function<double(const HistoryEntry&)> value;  ///< NaN where it is not known

  bool is_at_level(double reached, double level) const {
    return smaller_is_better ? reached <= level : reached >= level;
  }
};

/// Returns the metrics in the order of the catalogue, then the residual.
std::vector<Criterion> criteria(const Catalog& catalog);

/// Returns the index of the default criterion: the first metric against a reference if there is a
/// reference, else the residual.
std::size_t usual_criterion(const std::vector<Criterion>& all, bool has_reference);

/// Returns the index of the first value at a level or beyond it; nothing if none reaches it. Values
/// that are not finite do not count.
std::optional<std::size_t> first_at_level(std::span<const double> values, double level,
                                          bool smaller_is_better);

}  // namespace gantry
