#include "gui/stage/space_board.hpp"

#include "core/io/volumes/volume_file.hpp"
#include "gui/stage/plane_lines.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/volume_view.hpp"
#include "gui/worker/volume_look.hpp"

#include <QComboBox>
#include <QGridLayout>

#include <algorithm>

namespace gantry {

namespace {

constexpr int volumeInterval_ms = 500;  // between pictures of a volume that changes

}  // namespace

SpaceBoard::SpaceBoard(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                       ViewState& state, Playhead& playhead, const SliceBoard& slices,
                       VolumeLook& look, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      state_(state),
      playhead_(playhead),
      slices_(slices),
      look_(look),
      volume_(new VolumeView(this)) {
  setStageGround(*this);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(4, 4, 4, 4);
  grid->setSpacing(4);
  for (const Axis axis : plane_axes) {
    planes_[static_cast<std::size_t>(axis)] = new SliceView(this);
    connectPlane(axis);
  }
  grid->addWidget(&plane(Axis::axial), 0, 0);
  grid->addWidget(volume_, 0, 1);
  grid->addWidget(&plane(Axis::coronal), 1, 0);
  grid->addWidget(&plane(Axis::sagittal), 1, 1);
  auto* mode = new QComboBox(volume_);
  mode->setObjectName(QStringLiteral("volumeMode"));
  mode->addItems({tr("Volume"), tr("Maximum"), tr("Surface at the level")});
  mode->setToolTip(tr("Window and level set what is opaque and what is bright"));
  mode->move(10, 34);
  connect(mode, &QComboBox::activated, this,
          [this](int index) { volume_->setMode(static_cast<VolumeMode>(index)); });
  volumeTimer_.setSingleShot(true);
  volumeTimer_.setInterval(volumeInterval_ms);
  connect(&volumeTimer_, &QTimer::timeout, this, &SpaceBoard::refreshVolume);
  connect(&controller_, &RunController::dataChanged, this, &SpaceBoard::adoptData);
  connect(&look_, &VolumeLook::changed, this, &SpaceBoard::adoptFile);
  connect(&controller_, &RunController::updatesEmitted, this, &SpaceBoard::refresh);
  connect(&controller_, &RunController::referenceChanged, this, &SpaceBoard::refresh);
  connect(&playhead_, &Playhead::moved, this, &SpaceBoard::refresh);
  connect(&state_, &ViewState::windowChanged, this, &SpaceBoard::refresh);
}

void SpaceBoard::connectPlane(Axis axis) {
  SliceView& view = plane(axis);
  connect(&view, &SliceView::windowLevelChanged, this,
          [this](double window, double level) { state_.setWindowLevel(window, level); });
  connect(&view, &SliceView::sliceStepRequested, this, [this, axis](int steps) {
    std::array<int, 3> next = voxel_;
    next[coordinate_of(axis)] +=
        std::clamp(steps, -grid_.nx - grid_.ny - grid_.nz, grid_.nx + grid_.ny + grid_.nz);
    setVoxel(next);
  });
  connect(&view, &SliceView::clicked, this, [this, axis](const PointMm& at) {
    const auto [across, along] = lines_in(axis);
    std::array<int, 3> next = voxel_;
    const std::array<double, 3> origin = {grid_.origin_mm.x, grid_.origin_mm.y, grid_.origin_mm.z},
                                spacing = {grid_.spacing_mm.x, grid_.spacing_mm.y,
                                           grid_.spacing_mm.z};
    const auto put = [&](std::size_t coordinate, double mm) {
      next[coordinate] =
          static_cast<int>(std::lround((mm - origin[coordinate]) / spacing[coordinate]));
    };
    put(coordinate_of(across), at.u);
    put(coordinate_of(along), at.v);
    setVoxel(next);
  });
}

void SpaceBoard::setRun(int id) {
  run_ = id;
  refresh();
}

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
  VolumeGrid grid = file_->grid;
  // The slice that is reconstructed was moved to the axis of rotation; the file is as well.
  if (const auto moved = controller_.data()->volume) {
    grid.origin_mm.x = moved->grid.origin_mm.x;
    grid.origin_mm.y = moved->grid.origin_mm.y;
  }
  setGrid(grid);
}

std::shared_ptr<const SliceImage> SpaceBoard::imageOf(Axis axis) const {
  if (!looksAtFile()) return slices_.slice(subject(), axis, indexOf(axis));
  if (file_ == nullptr) return nullptr;
  const auto& shown = plane(axis).slice().image();
  if (shown != nullptr && shown->axis == axis && shown->index == indexOf(axis)) return shown;
  return std::make_shared<const SliceImage>(extract_slice(grid_, file_->mu, axis, indexOf(axis)));
}

int SpaceBoard::indexOf(Axis axis) const { return voxel_[coordinate_of(axis)]; }

/// Returns the run that is shown, or the reference.
int SpaceBoard::subject() const {
  return controller_.status(run_).snapshot != nullptr ? run_ : SliceTile::referenceId;
}

void SpaceBoard::setVoxel(const std::array<int, 3>& voxel) {
  const std::array<int, 3> size = {grid_.nx, grid_.ny, grid_.nz};
  for (std::size_t i = 0; i < 3; ++i) voxel_[i] = std::clamp(voxel[i], 0, size[i] - 1);
  showCross();
  refresh();
  emit requestChanged();
}

void SpaceBoard::adoptData() {
  const auto prepared = controller_.data();
  for (const Axis axis : plane_axes) {
    plane(axis).setVUp(!(prepared->radiological && axis == Axis::axial));
    plane(axis).setEdgeLetters(letters_for(axis, prepared->radiological));
  }
  file_.reset();
  setGrid(prepared->grid);
  adoptFile();
}

/// Begins with another volume, in its middle.
void SpaceBoard::setGrid(const VolumeGrid& grid) {
  grid_ = grid;
  for (const Axis axis : plane_axes) {
    plane(axis).setImage(nullptr);
    plane(axis).fit();
  }
  setVoxel({grid_.nx / 2, grid_.ny / 2, grid_.nz / 2});
}

void SpaceBoard::showCross() {
  for (const Axis axis : plane_axes) {
    const auto [across, along] = lines_in(axis);
    const PointMm at{slice_position_mm(grid_, across, indexOf(across)),
                     slice_position_mm(grid_, along, indexOf(along))};
    plane(axis).setCrossHair(CrossHair{at, colour_of_plane(across), colour_of_plane(along)});
  }
}

std::vector<ViewRequest::Slice> SpaceBoard::slicesWanted() const {
  std::vector<ViewRequest::Slice> wanted;
  if (!isVisible() || looksAtFile()) return wanted;
  for (const Axis axis : plane_axes) wanted.push_back({axis, indexOf(axis)});
  return wanted;
}

void SpaceBoard::refresh() {
  if (!isVisible()) return;
  static const std::array names = {QT_TR_NOOP("Axial"), QT_TR_NOOP("Coronal"),
                                   QT_TR_NOOP("Sagittal")};
  for (const Axis axis : plane_axes) {
    SliceView& view = plane(axis);
    view.setWindowLevel(state_.window(), state_.level());
    view.setTitle(tr(names[static_cast<std::size_t>(axis)]).toStdString(), colour_of_plane(axis));
    view.setStatus(tr("%1 mm, slice %2")
                       .arg(slice_position_mm(grid_, axis, indexOf(axis)), 0, 'f', 1)
                       .arg(indexOf(axis))
                       .toStdString());
    // While a new slice is on its way, the earlier one stays.
    const auto image = imageOf(axis);
    if (image != nullptr && image != view.slice().image()) view.setImage(image);
  }
  volume_->setWindowLevel(state_.window(), state_.level());
  if (!volumeTimer_.isActive()) volumeTimer_.start();
}

/// Shows the latest volume in memory: the kept iterate at the playhead, or the latest one, or the
/// reference. A run that keeps no iterates is asked for its estimate.
void SpaceBoard::refreshVolume() {
  if (!isVisible()) return;
  if (looksAtFile()) {
    if (file_ == nullptr)
      return volume_->setTitle(
          (look_.problem().isEmpty() ? tr("Reading the volume") : look_.problem()).toStdString());
    volume_->setTitle(source_name(*file_));
    return showVolume({file_, &file_->mu});
  }
  if (subject() == SliceTile::referenceId) {
    const auto reference = controller_.reference();
    volume_->setTitle(tr("Reference").toStdString());
    return showVolume(reference == nullptr
                          ? nullptr
                          : std::shared_ptr<const std::vector<float>>(reference, &reference->mu));
  }
  const RunStatus& run = controller_.status(run_);
  volume_->setTitle(run_label(controller_.computed(run_), catalog_));
  const KeptIterate* kept = playhead_.iterateOf(run);
  if (kept == nullptr && run.iterates != nullptr && !run.iterates->empty())
    kept = &run.iterates->back();
  if (kept != nullptr) return showVolume({kept->progress, &kept->progress->solver.arrays.front()});
  controller_.requestVolume(
      run_, [this](const std::shared_ptr<const std::vector<float>>& mu, int) { showVolume(mu); });
}

void SpaceBoard::showVolume(std::shared_ptr<const std::vector<float>> values) {
  if (values != nullptr && values->size() != grid_.voxels()) return;  // of earlier data
  volume_->setVolume(grid_, std::move(values));
}

double SpaceBoard::paintMs() const {
  double sum = volume_->lastPaintMs();
  for (const SliceView* view : planes_) sum += view->lastPaintMs();
  return isVisible() ? sum : 0;
}

void SpaceBoard::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (looksAtFile()) look_.start();
  emit requestChanged();
  refresh();
}

void SpaceBoard::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  emit requestChanged();
}

}  // namespace gantry
