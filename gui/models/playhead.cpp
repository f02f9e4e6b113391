#include "gui/models/playhead.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

double progress_along(ProgressAxis axis, const RunProgress& progress) {
  switch (axis) {
    case ProgressAxis::applications:
      return progress.applications;
    case ProgressAxis::seconds:
      return progress.seconds;
    case ProgressAxis::iterations:
      break;
  }
  return progress.iterations;
}

void Playhead::set(ProgressAxis axis, double position) {
  if (axis == axis_ && position_ == position) return;
  axis_ = axis;
  position_ = position;
  emit moved();
}

void Playhead::setAxis(ProgressAxis axis, const RunStatus& run) {
  if (axis == axis_) return;
  const KeptIterate* shown = iterateOf(run);
  axis_ = axis;
  if (!position_) return;
  if (shown == nullptr) return goLive();
  position_ = progress_along(axis, *shown->progress);
  emit moved();
}

void Playhead::goLive() {
  if (std::exchange(position_, std::nullopt)) emit moved();
}

const KeptIterate* Playhead::iterateOf(const RunStatus& run) const {
  if (!position_ || run.iterates == nullptr || run.iterates->empty()) return nullptr;
  const IterateList& kept = *run.iterates;
  const auto beyond = std::ranges::upper_bound(kept, *position_, {}, [&](const KeptIterate& one) {
    return progress_along(axis_, *one.progress);
  });
  return beyond == kept.begin() ? &kept.front() : &*std::prev(beyond);
}

void Playhead::step(const RunStatus& run, int iterates) {
  if (run.iterates == nullptr || run.iterates->empty()) return;
  const IterateList& kept = *run.iterates;
  const auto last = static_cast<std::ptrdiff_t>(kept.size()) - 1;
  const KeptIterate* now = iterateOf(run);
  // Live is one step after the last kept iterate.
  const std::ptrdiff_t at = (now != nullptr ? now - kept.data() : last + 1) + iterates;
  if (at > last) return goLive();
  set(axis_, progress_along(
                 axis_, *kept[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at))].progress));
}

}  // namespace gantry
