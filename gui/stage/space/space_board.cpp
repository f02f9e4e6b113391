// The views of the workspace Space and their connections; the pictures are in space_pictures.cpp.
#include "gui/stage/space/space_board.hpp"

#include "gui/stage/plane_lines.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/volume_view.hpp"
#include "gui/worker/volume_look.hpp"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int volumeInterval_ms = 500;  // between pictures of a volume that changes, at least
constexpr int soon_ms = 80;             // until the volume follows the window and the cross-hair

}  // namespace

SpaceBoard::SpaceBoard(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                       ViewState& state, Playhead& playhead, const SliceBoard& slices,
                       VolumeLook& look, Preview& preview, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      state_(state),
      playhead_(playhead),
      slices_(slices),
      look_(look),
      preview_(preview),
      tools_(new SpaceTools(this)),
      stage_(new QWidget(this)),
      layout_(new QGridLayout(stage_)),
      volumes_(new SpaceVolumes(controller, playhead, this)),
      reduction_(new LatestJob(this)) {
  makeViews();
  for (const Axis axis : plane_axes) connectPlane(axis);
  connectOblique();
  connectEnlarging();
  connectRuns();
  connectVolume();
  connectSources();
  arrange();
}

void SpaceBoard::makeViews() {
  setStageGround(*stage_);
  layout_->setContentsMargins(4, 4, 4, 4);
  layout_->setSpacing(4);
  static const std::array names = {QT_TR_NOOP("Axial plane"), QT_TR_NOOP("Coronal plane"),
                                   QT_TR_NOOP("Sagittal plane")};
  for (const Axis axis : plane_axes) {
    const auto i = static_cast<std::size_t>(axis);
    planes_[i] = new SliceView(stage_);
    planes_[i]->setAccessibleName(tr(names[i]));
  }
  oblique_ = new SliceView(stage_);
  oblique_->setAccessibleName(tr("Oblique plane"));
  oblique_->setTurnable(true);
  volume_ = new VolumeView(stage_);
  volume_->setAccessibleName(tr("Volume"));
  runs_ = new SpaceRuns(stage_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(tools_);
  column->addWidget(stage_, 1);
}

/// Puts the views that are shown into their places.
void SpaceBoard::arrange() {
  for (QWidget* view : {static_cast<QWidget*>(planes_[0]), static_cast<QWidget*>(planes_[1]),
                        static_cast<QWidget*>(planes_[2]), static_cast<QWidget*>(oblique_),
                        static_cast<QWidget*>(volume_), static_cast<QWidget*>(runs_)})
    layout_->removeWidget(view);
  const bool of_one_run = tools_->arrangement() == SpaceArrangement::planes;
  const bool five = tools_->showsOblique();
  if (!of_one_run || (alone_ == oblique_ && !five)) alone_ = nullptr;
  if (alone_ != nullptr)
    layout_->addWidget(alone_, 0, 0, 2, 6);
  else if (of_one_run)
    placeViews(five);
  else
    layout_->addWidget(runs_, 0, 0, 2, 6);
  for (int i = 0; i < 6; ++i) layout_->setColumnStretch(i, 1);
  for (int i = 0; i < 2; ++i) layout_->setRowStretch(i, 1);
  const auto is_shown = [this](const QWidget* view) { return alone_ == nullptr || alone_ == view; };
  for (SliceView* view : planes_) view->setVisible(of_one_run && is_shown(view));
  volume_->setVisible(of_one_run && is_shown(volume_));
  oblique_->setVisible(five && is_shown(oblique_));
  runs_->setVisible(!of_one_run);
  if (!of_one_run) runs_->fit();
  showCross();
  emit requestChanged();
  refresh();
}

void SpaceBoard::placeViews(bool with_oblique) {
  if (with_oblique) {
    for (std::size_t i = 0; i < 3; ++i)
      layout_->addWidget(planes_[i], 0, 2 * static_cast<int>(i), 1, 2);
    layout_->addWidget(oblique_, 1, 0, 1, 3);
    layout_->addWidget(volume_, 1, 3, 1, 3);
    return;
  }
  layout_->addWidget(planes_[0], 0, 0, 1, 3);
  layout_->addWidget(volume_, 0, 3, 1, 3);
  layout_->addWidget(planes_[1], 1, 0, 1, 3);
  layout_->addWidget(planes_[2], 1, 3, 1, 3);
}

void SpaceBoard::enlarge(QWidget* view) {
  if (alone_ == view) return;
  alone_ = view;
  arrange();
  for (SliceView* plane : planes_) plane->fit();
  oblique_->fit();
}

/// A double click enlarges a view, or shows all of them again.
void SpaceBoard::connectEnlarging() {
  const auto toggle = [this](QWidget* view) { enlarge(alone_ == view ? nullptr : view); };
  for (SliceView* view : {planes_[0], planes_[1], planes_[2], oblique_})
    connect(view, &SliceView::maximiseRequested, this, [toggle, view] { toggle(view); });
  connect(volume_, &VolumeView::maximiseRequested, this, [this, toggle] { toggle(volume_); });
}

void SpaceBoard::connectPlane(Axis axis) {
  SliceView& view = plane(axis);
  const auto go = [this, axis](const PointMm& at) { goToPoint(axis, at); };
  connect(&view, &SliceView::windowLevelChanged, &state_, &ViewState::setWindowLevel);
  connect(&view, &SliceView::sliceStepRequested, this,
          [this, axis](int steps) { stepAlong(axis, steps); });
  connect(&view, &SliceView::clicked, this, go);
  connect(&view, &SliceView::crossHairDragged, this, go);
}

void SpaceBoard::connectOblique() {
  connect(oblique_, &SliceView::windowLevelChanged, &state_, &ViewState::setWindowLevel);
  connect(oblique_, &SliceView::sliceStepRequested, this, &SpaceBoard::stepOblique);
  connect(oblique_, &SliceView::clicked, this, &SpaceBoard::goToOblique);
  connect(oblique_, &SliceView::crossHairDragged, this, &SpaceBoard::goToOblique);
  connect(oblique_, &SliceView::turned, this, &SpaceBoard::turnBy);
  connect(tools_, &SpaceTools::arranged, this, &SpaceBoard::arrange);
  connect(tools_, &SpaceTools::turned, this, [this] {
    showCross();
    refresh();
  });
}

void SpaceBoard::connectRuns() {
  const auto axis = [this] {
    return static_cast<Axis>(static_cast<int>(tools_->arrangement()) - 1);
  };
  const auto is_oblique = [this] { return tools_->arrangement() == SpaceArrangement::oblique; };
  connect(runs_, &SpaceRuns::windowLevelChanged, &state_, &ViewState::setWindowLevel);
  connect(runs_, &SpaceRuns::pointChosen, this, [this, axis, is_oblique](const PointMm& at) {
    is_oblique() ? goToOblique(at) : goToPoint(axis(), at);
  });
  connect(runs_, &SpaceRuns::stepped, this, [this, axis, is_oblique](int steps) {
    is_oblique() ? stepOblique(steps) : stepAlong(axis(), steps);
  });
  connect(runs_, &SpaceRuns::turned, this, &SpaceBoard::turnBy);
  connect(runs_, &SpaceRuns::runPressed, this, [this](int id) {
    if (id != SliceTile::referenceId) emit runPressed(id);
  });
}

void SpaceBoard::connectVolume() {
  connect(tools_, &SpaceTools::volumeChanged, this, [this] {
    volume_->setMode(tools_->mode());
    volume_->setPreset(tools_->preset().toStdString());
  });
  connect(tools_, &SpaceTools::clipShown, this, [this](bool shown) {
    volume_->setClipShown(shown);
    // A hidden clip box does not clip; shown again, it has its former faces.
    if (!shown) hiddenClip_ = volume_->volume().clip();
    volume_->setClip(shown ? std::exchange(hiddenClip_, {}) : std::nullopt);
  });
  connect(tools_, &SpaceTools::clipEdited, volume_, &VolumeView::setClip);
  connect(volume_, &VolumeView::clipDragged, tools_, &SpaceTools::setClip);
  connect(tools_, &SpaceTools::clipReset, this, [this] {
    volume_->setClip(std::nullopt);
    tools_->setClip(ClipBox::around(grid_));
  });
  volumeTimer_.setSingleShot(true);
  connect(&volumeTimer_, &QTimer::timeout, this, &SpaceBoard::refreshVolume);
  soon_.setSingleShot(true);
  soon_.setInterval(soon_ms);
  connect(&soon_, &QTimer::timeout, this, &SpaceBoard::showSoon);
}

void SpaceBoard::connectSources() {
  connect(&controller_, &RunController::dataChanged, this, &SpaceBoard::adoptData);
  connect(&controller_, &RunController::waterChanged, this,
          [this] { volume_->setMuWater(controller_.muWater()); });
  connect(&look_, &VolumeLook::changed, this, &SpaceBoard::adoptFile);
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, [this] {
    tools_->reset();  // the settings of the views do not suit another object
    volume_->setMode(tools_->mode());
    volume_->setClipShown(false);
    volume_->setClip(std::nullopt);
    volume_->resetCamera();
    hiddenClip_.reset();
    alone_ = nullptr;
    arrange();
  });
  connect(&preview_, &Preview::changed, this, &SpaceBoard::refresh);
  connect(&controller_, &RunController::updatesEmitted, this, &SpaceBoard::refresh);
  connect(&controller_, &RunController::referenceChanged, this, &SpaceBoard::refresh);
  connect(&model_, &ExperimentModel::changed, this, &SpaceBoard::refresh);
  connect(volumes_, &SpaceVolumes::arrived, this, &SpaceBoard::refresh);
  connect(volumes_, &SpaceVolumes::failed, this,
          [this](const QString& message) { oblique_->setNotice(message.toStdString()); });
  connect(&playhead_, &Playhead::moved, this, &SpaceBoard::refresh);
  connect(&state_, &ViewState::windowChanged, this, &SpaceBoard::refresh);
  connect(&state_, &ViewState::planeChanged, this, &SpaceBoard::followSlice);
}

void SpaceBoard::setRun(int id) {
  run_ = id;
  refresh();
}

int SpaceBoard::indexOf(Axis axis) const { return voxel_[coordinate_of(axis)]; }

void SpaceBoard::setVoxel(const std::array<int, 3>& voxel) {
  place(voxel);
  state_.setVolumePoint(point());
}

/// Goes to the slice that the other workspaces show, if it belongs to the data shown here.
void SpaceBoard::followSlice() {
  if (looksAtFile() || adopted_.lock() != controller_.data() || adopted_.expired()) return;
  std::array<int, 3> next = voxel_;
  next[coordinate_of(state_.axis())] = state_.slice();
  setVoxel(next);
}

void SpaceBoard::place(const std::array<int, 3>& voxel) {
  const std::array<int, 3> size = {grid_.nx, grid_.ny, grid_.nz};
  for (std::size_t i = 0; i < 3; ++i) voxel_[i] = std::clamp(voxel[i], 0, size[i] - 1);
  showCross();
  refresh();
  emit requestChanged();
}

/// Moves all planes to the voxel at a point.
void SpaceBoard::goTo(Vec3 at_mm) { setVoxel(voxel_near(grid_, at_mm)); }

void SpaceBoard::goToPoint(Axis axis, const PointMm& at) {
  goTo(point_in(axis, grid_, voxel_, at));
}

void SpaceBoard::goToOblique(const PointMm& at) {
  const ObliquePlane now = obliquePlane();
  goTo(now.through_mm + at.u * now.across() + at.v * now.along());
}

void SpaceBoard::stepAlong(Axis axis, int steps) {
  std::array<int, 3> next = voxel_;
  next[coordinate_of(axis)] +=
      std::clamp(steps, -grid_.nx - grid_.ny - grid_.nz, grid_.nx + grid_.ny + grid_.nz);
  setVoxel(next);
}

/// Moves the oblique plane along its normal, by one voxel of the axis closest to the normal.
void SpaceBoard::stepOblique(int steps) {
  const ObliquePlane now = obliquePlane();
  const Vec3 n = now.normal(), spacing = grid_.spacing_mm;
  const double voxels_per_mm =
      std::max({std::abs(n.x) / spacing.x, std::abs(n.y) / spacing.y, std::abs(n.z) / spacing.z});
  const int most = grid_.nx + grid_.ny + grid_.nz;
  goTo(now.through_mm + std::clamp(steps, -most, most) / voxels_per_mm * n);
}

void SpaceBoard::turnBy(double turn_deg, double tilt_deg) {
  tools_->setAngles(std::remainder(tools_->turn() + turn_deg, 360.0),
                    std::remainder(tools_->tilt() + tilt_deg, 360.0));
  showCross();
  refresh();
}

ObliquePlane SpaceBoard::obliquePlane() const { return {point(), tools_->turn(), tools_->tilt()}; }

std::vector<ViewRequest::Slice> SpaceBoard::slicesWanted() const {
  std::vector<ViewRequest::Slice> wanted;
  if (!isVisible() || looksAtFile()) return wanted;
  const SpaceArrangement now = tools_->arrangement();
  for (const Axis axis : plane_axes)
    if (now == SpaceArrangement::planes || static_cast<int>(now) - 1 == static_cast<int>(axis))
      wanted.push_back({axis, indexOf(axis)});
  return wanted;
}

void SpaceBoard::refresh() {
  if (!isVisible()) return;
  if (tools_->arrangement() == SpaceArrangement::planes) {
    refreshPlanes();
    if (tools_->showsOblique()) refreshOblique();
    if (!soon_.isActive()) soon_.start();
  } else {
    refreshRuns();
  }
  if (volumeTimer_.isActive()) return;
  // While runs compute, pictures of the volume may take at most a twentieth of the time.
  const double cost = controller_.anyActive() ? volume_->lastPaintMs() : 0;
  volumeTimer_.start(std::max(volumeInterval_ms, static_cast<int>(20 * cost)));
}

double SpaceBoard::paintMs() const {
  if (!isVisible()) return 0;
  if (tools_->arrangement() != SpaceArrangement::planes) return runs_->paintMs();
  double sum = tools_->showsOblique() ? oblique_->lastPaintMs() : 0;
  for (const SliceView* view : planes_) sum += view->lastPaintMs();
  return sum;
}

void SpaceBoard::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (looksAtFile()) look_.start();
  followVolumePoint();
  emit requestChanged();
  refresh();
}

void SpaceBoard::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  emit requestChanged();
}

}  // namespace gantry
