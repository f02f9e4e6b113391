#pragma once

#include "core/job/history.hpp"

#include <string>
#include <vector>

namespace gantry {

/// The curves of a run and the description of how they were made.
struct CurveSet {
  std::string label;        ///< of the run
  std::string description;  ///< algorithm and parameters
  std::vector<HistoryEntry> history;
};

/// Returns "metrics of 12 of 50 iterations" if a run left some out, else an empty text.
std::string describe_measured(const std::vector<HistoryEntry>& history);

/// Returns the curves of several runs as CSV: comment lines (# ...) with the runs' descriptions, a
/// header, then a line per run and iteration. If a run continued with other settings, a column
/// gives the number of the stage that made the iteration (1: the first); the run's description
/// lists the stages. Numbers have full precision and a decimal point in every locale; missing
/// values are empty.
std::string curves_csv(const std::vector<CurveSet>& curves,
                       const std::vector<std::string>& comments);

}  // namespace gantry
