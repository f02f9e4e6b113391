#pragma once

#include "core/job/job_worker.hpp"

#include <QString>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace gantry {

/// What a run has come to: the window's memory of it.
struct RunStatus {
  int epoch = 0;  ///< of its latest start
  RunState state = RunState::idle;
  QString message;                             ///< why it failed or ended
  RunSpec started;                             ///< as it was when it started
  std::shared_ptr<const ExperimentData> data;  ///< on which it was started; null: never
  std::vector<HistoryEntry> history;
  std::shared_ptr<const RunSnapshot> snapshot;  ///< latest look

  bool wasStarted() const { return data != nullptr; }
  bool isActive() const { return state == RunState::running; }
  /// A run whose new settings could not work keeps its estimate; one whose values ran away has none
  /// worth keeping.
  bool hasEstimate() const {
    if (state == RunState::failed)
      return !history.empty() && std::isfinite(history.back().report.update_norm);
    return state != RunState::idle;
  }
  bool canContinue() const {
    return wasStarted() &&
           (state == RunState::paused || state == RunState::stopped || state == RunState::finished);
  }
  /// The latest iteration whose metrics were not left out; null where there is none.
  const HistoryEntry* lastMeasured() const {
    const auto found = std::find_if(history.rbegin(), history.rend(),
                                    [](const HistoryEntry& entry) { return entry.is_measured; });
    return found == history.rend() ? nullptr : &*found;
  }
  double secondsPerIteration() const {
    if (history.empty()) return 0;
    // Over the last few iterations: set-up would make the first one look slow.
    const std::size_t back = std::min<std::size_t>(history.size() - 1, 10);
    if (back == 0) return history.back().report.seconds;
    const auto& first = history[history.size() - 1 - back].report;
    return (history.back().report.seconds - first.seconds) / static_cast<double>(back);
  }
};

}  // namespace gantry
