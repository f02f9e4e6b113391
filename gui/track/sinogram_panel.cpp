#include "gui/track/sinogram_panel.hpp"

#include "gui/stage/ray_images.hpp"
#include "gui/stage/view_state.hpp"
#include "gui/views/slice_view.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gantry {

SinogramPanel::SinogramPanel(const Catalog& catalog, ExperimentModel& model,
                             RunController& controller, QWidget* parent)
    : QWidget(parent),
      catalog_(catalog),
      model_(model),
      controller_(controller),
      mode_(new QComboBox(this)),
      row_(new QSlider(Qt::Horizontal, this)),
      rowLabel_(new QLabel(this)),
      readout_(new QLabel(this)),
      view_(new SliceView(this)) {
  mode_->addItems({tr("Measured"), tr("Computed"), tr("Residual")});
  mode_->setObjectName(QStringLiteral("sinogramMode"));
  mode_->setToolTip(
      tr("The data, the projection A x of the selected run's present estimate, or data minus "
         "projection"));
  row_->setAccessibleName(tr("Row of the detector"));
  view_->setVUp(false);
  view_->setScaleBar(false);
  view_->setInterpolation(Interpolation::nearest);
  auto* row = new QHBoxLayout;
  row->addWidget(mode_);
  row->addWidget(rowLabel_);
  row->addWidget(row_);
  row->addWidget(readout_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(2, 2, 2, 2);
  layout->addLayout(row);
  layout->addWidget(view_, 1);
  connect(mode_, &QComboBox::currentIndexChanged, this, [this] {
    windowFollowsData_ = true;
    redraw();
    emit wantsProjectionChanged();
  });
  connect(row_, &QSlider::valueChanged, this, &SinogramPanel::redraw);
  connect(view_, &SliceView::windowLevelChanged, this, [this](double window, double level) {
    windowFollowsData_ = false;
    view_->setWindowLevel(window, level);
  });
  connect(view_, &SliceView::viewChanged, view_, &SliceView::setView);
  connect(view_, &SliceView::viewReset, view_, &SliceView::fit);
  connect(view_, &SliceView::sliceStepRequested, this,
          [this](int steps) { row_->setValue(row_->value() + steps); });
  connect(view_, &SliceView::cursorMoved, this, &SinogramPanel::readOut);
  connect(view_, &SliceView::cursorLeft, this, [this] {
    readout_->clear();
    emit viewHovered(-1);
  });
  connect(&controller_, &RunController::dataChanged, this, &SinogramPanel::adoptData);
  connect(&controller_, &RunController::updatesEmitted, this, &SinogramPanel::redraw);
  adoptData();
}

SinogramPanel::Mode SinogramPanel::mode() const { return static_cast<Mode>(mode_->currentIndex()); }

bool SinogramPanel::wantsProjection() const { return isVisible() && mode() != measured; }

void SinogramPanel::setRun(int id) {
  id_ = id;
  redraw();
}

void SinogramPanel::adoptData() {
  const auto prepared = controller_.data();
  const int rows = prepared != nullptr ? prepared->geometry->rows() : 1;
  {
    const QSignalBlocker quiet(row_);
    row_->setRange(0, rows - 1);
    row_->setValue(rows / 2);
  }
  row_->setVisible(rows > 1);
  rowLabel_->setVisible(rows > 1);
  windowFollowsData_ = true;
  shown_.reset();
  redraw();
}

std::shared_ptr<SliceImage> SinogramPanel::rowImage(const std::vector<float>& rays) const {
  return std::make_shared<SliceImage>(
      sinogram_image(*controller_.data()->geometry, rays, row_->value(),
                     sinogram_aspect(view_->width(), view_->height())));
}

void SinogramPanel::redraw() {
  const auto prepared = controller_.data();
  if (!isVisible() || prepared == nullptr) return;
  const auto latest = controller_.status(id_).snapshot;
  const Ingredients ingredients{prepared.get(),
                                latest != nullptr ? latest->projection.get() : nullptr, mode(),
                                row_->value(), id_};
  if (ingredients == ingredients_) return;
  ingredients_ = ingredients;
  rowLabel_->setText(tr("row %1").arg(row_->value()));
  std::shared_ptr<SliceImage> image =
      mode() == computed ? nullptr : rowImage(prepared->line_integrals);
  const QString name =
      model_.run(id_) != nullptr ? QString::fromStdString(controller_.label(id_)) : QString();
  if (mode() != measured) {
    const bool usable = latest != nullptr && latest->projection != nullptr &&
                        latest->projection->size() == prepared->line_integrals.size();
    auto projected = usable ? rowImage(*latest->projection) : nullptr;
    if (mode() == residual && projected != nullptr)
      for (std::size_t i = 0; i < image->values.size(); ++i)
        image->values[i] -= projected->values[i];
    else
      image = projected;
    if (projected == nullptr) image = nullptr;
  }
  view_->setColourMap(mode() == residual ? ColourMap::diverging : ColourMap::grey);
  view_->setColourBar(true, {});
  view_->setTitle(
      mode() == measured
          ? tr("Sinogram: measured").toStdString()
          : tr("Sinogram: %1 of %2").arg(mode_->currentText().toLower(), name).toStdString());
  const QString notice = image == nullptr ? whyEmpty() : QString();
  view_->setNotice(notice.toStdString());
  view_->setAccessibleDescription(notice);
  if (image != nullptr && windowFollowsData_) {
    WindowLevel automatic = automatic_window(image->values, 0.998);
    if (mode() == residual)
      automatic = {2 * (std::abs(automatic.level) + 0.5 * automatic.window), 0};
    view_->setWindowLevel(automatic.window, automatic.level);
  }
  shown_ = std::move(image);
  view_->setImage(shown_);
}

/// Returns why there is no picture although the data are there.
QString SinogramPanel::whyEmpty() const {
  const RunStatus& run = controller_.status(id_);
  if (!run.hasEstimate()) return tr("available when the run has an estimate");
  if (run.data != controller_.data()) return tr("the run was computed from earlier data");
  return tr("the estimate is being projected");
}

void SinogramPanel::readOut(const PointMm& at) {
  if (shown_ == nullptr || !shown_->contains(at.u, at.v)) {
    readout_->clear();
    return emit viewHovered(-1);
  }
  const int cell = static_cast<int>(std::lround(at.u / shown_->du_mm)),
            view = static_cast<int>(std::lround(at.v / shown_->dv_mm));
  const double value =
      shown_->values[static_cast<std::size_t>(view) * static_cast<std::size_t>(shown_->width) +
                     static_cast<std::size_t>(cell)];
  const double angle = shown_angle_deg(*controller_.data()->geometry, view);
  readout_->setText(tr("cell %1, view %2 (%3°), p = %4")
                        .arg(cell)
                        .arg(view)
                        .arg(angle, 0, 'f', 1)
                        .arg(value, 0, 'g', 4));
  emit viewHovered(view);
}

QString SinogramPanel::caption() const {
  const auto prepared = controller_.data();
  return prepared == nullptr ? QString()
                             : tr("Sinogram, %1: %2; views downwards, cells across")
                                   .arg(mode_->currentText().toLower(),
                                        QString::fromStdString(describe(*prepared->geometry)));
}

void SinogramPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  redraw();
  emit wantsProjectionChanged();
}

void SinogramPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  ingredients_ = {};
  redraw();
}

void SinogramPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  emit wantsProjectionChanged();
}

}  // namespace gantry
