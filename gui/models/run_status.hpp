#pragma once

#include "core/worker/job_worker.hpp"

#include <QString>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

namespace gantry {

/// Tells references apart, without keeping their images in memory: by image and mask.
struct ReferenceKey {
  std::weak_ptr<const std::vector<float>> image;  ///< empty: there is no reference
  MaskSpec mask;

  ReferenceKey() = default;
  explicit ReferenceKey(const Reference& reference)
      : image(reference.image), mask(reference.mask.spec) {}
  friend bool operator==(const ReferenceKey& a, const ReferenceKey& b) {
    return !a.image.owner_before(b.image) && !b.image.owner_before(a.image) && a.mask == b.mask;
  }
};

/// The window's copy of the state of a run, updated by the messages of the worker.
struct RunStatus {
  int epoch = 0;  ///< number of the latest start of the run
  /// The start that computed the first iteration; later starts up to `epoch` continued it.
  int first_epoch = 0;
  RunState state = RunState::idle;
  QString message;  ///< why the run failed or ended
  RunSpec started;  ///< the run as it was when it started
  /// The data with which the run computes; null if it was never started.
  std::shared_ptr<const ExperimentData> data;
  std::vector<HistoryEntry> history;
  std::shared_ptr<const RunSnapshot> snapshot;  ///< the latest snapshot of the worker

  /// The iterates that are kept; null or empty: none.
  std::shared_ptr<const IterateList> iterates;

  /// Against what iterations were measured, unless that is the data's own reference.
  std::map<int, ReferenceKey> measured_against;

  /// Notes against what the metrics of an iteration were computed.
  void setReference(int iteration, const std::shared_ptr<const Reference>& reference) {
    const ReferenceKey key = reference != nullptr ? ReferenceKey(*reference) : ReferenceKey();
    if (key == ownReference())
      measured_against.erase(iteration);
    else
      measured_against.insert_or_assign(iteration, key);
  }
  /// Returns whether metrics of an entry are against this reference.
  bool isAgainst(const ReferenceKey& reference, const HistoryEntry& entry) const {
    const auto found = measured_against.find(entry.report.iteration);
    return reference == (found != measured_against.end() ? found->second : ownReference());
  }

  bool wasStarted() const { return data != nullptr; }
  bool isActive() const { return state == RunState::running; }
  /// Returns whether the run has an estimate that can be shown and saved. A failed run keeps its
  /// estimate, unless its values have become infinite.
  bool hasEstimate() const {
    if (state == RunState::failed)
      return !history.empty() && std::isfinite(history.back().report.update_norm);
    return state != RunState::idle;
  }
  /// Returns whether there is an estimate of at least one whole iteration.
  bool hasResults() const { return !history.empty() && hasEstimate(); }
  /// Returns whether the run has computed anything that can be shown, if only a part of its first
  /// iteration.
  bool hasPicture() const {
    return !history.empty() ||
           (snapshot != nullptr && snapshot->iterations + snapshot->part_of_iteration > 0);
  }
  bool canContinue() const {
    return wasStarted() &&
           (state == RunState::paused || state == RunState::stopped || state == RunState::finished);
  }
  /// Returns the latest iteration whose metrics were measured; null if there is none.
  const HistoryEntry* lastMeasured() const {
    const auto found = std::find_if(history.rbegin(), history.rend(),
                                    [](const HistoryEntry& entry) { return entry.is_measured; });
    return found == history.rend() ? nullptr : &*found;
  }
  double secondsPerIteration() const {
    if (history.empty()) return 0;
    // The mean over the last iterations: set-up would make the first one seem slow.
    const std::size_t back = std::min<std::size_t>(history.size() - 1, 10);
    if (back == 0) return history.back().report.seconds;
    const auto& first = history[history.size() - 1 - back].report;
    return (history.back().report.seconds - first.seconds) / static_cast<double>(back);
  }

 private:
  ReferenceKey ownReference() const {
    return data != nullptr && data->reference != nullptr ? ReferenceKey(*data->reference)
                                                         : ReferenceKey();
  }
};

}  // namespace gantry
