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
      std::numeric_limits<double>::quiet_NaN();  ///< of the finished iterate, where asked for
  std::map<std::string, double> metrics;         ///< by metric key; those that could be taken
  std::size_t stage = 0;    ///< of the run, in which it was made: see RunSpec::stages
  bool is_measured = true;  ///< else the metrics were left out, so as not to slow the run
  std::map<std::string, std::string> problems;  ///< why a metric is no number, or only a limit
};

}  // namespace gantry
