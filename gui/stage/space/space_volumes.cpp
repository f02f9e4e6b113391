#include "gui/stage/space/space_volumes.hpp"

#include "gui/stage/slice_tile.hpp"

namespace gantry {

SpaceVolumes::SpaceVolumes(RunController& controller, const Playhead& playhead, QObject* parent)
    : QObject(parent), controller_(controller), playhead_(playhead) {
  connect(&controller_, &RunController::dataChanged, this, [this] {
    asked_.clear();
    waiting_.clear();
    cuts_.clear();
    shown_.clear();
  });
}

SpaceVolumes::Values SpaceVolumes::of(int id) const {
  if (id == SliceTile::referenceId) {
    const auto reference = controller_.reference();
    return reference == nullptr ? nullptr : Values(reference, &reference->mu);
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
  return found == asked_.end() || run.snapshot == nullptr ? nullptr : found->second;
}

void SpaceVolumes::ask(int id) {
  const RunStatus& run = controller_.status(id);
  const bool keeps = run.iterates != nullptr && !run.iterates->empty();
  if (id == SliceTile::referenceId || keeps || run.snapshot == nullptr || waiting_[id]) return;
  waiting_[id] = true;
  controller_.requestVolume(id, [this, id](const Values& mu, int) {
    waiting_[id] = false;
    asked_[id] = mu;
    emit arrived();
  });
}

std::shared_ptr<const SliceImage> SpaceVolumes::cut(int id, const VolumeGrid& grid,
                                                    const Values& values,
                                                    const ObliquePlane& plane) {
  if (values == nullptr || values->size() != grid.voxels()) return nullptr;  // of earlier data
  Cut& known = cuts_[id];
  if (known.of != values || known.plane != plane)
    known = {values, plane,
             std::make_shared<const SliceImage>(oblique_slice(grid, *values, plane))};
  return known.image;
}

}  // namespace gantry
