#pragma once

#include "core/job/history.hpp"

#include <string>
#include <vector>

namespace gantry {

/// One run's curves and how they were made.
struct CurveSet {
  std::string label;        ///< of the run
  std::string description;  ///< algorithm and parameters
  std::vector<HistoryEntry> history;
};

/// "metrics of 12 of 50 iterations" of a run that left some out; else empty.
std::string describe_measured(const std::vector<HistoryEntry>& history);

/// Curves of several runs as CSV: comment lines (# ...) that say how they were made, a header, then
/// a line per run and iteration. Where a run went on with other settings, a column says which of
/// its stages made an iteration, 1 the first: the run's description lists them. Numbers have full
/// precision and a point, whatever the locale; a value that was not taken is empty.
std::string curves_csv(const std::vector<CurveSet>& curves,
                       const std::vector<std::string>& comments);

}  // namespace gantry
