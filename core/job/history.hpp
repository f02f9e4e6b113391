#pragma once

#include "core/solvers/run.hpp"

#include <limits>
#include <map>
#include <string>

namespace gantry {

/// One iteration of a run as the charts and the log show it.
struct HistoryEntry {
  IterationReport report;
  double exact_residual =
      std::numeric_limits<double>::quiet_NaN();  ///< of the iterate, if requested
  std::map<std::string, double> metrics;         ///< by metric key; those that could be computed
  std::size_t stage = 0;    ///< the stage of the run that made the iteration: see RunSpec::stages
  bool is_measured = true;  ///< false: the metrics were skipped to save time
  std::map<std::string, std::string> problems;  ///< why a metric is no number, or only a limit
};

}  // namespace gantry
