#pragma once

#include "core/job/history.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry::test {

/// Equal to the last bit in all but the time that it took.
inline bool same_numbers(const HistoryEntry& a, const HistoryEntry& b) {
  const bool both_absent = std::isnan(a.exact_residual) && std::isnan(b.exact_residual);
  return a.report.iteration == b.report.iteration &&
         a.report.residual_norm == b.report.residual_norm &&
         a.report.update_norm == b.report.update_norm && a.metrics == b.metrics &&
         std::abs(a.report.applications - b.report.applications) < 1e-9 &&
         (both_absent || a.exact_residual == b.exact_residual);
}

inline bool same_history(const std::vector<HistoryEntry>& a, const std::vector<HistoryEntry>& b) {
  return std::ranges::equal(a, b, same_numbers);
}

}  // namespace gantry::test
