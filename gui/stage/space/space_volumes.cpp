#include "gui/stage/space/space_volumes.hpp"

#include "gui/stage/slice_tile.hpp"

#include <utility>

namespace gantry {

namespace {

constexpr std::size_t cut_at_once = 1 << 24;  // voxels of a volume that is cut in milliseconds

}  // namespace

SpaceVolumes::SpaceVolumes(RunController& controller, const Playhead& playhead, QObject* parent)
    : QObject(parent), controller_(controller), playhead_(playhead) {
  connect(&controller_, &RunController::dataChanged, this, [this] {
    asked_.clear();
    cuts_.clear();
    shown_.clear();
  });
}

SpaceVolumes::Values SpaceVolumes::of(int id) const {
  if (id == SliceTile::referenceId) {
    const auto reference = controller_.reference();
    return reference == nullptr ? nullptr : Values(reference, &reference->mu());
  }
  const RunStatus& run = controller_.status(id);
  const KeptIterate* kept = playhead_.iterateOf(run);
  if (kept == nullptr && run.iterates != nullptr && !run.iterates->empty())
    kept = &run.iterates->back();
  if (kept != nullptr) {
    Shown& shown = shown_[id];
    if (shown.of != kept->progress) shown = {kept->progress, kept->image()};
    return shown.values;
  }
  const auto found = asked_.find(id);
  return found == asked_.end() || run.snapshot == nullptr ? nullptr : found->second.values;
}

void SpaceVolumes::ask(int id) {
  const RunStatus& run = controller_.status(id);
  const bool keeps = run.iterates != nullptr && !run.iterates->empty();
  if (id == SliceTile::referenceId || keeps || run.snapshot == nullptr) return;
  const RunSnapshot& now = *run.snapshot;
  Asked& asked = asked_[id];
  const bool is_of_this_start = asked.epoch == run.epoch;
  // Requests to an earlier start of a run are never answered.
  if (is_of_this_start && (asked.waits || (asked.iterations == now.iterations &&
                                           asked.part_of_iteration == now.part_of_iteration)))
    return;
  asked = {run.epoch, now.iterations, now.part_of_iteration, true, std::move(asked.values)};
  controller_.requestVolume(id, [this, id](const Values& mu, int) {
    asked_[id].waits = false;
    asked_[id].values = mu;
    emit arrived();
  });
}

std::shared_ptr<const SliceImage> SpaceVolumes::cut(int id, const VolumeGrid& grid,
                                                    const Values& values,
                                                    const ObliquePlane& plane) {
  if (values == nullptr || values->size() != grid.voxels()) return nullptr;  // of earlier data
  Cut& known = cuts_[id];
  if (known.of == values && known.plane == plane) return known.image;
  if (grid.voxels() <= cut_at_once) {
    keepCut(id, values, plane, oblique_slice(grid, *values, plane));
    return known.image;
  }
  if (known.job == nullptr) known.job = std::make_unique<LatestJob>();
  // While a cut is made, the plane may turn further; the new plane is cut after arrived().
  if (!known.job->isBusy())
    known.job->start<SliceImage>(
        [grid, values, plane](const Interrupt&) { return oblique_slice(grid, *values, plane); },
        [this, id, values, plane](SliceImage image) {
          keepCut(id, values, plane, std::move(image));
          emit arrived();
        },
        [this](const QString& message) { emit failed(message); });
  return known.image;
}

void SpaceVolumes::keepCut(int id, const Values& of, const ObliquePlane& plane, SliceImage image) {
  Cut& known = cuts_[id];
  known.of = of;
  known.plane = plane;
  known.image = std::make_shared<const SliceImage>(std::move(image));
}

}  // namespace gantry
