#include "gui/stage/projection_board.hpp"

#include "charts/run_colours.hpp"
#include "gui/models/selection.hpp"
#include "gui/stage/drawn_marks.hpp"
#include "gui/stage/ray_images.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/index_slider.hpp"
#include "gui/worker/preview.hpp"

#include <QEvent>
#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

constexpr double beyond = 1e12;  // a coordinate at which a line of a cross-hair is not seen
constexpr Rgb markColour = rgb(0x5CE1E6);

/// Returns a cross-hair of which only the horizontal line, at this height, is in the picture.
CrossHair lineAt(double v) { return {{beyond, v}, markColour, markColour}; }

/// Returns the index of the line of pixels at a height, which may be beyond the edges; nothing
/// without a picture.
std::optional<int> lineAtHeight(const SliceView& view, double v) {
  const auto& image = view.slice().image();
  if (image == nullptr) return std::nullopt;
  const double line = (v - image->v0_mm) / image->dv_mm;
  return static_cast<int>(std::lround(std::clamp(line, -1.0, static_cast<double>(image->height))));
}

}  // namespace

ProjectionBoard::ProjectionBoard(RunController& controller, ViewState& state, Selection& selection,
                                 Preview& preview, Measurements& measurements, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      state_(state),
      selection_(selection),
      preview_(preview),
      grid_(new QGridLayout),
      projection_(new SliceView(this)),
      curve_(new ChartView(this)),
      sinogram_(new SliceView(this)),
      slice_(new SliceView(this)),
      marks_(new DrawnMarks(*slice_, state, measurements,
                            [this] {
                              static const VolumeGrid none;
                              return data_ == nullptr ? DrawnMarks::Place{Axis::axial, 0, none}
                                                      : DrawnMarks::Place{Axis::axial, sliceIndex(),
                                                                          data_->grid};
                            })),
      viewChoice_(new IndexSlider(tr("View"), tr("View, from 0 (wheel over the projection)"),
                                  QStringLiteral("-359.99°"), this)),
      rowChoice_(new IndexSlider(tr("Row"), tr("Detector row, from 0 (wheel over the sinogram)"),
                                 QStringLiteral("-1000.0 cells"), this)),
      sliceChoice_(new IndexSlider(tr("Slice"), tr("Slice of the grid, from 0"),
                                   QStringLiteral("-1000.0 cells"), this)) {
  viewChoice_->setObjectName(QStringLiteral("dataView"));
  rowChoice_->setObjectName(QStringLiteral("dataRow"));
  sliceChoice_->setObjectName(QStringLiteral("dataSlice"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* ground = new QWidget(this);
  setStageGround(*ground);
  ground->setLayout(grid_);
  const auto follow_ground = [this] { curve_->setBackground(StageLook::get().ground()); };
  connect(&StageLook::get(), &StageLook::changed, this, follow_ground);
  follow_ground();
  layout->addWidget(ground, 1);
  layout->addWidget(barOfSliders({viewChoice_, rowChoice_, sliceChoice_}, this));
  grid_->setContentsMargins(4, 4, 4, 4);
  grid_->setSpacing(4);
  sinogram_->setVUp(false);
  sinogram_->setScaleBar(false);
  sinogram_->installEventFilter(this);
  curve_->edit([](ChartScene& chart) {
    chart.setAxisTitles({tr("detector column").toStdString(), {}},
                        {tr("line integral p").toStdString(), {}});
  });
  connectViews();
  connectSlice();
  arrange();
}

bool ProjectionBoard::isVolume() const { return data_ != nullptr && data_->geometry->rows() > 1; }
int ProjectionBoard::view() const { return viewChoice_->value(); }
int ProjectionBoard::row() const { return rowChoice_->value(); }
void ProjectionBoard::setView(int view) { viewChoice_->setValue(view); }
void ProjectionBoard::setRow(int row) { rowChoice_->setValue(row); }

/// Places projection and sinogram at the left, one below the other, and the slice at the right; or
/// only the picture that is enlarged.
void ProjectionBoard::arrange() {
  QWidget* rays = isVolume() ? static_cast<QWidget*>(projection_) : curve_;
  const std::array<QWidget*, 4> all = {projection_, curve_, sinogram_, slice_};
  for (QWidget* part : all) {
    grid_->removeWidget(part);
    part->setVisible(alone_ == nullptr ? part == rays || part == sinogram_ || part == slice_
                                       : part == alone_);
  }
  if (alone_ != nullptr) return grid_->addWidget(alone_, 0, 0, 2, 2);
  // With a single detector row, the sinogram shows all data.
  grid_->addWidget(isVolume() ? rays : sinogram_, 0, 0);
  grid_->addWidget(isVolume() ? sinogram_ : rays, 1, 0);
  grid_->addWidget(slice_, 0, 1, 2, 1);
  grid_->setRowStretch(0, 3);
  grid_->setRowStretch(1, 2);
  grid_->setColumnStretch(0, 1);
  grid_->setColumnStretch(1, 1);
}

/// Enlarges a picture to the whole board, or shows all pictures again.
void ProjectionBoard::fill(QWidget* alone) {
  alone_ = alone_ == alone ? nullptr : alone;
  arrange();
  for (SliceView* view : {projection_, sinogram_}) view->fit();
  state_.setCamera(std::nullopt);
}

/// Projection and sinogram show the same quantity and therefore have one window.
void ProjectionBoard::connectRays(SliceView& view) {
  view.setInterpolation(Interpolation::nearest);
  view.setColourBar(true, tr("p, no unit").toStdString());
  connect(&view, &SliceView::windowLevelChanged, this, [this](double window, double level) {
    for (SliceView* other : {projection_, sinogram_}) other->setWindowLevel(window, level);
  });
  connect(&view, &SliceView::cursorLeft, this, &ProjectionBoard::leave);
  connect(&view, &SliceView::maximiseRequested, this, [this, &view] { fill(&view); });
}

void ProjectionBoard::connectViews() {
  connectRays(*projection_);
  connectRays(*sinogram_);
  connect(projection_, &SliceView::sliceStepRequested, this,
          [this](int steps) { setView(view() + steps); });
  connect(sinogram_, &SliceView::sliceStepRequested, this,
          [this](int steps) { isVolume() ? setRow(row() + steps) : setView(view() + steps); });
  connect(projection_, &SliceView::cursorMoved, this, &ProjectionBoard::pointAtProjection);
  connect(sinogram_, &SliceView::cursorMoved, this, &ProjectionBoard::pointAtSinogram);
  for (const auto chosen : {&SliceView::clicked, &SliceView::crossHairDragged}) {
    connect(projection_, chosen, this, [this](const PointMm& at) {
      if (const auto line = lineAtHeight(*projection_, at.v)) setRow(*line);
    });
    connect(sinogram_, chosen, this, [this](const PointMm& at) {
      if (const auto line = lineAtHeight(*sinogram_, at.v)) setView(*line);
    });
  }
  connect(viewChoice_, &IndexSlider::changed, this, &ProjectionBoard::showView);
  connect(rowChoice_, &IndexSlider::changed, this, [this] {
    showRow();
    followSlice();
  });
  connect(&controller_, &RunController::dataChanged, this, &ProjectionBoard::adoptData);
}

/// Profiles and values of regions are of the plane that the views have in common, which is the one
/// shown here once something is drawn in it.
void ProjectionBoard::showPlaneToDrawIn() {
  if (state_.drawMode() != DrawMode::none && data_ != nullptr)
    state_.setPlane(Axis::axial, sliceIndex());
}

void ProjectionBoard::connectSlice() {
  connect(slice_, &SliceView::pressed, this, &ProjectionBoard::showPlaneToDrawIn);
  connect(slice_, &SliceView::sliceStepRequested, this, &ProjectionBoard::stepSlice);
  connect(slice_, &SliceView::windowLevelChanged, this,
          [this](double window, double level) { state_.setWindowLevel(window, level); });
  connect(slice_, &SliceView::viewChanged, this,
          [this](const SliceCamera& camera) { state_.setCamera(camera); });
  connect(slice_, &SliceView::viewReset, this, [this] { state_.setCamera(std::nullopt); });
  connect(slice_, &SliceView::maximiseRequested, this, [this] { fill(slice_); });
  connect(slice_, &SliceView::cursorMoved, this, &ProjectionBoard::pointAtSlice);
  connect(slice_, &SliceView::cursorLeft, this, &ProjectionBoard::leave);
  connect(sliceChoice_, &IndexSlider::changed, this,
          [this](int index) { state_.setPlane(Axis::axial, index); });
  connect(&state_, &ViewState::planeChanged, this, &ProjectionBoard::showSlice);
  connect(&state_, &ViewState::windowChanged, this, &ProjectionBoard::showSlice);
  connect(&state_, &ViewState::interpolationChanged, this, &ProjectionBoard::showSlice);
  connect(&state_, &ViewState::cameraChanged, this, [this] {
    if (!state_.camera())  // everything is to be shown again
      for (SliceView* view : {projection_, sinogram_}) view->fit();
    showSlice();
  });
  connect(&preview_, &Preview::changed, this, &ProjectionBoard::showSlice);
}

void ProjectionBoard::adoptData() {
  data_ = controller_.data();
  const ScanGeometry& geometry = *data_->geometry;
  alone_ = nullptr;
  arrange();
  {
    const QSignalBlocker q1(viewChoice_), q2(rowChoice_), q3(sliceChoice_);
    viewChoice_->setCount(geometry.views());
    viewChoice_->setValue(0);
    rowChoice_->setCount(geometry.rows());
    rowChoice_->setValue(geometry.rows() / 2);
    sliceChoice_->setCount(data_->grid.nz);
  }
  const WindowLevel automatic = automatic_window(data_->line_integrals, 0.998);
  for (SliceView* view : {projection_, sinogram_}) {
    view->setImage(nullptr);
    view->fit();
    view->setWindowLevel(automatic.window, automatic.level);
  }
  // The ends of the columns have no labels, which would collide with those of rows and views.
  projection_->setEdgeLetters(
      {{}, {}, tr("row %1").arg(geometry.rows() - 1).toStdString(), tr("row 0").toStdString()});
  sinogram_->setEdgeLetters({{},
                             {},
                             tr("view 0, %1").arg(angleOf(0)).toStdString(),
                             tr("view %1, %2")
                                 .arg(geometry.views() - 1)
                                 .arg(angleOf(geometry.views() - 1))
                                 .toStdString()});
  slice_->setEdgeLetters(letters_for(Axis::axial, data_->radiological));
  slice_->setVUp(!data_->radiological);
  for (SliceView* view : {projection_, slice_}) view->setLengthsAreKnown(data_->lengths_are_known);
  showRow();
  showView();
  showSlice();
}

QString ProjectionBoard::angleOf(int view) const {
  return tr("%1°").arg(shown_angle_deg(*data_->geometry, view), 0, 'f', 1);
}

void ProjectionBoard::showView() {
  if (!isVisible() || data_ == nullptr) return;
  const int v = view();
  viewChoice_->setText(angleOf(v));
  if (const auto& image = sinogram_->slice().image())
    sinogram_->setCrossHair(lineAt(v * image->dv_mm));
  selection_.pointAtView(v);
  if (!isVolume()) {
    showCurve();
    return readAgain();
  }
  projection_->setTitle(tr("View %1 at %2").arg(v).arg(angleOf(v)).toStdString());
  projection_->setStatus(tr("columns across, rows upwards").toStdString());
  projection_->setImage(std::make_shared<const SliceImage>(
      projection_image(*data_->geometry, data_->line_integrals, v)));
  readAgain();
}

/// Shows the projection of a scan with a single detector row.
void ProjectionBoard::showCurve() {
  const SliceImage image = projection_image(*data_->geometry, data_->line_integrals, view());
  std::vector<double> columns, values(image.values.begin(), image.values.end());
  for (int c = 0; c < image.width; ++c) columns.push_back(c);
  const std::string label = tr("view %1 at %2").arg(view()).arg(angleOf(view())).toStdString();
  curve_->edit([&](ChartScene& chart) {
    chart.setSeries("view", {label, runColour(0), LineStyle::solid, 1.5, false});
    chart.setData("view", std::move(columns), std::move(values));
  });
}

void ProjectionBoard::showRow() {
  if (!isVisible() || data_ == nullptr) return;
  const ScanGeometry& geometry = *data_->geometry;
  const auto height = row_height_mm(geometry, row());
  rowChoice_->setText(height ? state_.lengthText(*height) : QString());
  sinogram_->setTitle(
      (isVolume() ? tr("Sinogram of row %1").arg(row()) : tr("Sinogram")).toStdString());
  sinogram_->setStatus(tr("columns across, views downwards").toStdString());
  auto image = std::make_shared<const SliceImage>(
      sinogram_image(geometry, data_->line_integrals, row(),
                     sinogram_aspect(sinogram_->width(), sinogram_->height())));
  sinogram_->setImage(image);
  sinogram_->setCrossHair(lineAt(view() * image->dv_mm));
  if (isVolume()) {
    const ScanSpec& spec = geometry.spec();
    projection_->setCrossHair(lineAt((row() - spec.central_row) * spec.row_pitch_mm));
  }
  readAgain();
}

int ProjectionBoard::sliceIndex() const {
  const int slices = data_->grid.nz;
  return state_.axis() == Axis::axial ? std::clamp(state_.slice(), 0, slices - 1) : slices / 2;
}

void ProjectionBoard::showSlice() {
  if (!isVisible() || data_ == nullptr) return;
  const int index = sliceIndex();
  const QString height = state_.lengthText(slice_position_mm(data_->grid, Axis::axial, index));
  {
    const QSignalBlocker quiet(sliceChoice_);
    sliceChoice_->setValue(index);
    sliceChoice_->setText(height);
  }
  preview_.request();
  const auto image = preview_.slice(Axis::axial, index);
  slice_->setTitle((image != nullptr ? preview_.text() : tr("Preview")).toStdString());
  slice_->setStatus(
      (data_->grid.nz > 1 ? tr("slice %1 at %2").arg(index).arg(height) : tr("one slice"))
          .toStdString());
  slice_->setNotice((image != nullptr               ? QString()
                     : preview_.problem().isEmpty() ? tr("being reconstructed")
                                                    : tr("none: %1").arg(preview_.problem()))
                        .toStdString());
  if (image != slice_->slice().image()) slice_->setImage(image);
  slice_->setWindowLevel(state_.window(), state_.level());
  slice_->setInterpolation(state_.interpolation());
  state_.camera() ? slice_->setView(*state_.camera()) : slice_->fit();
  marks_->show();
  readAgain();
}

/// Shows the slice that the detector row measures on the axis, where there is one.
void ProjectionBoard::followSlice() {
  if (data_ == nullptr || data_->grid.nz < 2) return;
  const auto height = row_height_mm(*data_->geometry, row());
  if (!height) return;
  const VolumeGrid& grid = data_->grid;
  const double index = (*height - grid.origin_mm.z) / grid.spacing_mm.z;
  state_.setPlane(Axis::axial, std::clamp(static_cast<int>(std::lround(index)), 0, grid.nz - 1));
}

/// Moves through the slices. If a detector row measures the slice, the sinogram shows this row.
void ProjectionBoard::stepSlice(int steps) {
  if (data_ == nullptr || data_->grid.nz < 2) return;
  const int next = std::clamp(sliceIndex() + std::clamp(steps, -data_->grid.nz, data_->grid.nz), 0,
                              data_->grid.nz - 1);
  state_.setPlane(Axis::axial, next);
  const ScanGeometry& geometry = *data_->geometry;
  const auto first = row_height_mm(geometry, 0), second = row_height_mm(geometry, 1);
  if (!first) return;
  const double z = slice_position_mm(data_->grid, Axis::axial, next);
  const QSignalBlocker quiet(rowChoice_);
  setRow(static_cast<int>(std::lround((z - *first) / (*second - *first))));
  showRow();
}

// ---- The mouse

QString ProjectionBoard::valueAt(int view, int row, int column) const {
  const ScanGeometry& geometry = *data_->geometry;
  const std::size_t at =
      static_cast<std::size_t>(view) * geometry.cells() + cell_index(geometry, column, row);
  const QString place = geometry.rows() > 1 ? tr("row %1, ").arg(row) : QString();
  return tr("view %1 (%2), %3column %4:  p %5")
      .arg(view)
      .arg(angleOf(view))
      .arg(place)
      .arg(column)
      .arg(static_cast<double>(data_->line_integrals[at]), 0, 'g', 4);
}

/// Marks a cell of a view in projection and sinogram, where these show the cell.
void ProjectionBoard::pointAt(const std::optional<Cell>& cell, int view) {
  std::optional<PointMm> in_projection, in_sinogram;
  if (cell && sinogram_->slice().image() != nullptr)
    in_sinogram = PointMm{cell->column, view * sinogram_->slice().image()->dv_mm};
  if (const auto& image = projection_->slice().image(); cell && image && view == this->view())
    in_projection = PointMm{image->u0_mm + cell->column * image->du_mm,
                            image->v0_mm + cell->row * image->dv_mm};
  sinogram_->setCursor(in_sinogram);
  projection_->setCursor(in_projection);
}

void ProjectionBoard::pointAtProjection(const PointMm& at) {
  pointed_ = [this, at] { pointAtProjection(at); };
  const auto& image = projection_->slice().image();
  if (image == nullptr || !image->contains(at.u, at.v)) return leave();
  const Cell cell{(at.u - image->u0_mm) / image->du_mm, (at.v - image->v0_mm) / image->dv_mm};
  pointAt(cell, view());
  emit readoutChanged(valueAt(view(), static_cast<int>(std::lround(cell.row)),
                              static_cast<int>(std::lround(cell.column))));
}

void ProjectionBoard::pointAtSinogram(const PointMm& at) {
  pointed_ = [this, at] { pointAtSinogram(at); };
  const auto& image = sinogram_->slice().image();
  if (image == nullptr || !image->contains(at.u, at.v)) return leave();
  const int v = static_cast<int>(std::lround(at.v / image->dv_mm)),
            column = static_cast<int>(std::lround(at.u));
  pointAt(Cell{at.u, static_cast<double>(row())}, v);
  selection_.pointAtView(v);
  emit readoutChanged(valueAt(v, row(), column));
}

void ProjectionBoard::pointAtSlice(const PointMm& at) {
  pointed_ = [this, at] { pointAtSlice(at); };
  const auto& image = slice_->slice().image();
  if (image == nullptr || !image->contains(at.u, at.v)) return leave();
  const double z = slice_position_mm(data_->grid, Axis::axial, sliceIndex());
  slice_->setCursor(at);
  pointAt(cell_of(*data_->geometry, view(), {at.u, at.v, z}), view());
  const int decimals = state_.lengthDecimals();
  emit readoutChanged(tr("x %1  y %2  z %3   %4")
                          .arg(at.u, 0, 'f', decimals)
                          .arg(at.v, 0, 'f', decimals)
                          .arg(state_.lengthText(z), state_.textOf(image->value_at(at.u, at.v))));
}

/// Updates the value under the mouse after the pictures have changed.
void ProjectionBoard::readAgain() {
  // A copy is called, because the function sets pointed_.
  if (const auto point = pointed_) point();
}

void ProjectionBoard::leave() {
  pointed_ = nullptr;
  pointAt(std::nullopt, view());
  slice_->setCursor(std::nullopt);
  selection_.pointAtView(view());
  emit readoutChanged({});
}

void ProjectionBoard::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  preview_.setFollowsTrials(true);
  showRow();
  showView();
  showSlice();
}

void ProjectionBoard::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  preview_.setFollowsTrials(false);
}

/// The sinogram takes the proportions of its view.
bool ProjectionBoard::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize) showRow();
  return QWidget::eventFilter(object, event);
}

}  // namespace gantry
