// What the views of the workspace Space show.
#include "charts/run_colours.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "gui/stage/plane_lines.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/volume_view.hpp"
#include "gui/widgets/length_units.hpp"
#include "gui/worker/volume_look.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr Rgb obliqueColour = rgb(0xFFD23F);
constexpr std::array planeNames = {QT_TRANSLATE_NOOP("gantry::SpaceBoard", "Axial"),
                                   QT_TRANSLATE_NOOP("gantry::SpaceBoard", "Coronal"),
                                   QT_TRANSLATE_NOOP("gantry::SpaceBoard", "Sagittal")};

}  // namespace

/// Returns whether one slice of a volume is reconstructed, so that the file has more to show.
bool SpaceBoard::looksAtFile() const {
  const auto now = controller_.data();
  return now != nullptr && now->grid.nz == 1 && now->source_slices > 1;
}

/// Shows the file once all of it has been read.
void SpaceBoard::adoptFile() {
  if (!looksAtFile() || look_.volume() == file_) return;
  if (!look_.shows(model_.experiment().source)) return;
  if (isVisible()) look_.start();
  file_ = look_.volume();
  if (file_ == nullptr) return;
  setGrid(file_->grid);
}

void SpaceBoard::adoptData() {
  const auto prepared = controller_.data();
  adopted_ = prepared;
  radiological_ = prepared->radiological;
  for (const Axis axis : plane_axes) {
    plane(axis).setVUp(!(radiological_ && axis == Axis::axial));
    plane(axis).setEdgeLetters(letters_for(axis, radiological_));
    plane(axis).setLengthsAreKnown(prepared->lengths_are_known);
  }
  oblique_->setVUp(!radiological_);
  oblique_->setLengthsAreKnown(prepared->lengths_are_known);
  tools_->setLengthUnit(length_unit(prepared->lengths_are_known));
  volume_->setMuWater(controller_.muWater());
  tools_->setPreset(QString::fromStdString(first_transfer_preset(radiological_)));
  volume_->setPreset(tools_->preset().toStdString());
  tools_->offerRuns(looksAtFile() ? tr("One slice of this volume is reconstructed: choose all "
                                       "slices in the step Data to compare runs in space")
                                  : QString());
  arrange();
  file_.reset();
  setGrid(prepared->grid);
  adoptFile();
}

/// Begins with another volume: at its middle, or at the point that was shown if it is the same.
void SpaceBoard::setGrid(const VolumeGrid& grid) {
  grid_ = grid;
  for (SliceView* view : {planes_[0], planes_[1], planes_[2], oblique_}) {
    view->setImage(nullptr);
    view->fit();
  }
  runs_->fit();
  tools_->setGrid(grid);
  // With data on the same grid, the clip box is kept.
  if (volume_->volume().volume().whole == grid)
    tools_->setClip(hiddenClip_.value_or(volume_->volume().box()));
  else
    hiddenClip_.reset();
  place({grid_.nx / 2, grid_.ny / 2, grid_.nz / 2});
  followVolumePoint();
}

/// Goes to the point of the volume that was shown in another workspace.
void SpaceBoard::followVolumePoint() {
  if (state_.volumePoint() && look_.shows(model_.experiment().source))
    place(voxel_near(grid_, *state_.volumePoint()));
}

/// Returns the run that is shown, or the reference.
int SpaceBoard::subject() const {
  return controller_.status(run_).snapshot != nullptr ? run_ : SliceTile::referenceId;
}

/// Returns the reference and all runs.
std::vector<int> SpaceBoard::subjects() const {
  std::vector<int> all;
  if (controller_.reference() != nullptr) all.push_back(SliceTile::referenceId);
  for (const int id : model_.runIds()) all.push_back(id);
  return all;
}

std::string SpaceBoard::titleOf(int id) const {
  return id == SliceTile::referenceId ? tr("Reference").toStdString() : controller_.label(id);
}

/// Returns the quick reconstruction that is shown where there is no image: in the place of the
/// estimate of a run that has not been started, or of the reference of measured data.
std::shared_ptr<const ReducedImage> SpaceBoard::previewOf(int id) const {
  if (looksAtFile()) return nullptr;
  if (id != SliceTile::referenceId) return preview_.image(id);
  return controller_.reference() == nullptr ? preview_.image() : nullptr;
}

/// Returns how previewOf() was made; empty without one.
QString SpaceBoard::previewText(int id) const {
  if (previewOf(id) == nullptr) return {};
  return id == SliceTile::referenceId ? preview_.text() : preview_.text(id);
}

/// Returns the text of an empty view, which tells how it gets an image.
QString SpaceBoard::emptyText(int id) const {
  const bool can_come = id == SliceTile::referenceId && preview_.problem().isEmpty();
  return can_come ? tr("a quick preview is being reconstructed") : tr("start a run to see it here");
}

SpaceBoard::Whole SpaceBoard::volumeOf(int id) const {
  if (looksAtFile())
    return {grid_, file_ == nullptr ? nullptr : SpaceVolumes::Values(file_, &file_->mu)};
  if (const auto quick = previewOf(id))
    return {quick->grid, SpaceVolumes::Values(quick, &quick->mu)};
  return {grid_, volumes_->of(id)};
}

/// Returns a slice at the cross-hair, of a run or of the reference.
std::shared_ptr<const SliceImage> SpaceBoard::sliceOf(int id, Axis axis) const {
  if (previewOf(id) == nullptr) return slices_.slice(id, axis, indexOf(axis));
  return id == SliceTile::referenceId ? preview_.slice(axis, indexOf(axis))
                                      : preview_.slice(id, axis, indexOf(axis));
}

std::shared_ptr<const SliceImage> SpaceBoard::imageOf(Axis axis) const {
  if (!looksAtFile()) return sliceOf(subject(), axis);
  if (file_ == nullptr) return nullptr;
  const auto& shown = plane(axis).slice().image();
  if (shown != nullptr && shown->axis == axis && shown->index == indexOf(axis)) return shown;
  return std::make_shared<const SliceImage>(extract_slice(grid_, file_->mu, axis, indexOf(axis)));
}

void SpaceBoard::showCross() {
  const ObliquePlane turned = obliquePlane();
  for (const Axis axis : plane_axes) {
    plane(axis).setCrossHair(cross_in(axis, grid_, voxel_));
    const LineSegment line = trace_of(turned, axis, grid_);
    const bool shown = tools_->showsOblique() && line.length_mm() > 0;
    plane(axis).setTrace(shown ? std::optional(PlaneTrace{line, obliqueColour}) : std::nullopt);
  }
  oblique_->setCrossHair(CrossHair{{0, 0}, obliqueColour, obliqueColour});
}

void SpaceBoard::refreshPlanes() {
  for (const Axis axis : plane_axes) {
    SliceView& view = plane(axis);
    view.setWindowLevel(state_.window(), state_.level());
    view.setTitle(tr(planeNames[static_cast<std::size_t>(axis)]).toStdString(),
                  colour_of_plane(axis));
    view.setStatus(tr("%1, slice %2")
                       .arg(state_.lengthText(slice_position_mm(grid_, axis, indexOf(axis))))
                       .arg(indexOf(axis))
                       .toStdString());
    // While a new slice is on its way, the earlier one stays.
    const auto image = imageOf(axis);
    if (image != nullptr && image != view.slice().image()) view.setImage(image);
    const bool is_empty = image == nullptr && view.slice().image() == nullptr;
    if (is_empty && !looksAtFile() && subject() == SliceTile::referenceId) preview_.request();
    view.setNotice(
        (is_empty && !looksAtFile() ? emptyText(subject()) : previewText(subject())).toStdString());
  }
}

/// Returns a text on the interpolation of an oblique picture, whose pixels are finer than some of
/// the voxels' sides.
std::string SpaceBoard::obliqueStatus(const VolumeGrid& grid) const {
  const Vec3 side = grid.spacing_mm;
  return tr("turn %1°, tilt %2°; %3 %7, interpolated from %4 x %5 x %6 %7")
      .arg(tools_->turn(), 0, 'f', 0)
      .arg(tools_->tilt(), 0, 'f', 0)
      .arg(std::min({side.x, side.y, side.z}), 0, 'g', 3)
      .arg(side.x, 0, 'g', 3)
      .arg(side.y, 0, 'g', 3)
      .arg(side.z, 0, 'g', 3)
      .arg(state_.lengthUnit())
      .toStdString();
}

void SpaceBoard::refreshOblique() {
  oblique_->setWindowLevel(state_.window(), state_.level());
  oblique_->setTitle(tr("Oblique").toStdString(), obliqueColour);
  const Whole whole = volumeOf(subject());
  oblique_->setStatus(obliqueStatus(whole.grid));
  const auto image = volumes_->cut(subject(), whole.grid, whole.values, obliquePlane());
  if (image == nullptr || image == oblique_->slice().image()) return;
  oblique_->setImage(image);
  oblique_->setNotice(previewText(subject()).toStdString());
}

void SpaceBoard::refreshRuns() {
  const bool is_oblique = tools_->arrangement() == SpaceArrangement::oblique;
  const auto axis = static_cast<Axis>(std::min(static_cast<int>(tools_->arrangement()) - 1, 2));
  std::vector<SpaceRuns::Item> items;
  for (const int id : subjects()) {
    SpaceRuns::Item item{id, titleOf(id), {}, previewText(id).toStdString(), {}, nullptr};
    if (id != SliceTile::referenceId)
      item.colour = runColour(static_cast<std::size_t>(std::max(0, model_.run(id)->colour)));
    const Whole whole = volumeOf(id);
    item.image = is_oblique ? volumes_->cut(id, whole.grid, whole.values, obliquePlane())
                            : sliceOf(id, axis);
    item.status = is_oblique
                      ? obliqueStatus(whole.grid)
                      : tr("%1, %2, slice %3")
                            .arg(tr(planeNames[static_cast<std::size_t>(axis)]).toLower())
                            .arg(state_.lengthText(slice_position_mm(grid_, axis, indexOf(axis))))
                            .arg(indexOf(axis))
                            .toStdString();
    items.push_back(std::move(item));
  }
  SpaceRuns::Common common;
  common.window = state_.window();
  common.level = state_.level();
  common.turnable = is_oblique;
  common.lengths_are_known = state_.lengthsAreKnown();
  common.v_up = !(radiological_ && (is_oblique || axis == Axis::axial));
  if (!is_oblique) common.letters = letters_for(axis, radiological_);
  common.cross_hair =
      is_oblique ? CrossHair{{0, 0}, obliqueColour, obliqueColour} : cross_in(axis, grid_, voxel_);
  runs_->show(items, common);
}

/// Shows window, level and cross-hair in the volume. During a drag in a plane, the volume is
/// updated less often than the planes.
void SpaceBoard::showSoon() {
  volume_->setWindowLevel(state_.window(), state_.level());
  volume_->setCross(
      VolumeScene::Cross{point(),
                         {colour_of_plane(Axis::axial), colour_of_plane(Axis::coronal),
                          colour_of_plane(Axis::sagittal)}});
}

/// Shows the latest volume in memory: the kept iterate at the playhead, or the latest kept iterate,
/// or the reference, or the quick reconstruction. The estimate of a run that keeps no iterates is
/// requested.
void SpaceBoard::refreshVolume() {
  if (!isVisible()) return;
  if (tools_->arrangement() == SpaceArrangement::oblique)
    for (const int id : subjects()) volumes_->ask(id);
  if (tools_->arrangement() != SpaceArrangement::planes) return;
  if (looksAtFile()) {
    if (file_ == nullptr)
      return volume_->setTitle(
          (look_.problem().isEmpty() ? tr("Reading the volume") : look_.problem()).toStdString());
    volume_->setTitle(source_name(*file_));
  } else {
    const QString quick = previewText(subject());
    volume_->setTitle(quick.isEmpty() ? titleOf(subject()) : quick.toStdString());
    volumes_->ask(subject());
  }
  showVolume(volumeOf(subject()));
}

/// Shows a volume. A volume that is too large for the ray caster is averaged over blocks on another
/// thread. While runs compute and the CPU draws, fewer voxels are drawn.
void SpaceBoard::showVolume(const Whole& volume) {
  const auto& [grid, values] = volume;
  if (values != nullptr && values->size() != grid.voxels()) return;  // of earlier data
  if (values == nullptr) {
    reduction_->cancel();
    shownFrom_ = nullptr;
    return volume_->setVolume({});
  }
  const RayCaster caster = volume_->volume().caster();
  std::size_t most = VolumeScene::mostVoxels(caster);
  if (caster == RayCaster::processor && controller_.anyActive()) most /= 2;
  if (shownFrom_ == values && shownBlock_ == block_for(grid, most)) return;
  if (reduction_->isBusy()) return;  // refresh() follows once it has ended
  const auto show = [this, values = values, data = controller_.data()](const ReducedVolume& made) {
    if (controller_.data() != data) return;
    shownFrom_ = values;
    shownBlock_ = made.block;
    volume_->setVolume(made);
  };
  constexpr std::size_t at_once = 1 << 22;  // voxels that are averaged in some milliseconds
  if (grid.voxels() <= std::min(most, at_once)) return show(reduced(grid, values, most));
  reduction_->start<ReducedVolume>(
      [grid = grid, values = values, most](const Interrupt& interrupt) {
        return reduced(grid, values, most, &interrupt);
      },
      [this, show](const ReducedVolume& made) {
        show(made);
        refresh();  // the values may have changed meanwhile
      },
      [this](const QString& message) { volume_->setTitle(message.toStdString()); });
}

}  // namespace gantry
