#include "gui/stage/volume_planes.hpp"

#include "gui/stage/plane_lines.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/index_slider.hpp"
#include "gui/worker/volume_look.hpp"

#include <QGridLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

const std::array names = {QT_TRANSLATE_NOOP("gantry::VolumePlanes", "Axial"),
                          QT_TRANSLATE_NOOP("gantry::VolumePlanes", "Coronal"),
                          QT_TRANSLATE_NOOP("gantry::VolumePlanes", "Sagittal")};

}  // namespace

VolumePlanes::VolumePlanes(VolumeLook& look, ViewState& state, QWidget* parent)
    : QWidget(parent), look_(look), state_(state) {
  for (const Axis axis : plane_axes) {
    const auto i = static_cast<std::size_t>(axis);
    planes_[i] = new SliceView(this);
    choices_[i] = new IndexSlider(tr(names[i]), tr("Slice, from 0 (wheel over the plane)"),
                                  QStringLiteral("-1000.0 mm"), this);
    choices_[i]->setObjectName(QStringLiteral("plane%1").arg(i));
    connectPlane(axis);
  }
  auto* grid = new QGridLayout;
  grid->setContentsMargins(4, 4, 4, 4);
  grid->setSpacing(4);
  grid->addWidget(&plane(Axis::axial), 0, 0, 2, 1);
  grid->addWidget(&plane(Axis::coronal), 0, 1);
  grid->addWidget(&plane(Axis::sagittal), 1, 1);
  grid->setColumnStretch(0, 3);
  grid->setColumnStretch(1, 2);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* ground = new QWidget(this);
  setStageGround(*ground);
  ground->setLayout(grid);
  layout->addWidget(ground, 1);
  layout->addWidget(barOfSliders({choices_.begin(), choices_.end()}, this));
  connect(&look_, &VolumeLook::changed, this, &VolumePlanes::adopt);
  connect(&state_, &ViewState::windowChanged, this, &VolumePlanes::refresh);
  connect(&state_, &ViewState::interpolationChanged, this, &VolumePlanes::refresh);
  connect(&state_, &ViewState::cameraChanged, this, [this] {
    if (state_.camera()) return;
    for (SliceView* view : planes_) view->fit();  // everything is to be shown again
  });
}

void VolumePlanes::connectPlane(Axis axis) {
  SliceView& view = plane(axis);
  connect(&view, &SliceView::windowLevelChanged, this,
          [this](double window, double level) { state_.setWindowLevel(window, level); });
  connect(&view, &SliceView::maximiseRequested, this, [this, &view] { fill(&view); });
  connect(&view, &SliceView::sliceStepRequested, this, [this, axis](int steps) {
    const int all = size_[coordinate_of(axis)];
    std::array<int, 3> next = voxel_;
    next[coordinate_of(axis)] += std::clamp(steps, -all, all);
    setVoxel(next);
  });
  for (const auto chosen : {&SliceView::clicked, &SliceView::crossHairDragged})
    connect(&view, chosen, this, [this, axis](const PointMm& at) { moveTo(axis, at); });
  connect(&view, &SliceView::cursorMoved, this, [this, axis](const PointMm& at) {
    pointed_ = {axis, at};
    readOut();
  });
  connect(&view, &SliceView::cursorLeft, this, [this] {
    pointed_.reset();
    emit readoutChanged({});
  });
  connect(choices_[static_cast<std::size_t>(axis)], &IndexSlider::changed, this,
          [this, axis](int index) {
            std::array<int, 3> next = voxel_;
            next[coordinate_of(axis)] = index;
            setVoxel(next);
          });
}

/// Enlarges a plane to the whole board, or shows all planes again.
void VolumePlanes::fill(QWidget* alone) {
  alone_ = alone_ == alone ? nullptr : alone;
  for (SliceView* view : planes_) {
    view->setVisible(alone_ == nullptr || view == alone_);
    view->fit();
  }
}

int VolumePlanes::indexOf(Axis axis) const { return voxel_[coordinate_of(axis)]; }

void VolumePlanes::setVoxel(const std::array<int, 3>& voxel) {
  place(voxel);
  if (const auto& grid = look_.grid())
    state_.setVolumePoint(grid->voxel_center_mm(voxel_[0], voxel_[1], voxel_[2]));
  refresh();
}

void VolumePlanes::place(const std::array<int, 3>& voxel) {
  for (std::size_t i = 0; i < 3; ++i)
    voxel_[i] = std::clamp(voxel[i], 0, std::max(0, size_[i] - 1));
}

/// A click in a plane, or a drag of its cross-hair, moves the two other planes to this point.
void VolumePlanes::moveTo(Axis axis, const PointMm& at) {
  if (!look_.grid()) return;
  setVoxel(voxel_near(*look_.grid(), point_in(axis, *look_.grid(), voxel_, at)));
}

/// Begins with another volume, at its middle. If the grid belongs to the same volume, of which more
/// has been read, the planes are not moved.
void VolumePlanes::adopt() {
  const auto& grid = look_.grid();
  const std::array<int, 3> size =
      grid ? std::array<int, 3>{grid->nx, grid->ny, grid->nz} : std::array<int, 3>{};
  const auto whole = look_.volume();
  const bool radiological = whole != nullptr && whole->frame.has_value();
  for (const Axis axis : plane_axes) {
    plane(axis).setVUp(!(radiological && axis == Axis::axial));
    plane(axis).setEdgeLetters(letters_for(axis, radiological));
  }
  if (!grid) {
    windowIsSet_ = false;
    state_.setVolumePoint(std::nullopt);
  }
  if (size != size_) {
    size_ = size;
    voxel_ = {size[0] / 2, size[1] / 2, size[2] / 2};
    if (alone_ != nullptr) fill(alone_);
    for (const Axis axis : plane_axes) {
      const auto i = static_cast<std::size_t>(axis);
      const QSignalBlocker quiet(choices_[i]);
      choices_[i]->setCount(size[coordinate_of(axis)]);
      planes_[i]->setImage(nullptr);
      planes_[i]->fit();
    }
  }
  if (const auto point = grid ? std::exchange(returnTo_, {}) : std::nullopt)
    return setVoxel(voxel_near(*grid, *point));
  refresh();
}

/// Fits the window to the first slice that has been read. Once the data of this volume are
/// prepared, the automatic window is that of the data.
void VolumePlanes::setWindow() {
  const auto& image = plane(Axis::axial).slice().image();
  if (windowIsSet_ || image == nullptr) return;
  windowIsSet_ = true;
  const WindowLevel fitting = automatic_window(*image);
  if (standsAlone_) state_.setWindowLevel(fitting.window, fitting.level);
}

void VolumePlanes::refresh() {
  if (!isVisible()) return;
  for (const Axis axis : plane_axes) showPlane(axis);
  readOut();
  setWindow();
}

void VolumePlanes::showPlane(Axis axis) {
  SliceView& view = plane(axis);
  const auto i = static_cast<std::size_t>(axis);
  view.setTitle(tr(names[i]).toStdString(), colour_of_plane(axis));
  if (!look_.grid()) {
    view.setImage(nullptr);
    view.setCrossHair(std::nullopt);
    view.setStatus({});
    view.setNotice((look_.problem().isEmpty() ? tr("being read") : look_.problem()).toStdString());
    return;
  }
  const VolumeGrid& grid = *look_.grid();
  const QString at = tr("%1 mm").arg(slice_position_mm(grid, axis, indexOf(axis)), 0, 'f', 1);
  {
    const QSignalBlocker quiet(choices_[i]);
    choices_[i]->setValue(indexOf(axis));
    choices_[i]->setText(at);
  }
  view.setStatus(tr("slice %1 (0 to %2) at %3")
                     .arg(indexOf(axis))
                     .arg(slice_count(grid, axis) - 1)
                     .arg(at)
                     .toStdString());
  view.setWindowLevel(state_.window(), state_.level());
  view.setInterpolation(state_.interpolation());
  view.setCrossHair(cross_in(axis, grid, voxel_));
  // While a slice is being read, the earlier one stays.
  const auto image = look_.slice(axis, indexOf(axis));
  if (image != nullptr && image != view.slice().image()) view.setImage(image);
  const bool waits = view.slice().image() == nullptr;
  view.setNotice((!waits                      ? QString()
                  : look_.problem().isEmpty() ? tr("the rest of the file is being read")
                                              : look_.problem())
                     .toStdString());
}

/// Updates the value under the mouse, if the mouse points at a plane.
void VolumePlanes::readOut() {
  if (!pointed_) return;
  const auto [axis, at] = *pointed_;
  const auto& image = plane(axis).slice().image();
  if (image == nullptr || !look_.grid() || !image->contains(at.u, at.v))
    return emit readoutChanged({});
  const Vec3 point = point_in(axis, *look_.grid(), voxel_, at);
  emit readoutChanged(tr("%1:  x %2  y %3  z %4 mm   %5")
                          .arg(look_.name())
                          .arg(point.x, 0, 'f', 1)
                          .arg(point.y, 0, 'f', 1)
                          .arg(point.z, 0, 'f', 1)
                          .arg(state_.textOf(image->value_at(at.u, at.v))));
}

void VolumePlanes::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  look_.start();
  if (look_.grid() && state_.volumePoint()) place(voxel_near(*look_.grid(), *state_.volumePoint()));
  refresh();
}

}  // namespace gantry
