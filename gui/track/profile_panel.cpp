#include "gui/track/profile_panel.hpp"

#include "charts/run_colours.hpp"
#include "gui/views/chart_view.hpp"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int bins = 128;

Histogram histogram_of(const SliceImage& image, double low, double high, Rgb colour) {
  Histogram histogram;
  histogram.colour = colour;
  histogram.counts.assign(bins, 0);
  for (int i = 0; i <= bins; ++i) histogram.edges.push_back(low + (high - low) * i / bins);
  for (const float value : image.values) {
    const double place = (value - low) / (high - low) * bins;
    if (place >= 0 && place < bins) ++histogram.counts[static_cast<std::size_t>(place)];
  }
  return histogram;
}

QVBoxLayout* tightLayout(QWidget* widget) {
  auto* layout = new QVBoxLayout(widget);
  layout->setContentsMargins(2, 2, 2, 2);
  return layout;
}

}  // namespace

ProfilePanel::ProfilePanel(SliceBoard& board, ViewState& state, QWidget* parent)
    : QWidget(parent), board_(board), state_(state), chart_(new ChartView(this)) {
  tightLayout(this)->addWidget(chart_);
  connect(&state_, &ViewState::profileChanged, this, &ProfilePanel::redraw);
  connect(&board_, &SliceBoard::shownImagesChanged, this, &ProfilePanel::redraw);
}

std::vector<ProfilePanel::Curve> ProfilePanel::curves() const {
  std::vector<Curve> all;
  if (!state_.profile()) return all;
  for (const MeasuredImage& one : board_.measuredImages())
    all.push_back({one.id, one.name.toStdString(),
                   one.colour < 0 ? rgb(0x808080) : runColour(static_cast<std::size_t>(one.colour)),
                   sample_profile(*one.image, *state_.profile())});
  // Drawn last, because noisy runs would hide the reference.
  std::ranges::stable_partition(
      all, [](const Curve& curve) { return curve.id != SliceTile::referenceId; });
  return all;
}

/// Says what is missing, where the chart has no curve.
std::string ProfilePanel::hint() const {
  if (!state_.profile())
    return tr("Press L and drag a line on a slice, in Data or Compare").toStdString();
  return tr("No picture along the line yet: the preview of the data or a run gives one")
      .toStdString();
}

void ProfilePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  redraw();
}

void ProfilePanel::redraw() {
  if (!isVisible()) return;
  const std::vector<Curve> all = curves();
  chart_->edit([&](ChartScene& chart) {
    chart.clear();
    chart.setHint(hint());
    chart.setAxisTitles({tr("along the line").toStdString(), state_.lengthUnit().toStdString()},
                        {"μ", state_.muUnit().toStdString()});
    for (const Curve& curve : all) {
      const std::string id = std::to_string(curve.id);
      const bool reference = curve.id == SliceTile::referenceId;
      chart.setSeries(id, {curve.label, curve.colour,
                           reference ? LineStyle::dashed : LineStyle::solid, 1.5, false});
      chart.setData(id, curve.profile.position_mm, curve.profile.value);
    }
  });
}

QString ProfilePanel::caption() const {
  if (!state_.profile()) return {};
  const LineSegment& line = *state_.profile();
  return tr("Attenuation along the line from (%1, %2) to (%3, %4) %5")
      .arg(line.u0_mm, 0, 'f', 1)
      .arg(line.v0_mm, 0, 'f', 1)
      .arg(line.u1_mm, 0, 'f', 1)
      .arg(line.v1_mm, 0, 'f', 1)
      .arg(state_.lengthUnit());
}

QString ProfilePanel::csv() const {
  const std::vector<Curve> all = curves();
  QString text = QStringLiteral("# ") + caption() + QStringLiteral("\nposition_mm");
  std::size_t rows = all.empty() ? 0 : all.front().profile.position_mm.size();
  for (const Curve& curve : all) {
    text += QStringLiteral(",\"%1 (%2)\"")
                .arg(QString::fromStdString(curve.label)
                         .replace(QLatin1Char('"'), QLatin1String("\"\"")))
                .arg(state_.muUnit());
    rows = std::min(rows, curve.profile.value.size());
  }
  text += QLatin1Char('\n');
  for (std::size_t i = 0; i < rows; ++i) {
    text += QString::number(all.front().profile.position_mm[i], 'g', 10);
    for (const Curve& curve : all)
      text += QLatin1Char(',') + QString::number(curve.profile.value[i], 'g', 9);
    text += QLatin1Char('\n');
  }
  return text;
}

HistogramPanel::HistogramPanel(SliceBoard& board, ViewState& state, QWidget* parent)
    : QWidget(parent), board_(board), state_(state), chart_(new ChartView(this)) {
  tightLayout(this)->addWidget(chart_);
  chart_->edit([](ChartScene& chart) {
    chart.setLogY(true);
    chart.setHint(tr("No image yet").toStdString());
  });
  connect(&board_, &SliceBoard::shownImagesChanged, this, &HistogramPanel::redraw);
  connect(&board_, &SliceBoard::activeTileChanged, this, &HistogramPanel::redraw);
  connect(&state_, &ViewState::windowChanged, this, &HistogramPanel::redraw);
  connect(chart_, &ChartView::windowLimitsChanged, this, [this](double low, double high) {
    if (high > low) state_.setWindowLevel(high - low, 0.5 * (low + high));
  });
}

QString HistogramPanel::caption() const {
  const SliceTile* tile = board_.activeTile();
  return tile == nullptr ? QString() : tr("Histogram of %1").arg(tile->caption());
}

void HistogramPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  redraw();
}

void HistogramPanel::redraw() {
  if (!isVisible()) return;
  const SliceTile* tile = board_.activeTile();
  if (tile == nullptr) return;
  const auto plane = tile->plane();
  const auto image = board_.slice(tile->id(), plane.axis, plane.index);
  const double low = state_.level() - 0.5 * state_.window(),
               high = state_.level() + 0.5 * state_.window();
  chart_->edit([&](ChartScene& chart) {
    chart.setAxisTitles(
        {tr("μ of %1").arg(tile->title()).toStdString(), state_.muUnit().toStdString()},
        {tr("pixels").toStdString(), {}});
    if (image == nullptr) {
      chart.setHistogram(std::nullopt);
      chart.setWindowLimits(std::nullopt);
    } else if (image != shown_) {
      const WindowLevel all = automatic_window(image->values, 0.9998);
      chart.setHistogram(histogram_of(*image, all.level - 0.55 * all.window,
                                      all.level + 0.55 * all.window, rgb(0x7F8FA6)));
    }
    if (image != nullptr) chart.setWindowLimits(std::pair{low, high});
  });
  shown_ = image;
}

}  // namespace gantry
