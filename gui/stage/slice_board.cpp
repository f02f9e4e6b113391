#include "gui/stage/slice_board.hpp"

#include "charts/run_colours.hpp"
#include "core/job/run_description.hpp"
#include "core/job/run_prior.hpp"
#include "gui/runs/run_card.hpp"
#include "gui/stage/tile_titles.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/palette.hpp"
#include "gui/worker/preview.hpp"

#include <QGridLayout>
#include <QPalette>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace gantry {

SliceBoard::SliceBoard(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                       ViewState& state, Playhead& playhead, const Preview& preview,
                       QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      state_(state),
      playhead_(playhead),
      preview_(preview),
      measurements_(model, state),
      grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(4, 4, 4, 4);
  grid_->setSpacing(4);
  setStageGround(*this);
  connect(&model_, &ExperimentModel::changed, this, &SliceBoard::rebuild);
  connect(&controller_, &RunController::dataChanged, this, &SliceBoard::adoptData);
  connect(&controller_, &RunController::referenceChanged, this, [this] {
    referenceSlices_.clear();
    rebuild();
  });
  connect(&controller_, &RunController::waterChanged, this,
          [this] { state_.setMuWater(controller_.muWater()); });
  connect(&controller_, &RunController::stateChanged, this, [this](int id) {
    showStatus(id);
    showResult(id);
    refreshAll();
  });
  connect(&controller_, &RunController::snapshotReady, this, &SliceBoard::showStatus);
  connect(&controller_, &RunController::computedChanged, this, &SliceBoard::nameTiles);
  connect(&controller_, &RunController::updatesEmitted, this, &SliceBoard::refreshAll);
  connect(&preview_, &Preview::changed, this, [this] {
    if (controller_.reference() == nullptr && state_.windowIsAutomatic()) setWindowFromData();
    nameTiles();
    refreshAll();
  });
  connect(&playhead_, &Playhead::moved, this, [this] {
    for (const int id : model_.runIds()) showStatus(id);
    refreshAll();
  });
  connect(&StageLook::get(), &StageLook::changed, this, &SliceBoard::arrange);
  connect(&state_, &ViewState::planeChanged, this, [this] {
    arrange();  // another plane may have another shape
    emit requestChanged();
    // Runs answer with other slices; without runs only the truth is shown, which is there already.
    if (std::ranges::none_of(model_.runIds(),
                             [this](int id) { return controller_.status(id).wasStarted(); }))
      refreshAll();
  });
  connect(&state_, &ViewState::windowChanged, this, [this] {
    if (state_.windowIsAutomatic()) setWindowFromData();
  });
  rebuild();
}

std::vector<SliceTile*> SliceBoard::tiles() const {
  std::vector<SliceTile*> all;
  if (SliceTile* reference = tile(SliceTile::referenceId)) all.push_back(reference);
  for (const int id : model_.runIds())
    if (SliceTile* run = tile(id)) all.push_back(run);
  return all;
}

SliceTile* SliceBoard::tile(int id) const {
  const auto found = tiles_.find(id);
  return found == tiles_.end() ? nullptr : found->second;
}

SliceTile* SliceBoard::activeTile() const {
  if (focused_ >= 0 && tile(focused_) != nullptr) return tile(focused_);
  if (SliceTile* active = tile(active_)) return active;
  const auto all = tiles();
  return all.empty() ? nullptr : all.front();
}

SliceTile* SliceBoard::addTile(int id) {
  auto* tile = new SliceTile(
      id, state_,
      [this](int source, SliceTile::Content content, Axis axis, int index) {
        if (content == SliceTile::Content::image && preview_.shows(source))
          return preview_.slice(source, axis, index);
        return slice(source, content, axis, index);
      },
      this);
  connect(tile, &SliceTile::maximiseRequested, this, &SliceBoard::toggleFocus);
  connect(tile, &SliceTile::pressed, this, [this](int which) {
    setActive(which);
    if (which != SliceTile::referenceId) emit runPressed(which);
  });
  connect(tile, &SliceTile::hovered, this, [this, tile] {
    pointed_ = tile;
    readOut();
  });
  connect(tile, &SliceTile::left, this, [this] {
    pointed_ = nullptr;
    readOut();
  });
  connect(tile, &SliceTile::pictureChanged, this, [this, tile] {
    if (tile == pointed_) readOut();
  });
  connect(tile, &SliceTile::planeWanted, this, &SliceBoard::requestChanged);
  connect(tile, &SliceTile::menuRequested, this, &SliceBoard::menuRequested);
  connect(tile, &SliceTile::saveWanted, this, &SliceBoard::saveWanted);
  connect(tile, &SliceTile::pinWanted, this,
          [this](int run, bool pin) { controller_.pinReference(pin ? run : -1); });
  tile->follow(measurements_);
  if (const auto prepared = controller_.data()) {
    tile->setGrid(prepared->grid);
    tile->setRadiological(prepared->radiological);
  }
  tile->setSelected(id == active_);
  tile->setObject(object_);
  tiles_[id] = tile;
  return tile;
}

/// Updates the value under the mouse, since the picture may have changed after the last movement.
void SliceBoard::readOut() {
  const bool reads = pointed_ != nullptr && pointed_->isLinked() && state_.cursor();
  emit readoutChanged(reads ? pointed_->readout(*state_.cursor()) : QString());
}

/// Adds and removes tiles so that they match the reference and the runs.
void SliceBoard::rebuild() {
  std::vector<int> wanted;
  if (controller_.reference() != nullptr) wanted.push_back(SliceTile::referenceId);
  wanted.insert(wanted.end(), model_.runIds().begin(), model_.runIds().end());
  bool changed = false;
  std::erase_if(tiles_, [&](const auto& item) {
    if (std::ranges::find(wanted, item.first) != wanted.end()) return false;
    item.second->deleteLater();
    item.second->hide();
    changed = true;
    return true;
  });
  for (const int id : wanted)
    if (tile(id) == nullptr) {
      addTile(id);
      changed = true;
    }
  if (tile(focused_) == nullptr) focused_ = -1;
  nameTiles();
  if (changed) {
    shownTiles_.clear();
    arrange();
    emit requestChanged();
    emit tilesChanged();
  }
  refreshAll();
}

/// Returns the names of the runs, made from the settings of the pictures in their tiles; while a
/// slider is dragged, these are the settings that are tried.
QStringList SliceBoard::shownNames() const {
  std::vector<RunSpec> shown;
  for (const int id : model_.runIds()) {
    const RunSpec* tried = preview_.tried(id);
    shown.push_back(tried != nullptr ? *tried : controller_.computed(id));
  }
  QStringList names;
  for (const std::string& name : run_labels(shown, catalog_)) names << QString::fromStdString(name);
  return names;
}

void SliceBoard::nameTiles() {
  const QStringList names = shownNames();
  const std::vector<QStringList> shorter = short_forms(names);
  std::vector<std::pair<int, QString>> partners;
  std::map<int, QStringList> short_names;
  if (const auto reference = controller_.reference()) {
    const QString label = QString::fromStdString(reference->label);
    partners.emplace_back(SliceTile::referenceId,
                          controller_.referenceIsPinned() ? label : tr("reference"));
    short_names[SliceTile::referenceId] = short_forms({partners.back().second}).front();
  }
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const int id = model_.runIds()[i];
    partners.emplace_back(id, names[static_cast<qsizetype>(i)]);
    short_names[id] = shorter[i];
  }
  for (const auto& [id, name] : partners)
    if (SliceTile* named = tile(id)) {
      id == SliceTile::referenceId ? nameReference(*named, name) : nameRun(*named, name);
      named->setPartners(partners);
      if (id != SliceTile::referenceId) named->setShortNames(short_names);
    }
}

void SliceBoard::nameReference(SliceTile& tile, const QString& name) {
  const bool is_pinned = controller_.referenceIsPinned();
  tile.setTitle(is_pinned ? tr("Reference: %1, pinned").arg(name) : tr("Reference: truth"),
                std::nullopt);
  tile.setShortNames({{SliceTile::referenceId, {tr("Reference")}}});
  // A pinned reference does not depend on the data; the truth does.
  tile.setStatus(is_pinned || controller_.dataAreCurrent() ? QString() : tr("of earlier data"));
}

void SliceBoard::nameRun(SliceTile& tile, const QString& name) {
  const int id = tile.id();
  tile.setTitle(name, runColour(static_cast<std::size_t>(std::max(0, model_.run(id)->colour))));
  showStatus(id);
  showResult(id);
  const std::string prior = prior_of(controller_.computed(id), catalog_);
  tile.offerEdges(!prior.empty() && catalog_.priors.at(prior).traits.has_edges);
}

/// Tells the tile of a run whether the run has an estimate that can be pinned and saved.
void SliceBoard::showResult(int id) {
  if (SliceTile* shown = tile(id))
    shown->setResult(controller_.status(id).wasStarted(), controller_.pinnedRun() == id);
}

void SliceBoard::showStatus(int id) {
  SliceTile* shown = tile(id);
  if (shown == nullptr) return;
  const RunStatus& run = controller_.status(id);
  shown->setNotice(preview_.text(id));
  if (preview_.showsReduced(id)) return shown->setStatus(tr("reduced"));
  if (!run.wasStarted())
    return shown->setStatus(run.state == RunState::failed ? tr("failed") : tr("not started"));
  // A restored run has its history before its first snapshot; the history then gives the progress.
  HistoryEntry last;
  if (!run.history.empty()) last = run.history.back();
  const int iterations = run.snapshot != nullptr ? run.snapshot->iterations : last.report.iteration;
  const double part = run.snapshot != nullptr ? run.snapshot->part_of_iteration : 0;
  const double seconds = run.snapshot != nullptr ? run.snapshot->seconds : last.report.seconds;
  if (const KeptIterate* kept = playhead_.iterateOf(run))
    return shown->setStatus(
        tr("it %1   %2 s   kept").arg(kept->iteration).arg(kept->progress->seconds, 0, 'f', 2));
  QString text = tr("it %1   %2 s")
                     // Two decimals within an iteration, as in 0.25.
                     .arg(iterations + part, 0, 'f', part > 0 ? 2 : 0)
                     .arg(seconds, 0, 'f', seconds < 10 ? 2 : 1);
  if (run.data != controller_.data() || !controller_.dataAreCurrent())
    text += tr("   of earlier data");
  // The list of runs shows all states; the tile shows only those that the user should not miss.
  shown->setStatus(run.state == RunState::paused || run.state == RunState::failed
                       ? text + QStringLiteral("   ") + stateText(run)
                       : text);
}

void SliceBoard::adoptData() {
  const auto prepared = controller_.data();
  referenceSlices_.clear();
  windowSetAt_ = 0;
  for (const auto& [id, tile] : tiles_) {
    tile->adoptData(prepared->grid);
    tile->setRadiological(prepared->radiological);
  }
  const QSignalBlocker quiet(&state_);
  state_.setMuWater(controller_.muWater());
  state_.setLengthsAreKnown(prepared->lengths_are_known);
  const SourceSpec& source = model_.experiment().source;
  // What is looked at and measured stays where a correction or the axis of a scan has changed.
  const bool keeps_place =
      source.kind == SourceKind::scan && source.path == source_ && prepared->grid == dataGrid_;
  dataGrid_ = prepared->grid;
  if (source.path != source_) {
    source_ = source.path;
    state_.setHu(
        prepared->radiological);  // HU is the usual unit for patients; the user may choose another
  }
  const Vec3 side = prepared->grid.spacing_mm;
  state_.setVoxel(std::min({side.x, side.y, side.z}));
  if (!keeps_place) {
    state_.setPlane(Axis::axial, prepared->grid.nz / 2);
    state_.setCamera(std::nullopt);
    state_.setProfile(std::nullopt);
  }
  state_.followData();
  state_.blockSignals(false);
  emit state_.planeChanged();
  emit state_.profileChanged();
  emit state_.unitChanged();
  setWindowFromData();
  findObject();
  rebuild();
}

/// Lets the tiles show the object of the truth; without a truth they show the whole slice.
void SliceBoard::findObject() {
  const auto reference = controller_.reference();
  object_.reset();
  if (reference != nullptr)
    object_ = object_extent(reference->grid, {reference->mu().data(), reference->mu().size()});
  for (const auto& [id, tile] : tiles_) tile->setObject(object_);
  arrange();
}

void SliceBoard::setActive(int id) {
  if (id == active_) return;
  active_ = id;
  for (const auto& [of, tile] : tiles_) tile->setSelected(of == active_);
  emit activeTileChanged();
}

void SliceBoard::setWindowFromData() {
  const SliceTile* any = activeTile();
  const auto plane = any != nullptr ? any->plane() : ViewRequest::Slice{};
  auto image = slice(SliceTile::referenceId, plane.axis, plane.index);
  for (const int id : model_.runIds())
    if (image == nullptr && isOfTheseData(id)) image = slice(id, plane.axis, plane.index);
  if (image == nullptr) image = preview_.slice(plane.axis, plane.index);
  if (image == nullptr)  // no image yet: a default window, not that of earlier data
    return state_.setAutomaticWindow(2 * state_.muWater(), state_.muWater());
  const WindowLevel automatic = automatic_window(*image);
  state_.setAutomaticWindow(automatic.window, automatic.level);
}

/// Returns whether the run has an estimate that was computed from the present data.
bool SliceBoard::isOfTheseData(int id) const {
  const RunStatus& run = controller_.status(id);
  return run.snapshot != nullptr && run.snapshot->iterations > 0 && run.data == controller_.data();
}

/// Without a reference, the automatic window follows the first estimate: it is set again each time
/// the number of iterations has doubled, up to 16.
void SliceBoard::followFirstEstimate() {
  constexpr int settled = 16;
  if (!state_.windowIsAutomatic() || controller_.reference() != nullptr) return;
  for (const int id : model_.runIds()) {
    if (!isOfTheseData(id)) continue;
    const int iterations = controller_.status(id).snapshot->iterations;
    if (windowSetAt_ >= settled || iterations < 2 * windowSetAt_) return;
    windowSetAt_ = iterations;
    return setWindowFromData();
  }
}

std::shared_ptr<const SliceImage> SliceBoard::slice(int id, SliceTile::Content content, Axis axis,
                                                    int index) const {
  if (id == SliceTile::referenceId) return sliceOfReference(axis, index);
  const RunStatus& run = controller_.status(id);
  const KeptIterate* kept = playhead_.iterateOf(run);
  if (kept != nullptr && content == SliceTile::Content::image)
    return sliceOf(*kept, run.data->grid, axis, index);
  if (run.snapshot == nullptr) return nullptr;
  const auto& slices =
      content == SliceTile::Content::edges ? run.snapshot->edge_slices : run.snapshot->slices;
  const auto found = std::ranges::find_if(
      slices, [&](const auto& slice) { return slice->axis == axis && slice->index == index; });
  return found == slices.end() ? nullptr : *found;
}

std::vector<MeasuredImage> SliceBoard::measuredImages() const {
  std::vector<MeasuredImage> all;
  const Axis axis = state_.axis();
  const int index = state_.slice();
  const auto add = [&all](int id, const QString& name, int colour,
                          std::shared_ptr<const SliceImage> image) {
    if (image != nullptr) all.push_back({id, name, colour, std::move(image)});
  };
  constexpr int reference = SliceTile::referenceId;
  add(reference, tr("reference"), -1, slice(reference, axis, index));
  for (const int id : model_.runIds())
    add(id, QString::fromStdString(label(id)), std::max(0, model_.run(id)->colour),
        slice(id, axis, index));
  const bool has_others =
      controller_.reference() != nullptr || std::ranges::any_of(model_.runIds(), [this](int id) {
        return controller_.status(id).hasPicture();
      });
  if (!has_others || preview_.followsTrials())
    add(previewId, tr("preview"), -1, preview_.slice(axis, index));
  return all;
}

std::shared_ptr<const SliceImage> SliceBoard::sliceOf(const KeptIterate& kept,
                                                      const VolumeGrid& grid, Axis axis,
                                                      int index) const {
  for (const KeptSlice& known : keptSlices_)
    if (known.of.lock() == kept.progress && known.slice->axis == axis &&
        known.slice->index == index)
      return known.slice;
  constexpr std::size_t most = 64;
  if (keptSlices_.size() >= most) keptSlices_.clear();
  keptSlices_.push_back({kept.progress, std::make_shared<const SliceImage>(
                                            extract_slice(grid, *kept.image(), axis, index))});
  return keptSlices_.back().slice;
}

std::shared_ptr<const SliceImage> SliceBoard::sliceOfReference(Axis axis, int index) const {
  const auto reference = controller_.reference();
  if (reference == nullptr) return nullptr;
  const auto found = std::ranges::find_if(referenceSlices_, [&](const auto& slice) {
    return slice->axis == axis && slice->index == index;
  });
  if (found != referenceSlices_.end()) return *found;
  constexpr std::size_t most = 8;
  if (referenceSlices_.size() >= most) referenceSlices_.erase(referenceSlices_.begin());
  referenceSlices_.push_back(std::make_shared<const SliceImage>(
      extract_slice(reference->grid, reference->mu(), axis, index)));
  return referenceSlices_.back();
}

void SliceBoard::refreshAll() {
  followFirstEstimate();
  for (const auto& [id, tile] : tiles_)
    if (tile->isVisibleTo(this)) tile->refresh();
  emit shownImagesChanged();
}

void SliceBoard::focusTile(int id) {
  focused_ = id >= 0 && tile(id) != nullptr ? id : -1;
  showOthers();
}

void SliceBoard::setShown(int run, bool shown) {
  if (isShown(run) == shown) return;
  if (shown)
    hidden_.erase(run);
  else
    hidden_.insert(run);
  showOthers();
  emit shownRunsChanged();
}

/// Arranges the tiles after the set of tiles that are shown has changed.
void SliceBoard::showOthers() {
  arrange();
  emit requestChanged();
  emit activeTileChanged();
  refreshAll();
}

void SliceBoard::toggleFocus(int id) {
  focusTile(focused_ == id ? -1 : id);
  state_.setCamera(std::nullopt);  // a zoom for a tile of another size would not fit
  if (SliceTile* shown = tile(id)) shown->fit();
}

/// Returns the ratio of width to height of the part that the tiles show until the user zooms.
double SliceBoard::aspect() const {
  if (object_) return object_->in(state_.axis()).aspect();
  const auto prepared = controller_.data();
  return prepared != nullptr ? slice_aspect(prepared->grid, state_.axis()) : 1;
}

void SliceBoard::arrange() {
  std::vector<QWidget*> shown;
  for (SliceTile* tile : tiles())
    if (focused_ >= 0 ? tile->id() == focused_ : isShown(tile->id())) shown.push_back(tile);
  const TileGrid best = best_grid(static_cast<int>(shown.size()), aspect(), size());
  if (shown == shownTiles_ && best == tileGrid_) return;
  for (const auto& [id, tile] : tiles_) {
    grid_->removeWidget(tile);
    tile->setVisible(std::ranges::find(shown, tile) != shown.end());
  }
  place_tiles(*grid_, shown, best);
  shownTiles_ = std::move(shown);
  tileGrid_ = best;
}

void SliceBoard::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

double SliceBoard::paintMs() const {
  double sum = 0;
  for (const auto& [id, tile] : tiles_)
    if (tile->isVisible()) sum += tile->view().lastPaintMs();
  return sum;
}

ViewRequest SliceBoard::request() const {
  ViewRequest request;
  for (const auto& [id, tile] : tiles_) {
    const ViewRequest::Slice plane = tile->plane();
    request.edges = request.edges || tile->needsEdges();
    if (isHidden() || (!isShown(id) && id != focused_)) continue;
    if (std::ranges::find(request.slices, plane) == request.slices.end())
      request.slices.push_back(plane);
  }
  if (request.slices.empty()) request.slices.push_back({state_.axis(), state_.slice()});
  return request;
}

}  // namespace gantry
