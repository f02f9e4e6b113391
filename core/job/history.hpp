#pragma once

#include "core/solvers/run.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace gantry {

/// One iteration of a run as the charts and the log show it.
struct HistoryEntry {
  IterationReport report;
  double exact_residual =
      std::numeric_limits<double>::quiet_NaN();  ///< of the iterate, if requested
  double data_norm =
      std::numeric_limits<double>::quiet_NaN();  ///< ||b||; NaN in files of earlier versions
  std::map<std::string, double> metrics;         ///< by metric key; those that could be computed
  std::size_t stage = 0;    ///< the stage of the run that made the iteration: see RunSpec::stages
  bool is_measured = true;  ///< false: the metrics were skipped to save time
  std::map<std::string, std::string> problems;  ///< why a metric is no number, or only a limit

  /// Returns ||b - A x|| / ||b||: of the iterate where that was requested, else of the estimate
  /// that the iteration started from. NaN if it is not known.
  double relative_residual() const {
    return (std::isnan(exact_residual) ? report.residual_norm : exact_residual) / data_norm;
  }
};

/// Metrics of an image, by their keys.
struct ImageMetrics {
  std::map<std::string, double> values;
  std::map<std::string, std::string> problems;  ///< why a metric is no number, or only a limit
};

/// Replaces those metrics of an entry that were taken again.
inline void take(const ImageMetrics& metrics, HistoryEntry& entry) {
  for (const auto& [key, value] : metrics.values) {
    entry.metrics[key] = value;
    entry.problems.erase(key);
  }
  for (const auto& [key, problem] : metrics.problems) entry.problems[key] = problem;
}

}  // namespace gantry
