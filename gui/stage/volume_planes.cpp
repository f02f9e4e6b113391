#include "gui/stage/volume_planes.hpp"

#include "gui/stage/plane_lines.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/index_slider.hpp"
#include "gui/worker/volume_look.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

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
  auto* choices = new QHBoxLayout;
  choices->setContentsMargins(8, 4, 8, 4);
  choices->setSpacing(16);
  for (IndexSlider* choice : choices_) choices->addWidget(choice, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* ground = new QWidget(this);
  setStageGround(*ground);
  ground->setLayout(grid);
  layout->addWidget(ground, 1);
  layout->addLayout(choices);
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
  connect(&view, &SliceView::viewChanged, &view, &SliceView::setView);
  connect(&view, &SliceView::viewReset, &view, &SliceView::fit);
  connect(&view, &SliceView::maximiseRequested, this, [this, &view] { fill(&view); });
  connect(&view, &SliceView::sliceStepRequested, this, [this, axis](int steps) {
    const int all = size_[coordinate_of(axis)];
    std::array<int, 3> next = voxel_;
    next[coordinate_of(axis)] += std::clamp(steps, -all, all);
    setVoxel(next);
  });
  connect(&view, &SliceView::clicked, this, [this, axis](const PointMm& at) { moveTo(axis, at); });
  connect(&view, &SliceView::cursorMoved, this,
          [this, axis](const PointMm& at) { readOut(axis, at); });
  connect(&view, &SliceView::cursorLeft, this, [this] { emit readoutChanged({}); });
  connect(choices_[static_cast<std::size_t>(axis)], &IndexSlider::changed, this,
          [this, axis](int index) {
            std::array<int, 3> next = voxel_;
            next[coordinate_of(axis)] = index;
            setVoxel(next);
          });
}

/// Lets a plane fill the board, or shows all of them again.
void VolumePlanes::fill(QWidget* alone) {
  alone_ = alone_ == alone ? nullptr : alone;
  for (SliceView* view : planes_) {
    view->setVisible(alone_ == nullptr || view == alone_);
    view->fit();
  }
}

int VolumePlanes::indexOf(Axis axis) const { return voxel_[coordinate_of(axis)]; }

void VolumePlanes::setVoxel(const std::array<int, 3>& voxel) {
  for (std::size_t i = 0; i < 3; ++i)
    voxel_[i] = std::clamp(voxel[i], 0, std::max(0, size_[i] - 1));
  refresh();
}

/// A click in a plane moves the two others there.
void VolumePlanes::moveTo(Axis axis, const PointMm& at) {
  if (!look_.grid()) return;
  const Vec3 &origin = look_.grid()->origin_mm, &spacing = look_.grid()->spacing_mm;
  const std::array first = {origin.x, origin.y, origin.z}, step = {spacing.x, spacing.y, spacing.z};
  const auto [across, along] = lines_in(axis);
  std::array<int, 3> next = voxel_;
  for (const auto& [line, mm] : {std::pair{across, at.u}, std::pair{along, at.v}}) {
    const std::size_t i = coordinate_of(line);
    next[i] = static_cast<int>(std::lround((mm - first[i]) / step[i]));
  }
  setVoxel(next);
}

/// Begins with another volume, in its middle; with the rest of the same volume, nothing moves.
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
  if (!grid) windowIsSet_ = false;
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
  refresh();
}

/// Fits the window to the first slice that is there, until the data are those of the volume: the
/// automatic window is that of the data.
void VolumePlanes::setWindow() {
  const auto& image = plane(Axis::axial).slice().image();
  if (windowIsSet_ || image == nullptr) return;
  windowIsSet_ = true;
  const WindowLevel fitting = automatic_window(image->values);
  if (standsAlone_) state_.setWindowLevel(fitting.window, fitting.level);
}

void VolumePlanes::refresh() {
  if (!isVisible()) return;
  for (const Axis axis : plane_axes) showPlane(axis);
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
  const auto [across, along] = lines_in(axis);
  const QString at = tr("%1 mm").arg(slice_position_mm(grid, axis, indexOf(axis)), 0, 'f', 1);
  {
    const QSignalBlocker quiet(choices_[i]);
    choices_[i]->setValue(indexOf(axis));
    choices_[i]->setText(at);
  }
  view.setStatus(tr("slice %1 of %2 at %3")
                     .arg(indexOf(axis))
                     .arg(slice_count(grid, axis))
                     .arg(at)
                     .toStdString());
  view.setWindowLevel(state_.window(), state_.level());
  view.setInterpolation(state_.interpolation());
  view.setCrossHair(CrossHair{{slice_position_mm(grid, across, indexOf(across)),
                               slice_position_mm(grid, along, indexOf(along))},
                              colour_of_plane(across),
                              colour_of_plane(along)});
  // While a slice is being read, the earlier one stays.
  const auto image = look_.slice(axis, indexOf(axis));
  if (image != nullptr && image != view.slice().image()) view.setImage(image);
  const bool waits = view.slice().image() == nullptr;
  view.setNotice((!waits                      ? QString()
                  : look_.problem().isEmpty() ? tr("the rest of the file is being read")
                                              : look_.problem())
                     .toStdString());
}

void VolumePlanes::readOut(Axis axis, const PointMm& at) {
  const auto& image = plane(axis).slice().image();
  if (image == nullptr || !look_.grid() || !image->contains(at.u, at.v))
    return emit readoutChanged({});
  std::array<double, 3> point{};
  const auto [across, along] = lines_in(axis);
  point[coordinate_of(axis)] = slice_position_mm(*look_.grid(), axis, indexOf(axis));
  point[coordinate_of(across)] = at.u;
  point[coordinate_of(along)] = at.v;
  const double mu = image->value_at(at.u, at.v);
  emit readoutChanged(tr("%1:  x %2  y %3  z %4 mm   μ %5 1/mm (%6 HU), water %7")
                          .arg(look_.name())
                          .arg(point[0], 0, 'f', 1)
                          .arg(point[1], 0, 'f', 1)
                          .arg(point[2], 0, 'f', 1)
                          .arg(mu, 0, 'f', 5)
                          .arg(hu_from_mu(mu, state_.muWater()), 0, 'f', 0)
                          .arg(state_.muWater()));
}

void VolumePlanes::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  look_.start();
  refresh();
}

}  // namespace gantry
