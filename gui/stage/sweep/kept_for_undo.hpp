#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/job/experiment_data.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace gantry {

/// Returns the memory, in bytes, of the data of an experiment, without the geometry.
inline std::size_t bytes_of(const ExperimentData& data) {
  const std::size_t values = data.line_integrals.size() +
                             (data.reference != nullptr ? data.reference->mu().size() : 0) +
                             (data.volume != nullptr ? data.volume->mu.size() : 0);
  return values * sizeof(float);
}

/// Returns the computing time of results, seconds, without that for their data.
template <class Results>
double seconds_of(const Results& results) {
  return std::transform_reduce(results.begin(), results.end(), 0.0, std::plus<>(),
                               [](const auto& one) { return one.last().report.seconds; });
}

/// Keeps results that were computed beside the runs (sweeps, races) on former data. When undo leads
/// back to these data, the results are shown again. Holds at most setMostBytes() bytes; the oldest
/// results are dropped first. `Shown` must have a member `data`.
template <class Shown>
class KeptForUndo {
 public:
  void setMostBytes(std::size_t most) { most_ = most; }
  bool fits(std::size_t bytes) const { return bytes <= most_; }
  /// Keeps results; does nothing if they alone exceed the limit.
  void put(Shown shown, std::size_t bytes) {
    if (!fits(bytes)) return;
    const auto held = [this] {
      return std::transform_reduce(kept_.begin(), kept_.end(), std::size_t{0}, std::plus<>(),
                                   [](const Kept& kept) { return kept.bytes; });
    };
    while (!kept_.empty() && held() + bytes > most_) kept_.erase(kept_.begin());
    kept_.push_back({std::move(shown), bytes});
  }
  bool holds(const ExperimentData* data) const { return find(data) != kept_.end(); }
  /// Removes and returns the latest results on these data.
  std::optional<Shown> take(const ExperimentData* data) {
    const auto found = find(data);
    if (found == kept_.end()) return std::nullopt;
    const auto place = kept_.begin() + (found - kept_.begin());
    Shown shown = std::move(place->shown);
    kept_.erase(place);
    return shown;
  }
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    Shown shown;
    std::size_t bytes;
  };
  auto find(const ExperimentData* data) const {
    const auto last = std::find_if(kept_.rbegin(), kept_.rend(), [data](const Kept& kept) {
      return kept.shown.data.get() == data;
    });
    return last == kept_.rend() ? kept_.end() : std::prev(last.base());
  }

  std::vector<Kept> kept_;  // oldest first
  std::size_t most_ = std::size_t{1} << 30;
};

}  // namespace gantry
