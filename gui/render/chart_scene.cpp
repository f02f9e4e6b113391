#include "gui/render/chart_scene.hpp"

#include "gui/render/curve_plot.hpp"
#include "gui/render/overlay_prop.hpp"
#include "gui/render/painting/window_texts.hpp"

#include <vtkAxis.h>
#include <vtkChartXY.h>
#include <vtkContextActor.h>
#include <vtkContextScene.h>
#include <vtkRect.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

ChartScene::ChartScene()
    : ground_(vtkSmartPointer<OverlayProp>::New()),
      front_(vtkSmartPointer<OverlayProp>::New()),
      actor_(vtkSmartPointer<vtkContextActor>::New()),
      chart_(vtkSmartPointer<vtkChartXY>::New()),
      curves_(vtkSmartPointer<CurvePlot>::New()) {
  ground_->setBeneath(true);
  ground_->setDraw([this](Painter& painter) {
    drawChartBackground(painter, model_, layout(), notes_, theme());
  });
  front_->setDraw(
      [this](Painter& painter) { drawChartFront(painter, model_, layout(), notes_, theme()); });
  curves_->setDraw(renderer(),
                   [this](Painter& painter) { drawCurves(painter, model_, layout().transform); });
  chart_->AddPlot(curves_);
  chart_->SetLayoutStrategy(vtkChart::AXES_TO_RECT);
  chart_->SetAutoAxes(false);
  chart_->SetHiddenAxisBorder(0);
  for (int i = 0; i < 4; ++i) {
    chart_->GetAxis(i)->SetVisible(false);
    chart_->GetAxis(i)->SetGridVisible(false);
    chart_->GetAxis(i)->SetTitle("");
    chart_->GetAxis(i)->SetBehavior(vtkAxis::FIXED);
  }
  actor_->GetScene()->SetRenderer(renderer());
  actor_->GetScene()->AddItem(chart_);
  addOverlay(*ground_);
  renderer()->AddViewProp(actor_);
  addOverlay(*front_);
}

ChartScene::~ChartScene() {
  detach();
  ground_->setDraw(nullptr);
  front_->setDraw(nullptr);
  curves_->setDraw(nullptr, nullptr);
}

void ChartScene::setSeries(const std::string& id, const SeriesStyle& style) {
  model_.setSeries(id, style);
  stale_layout_ = true;
}

void ChartScene::setData(const std::string& id, std::vector<double> xs, std::vector<double> ys) {
  model_.setData(id, std::move(xs), std::move(ys));
  stale_layout_ = true;
}

void ChartScene::append(const std::string& id, double x, double y) {
  model_.append(id, x, y);
  stale_layout_ = true;
}

void ChartScene::setMarks(const std::string& id, std::vector<ChartMark> marks) {
  model_.setMarks(id, std::move(marks));
  stale_layout_ = true;
}

void ChartScene::remove(const std::string& id) {
  model_.remove(id);
  if (notes_.hover && notes_.hover->id == id) notes_.hover.reset();
  stale_layout_ = true;
}

void ChartScene::clear() {
  model_.clear();
  notes_.hover.reset();
  stale_layout_ = true;
}

void ChartScene::show(ChartModel model, ChartAnnotations notes) {
  model_ = std::move(model);
  notes_ = std::move(notes);
  resetRange();
}

void ChartScene::setHistogram(std::optional<Histogram> histogram) {
  model_.setHistogram(std::move(histogram));
  stale_layout_ = true;
}

void ChartScene::setAxisTitles(const AxisTitle& x, const AxisTitle& y) {
  notes_.x = x;
  notes_.y = y;
  stale_layout_ = true;
}

void ChartScene::setLogY(bool log) {
  if (log == model_.logY()) return;
  model_.setLogY(log);
  forgetRange();
}

void ChartScene::setLogX(bool log) {
  if (log == model_.logX()) return;
  model_.setLogX(log);
  forgetRange();
}

/// Drops the range and the hover mark, which have no meaning on an axis of another scale.
void ChartScene::forgetRange() {
  notes_.hover.reset();
  range_.reset();
  stale_layout_ = true;
}

void ChartScene::setHint(const std::string& hint) { notes_.hint = hint; }
void ChartScene::setMarker(std::optional<ChartMarker> marker) { notes_.marker = std::move(marker); }
void ChartScene::setWindowLimits(std::optional<std::pair<double, double>> limits) {
  notes_.limits = limits;
}
void ChartScene::setHover(std::optional<ChartHit> hit) { notes_.hover = std::move(hit); }

bool ChartScene::isOnMarker(double x_px, double y_px) const {
  constexpr double reach = 7;
  return notes_.marker && !model_.empty() && plotRect().grown(4).contains(x_px, y_px) &&
         std::abs(x_px - toDisplay(notes_.marker->x, 1).x) <= reach;
}

LimitPart ChartScene::limitAt(double x_px, double y_px) const {
  if (!notes_.limits || model_.empty() || !plotRect().grown(4).contains(x_px, y_px))
    return LimitPart::none;
  constexpr double reach = 7;
  const double low = toDisplay(notes_.limits->first, 1).x,
               high = toDisplay(notes_.limits->second, 1).x;
  const double to_low = std::abs(x_px - low), to_high = std::abs(x_px - high);
  if (std::min(to_low, to_high) <= reach)
    return to_low < to_high ? LimitPart::low : LimitPart::high;
  return x_px > low && x_px < high ? LimitPart::body : LimitPart::none;
}

ChartRange ChartScene::range() const {
  if (range_) return *range_;
  return model_.fullRange().value_or(ChartRange{});
}

void ChartScene::setRange(const ChartRange& range) {
  const bool usable = std::isfinite(range.x0) && std::isfinite(range.x1) &&
                      std::isfinite(range.y0) && std::isfinite(range.y1) && range.x1 > range.x0 &&
                      range.y1 > range.y0;
  if (!usable) return;
  range_ = range;
  stale_layout_ = true;
}

void ChartScene::zoomAt(double x_px, double y_px, double factor_x, double factor_y) {
  if (model_.empty() || !(factor_x > 0) || !(factor_y > 0)) return;
  const ChartRange r = range();
  const double x = layout().transform.xAt(x_px), y = layout().transform.yAt(y_px);
  const ChartRange next{x + (r.x0 - x) / factor_x, x + (r.x1 - x) / factor_x,
                        y + (r.y0 - y) / factor_y, y + (r.y1 - y) / factor_y};
  // A range below 1e-9 of its values leaves too few digits for the labels of the ticks.
  if (next.x1 - next.x0 < 1e-9 * std::max(std::abs(next.x0), std::abs(next.x1))) return;
  if (next.y1 - next.y0 < 1e-9 * std::max(std::abs(next.y0), std::abs(next.y1))) return;
  setRange(next);
}

void ChartScene::panBy(double dx_px, double dy_px) {
  if (model_.empty()) return;
  const ChartRange r = range();
  const RectPx plot = plotRect();
  const double dx = -dx_px / plot.width * (r.x1 - r.x0), dy = dy_px / plot.height * (r.y1 - r.y0);
  setRange({r.x0 + dx, r.x1 + dx, r.y0 + dy, r.y1 + dy});
}

void ChartScene::resetRange() {
  range_.reset();
  stale_layout_ = true;
}

std::optional<ChartHit> ChartScene::hitAt(double x_px, double y_px) const {
  constexpr double reach = 28;
  return nearestPoint(model_, layout().transform, {x_px, y_px}, reach);
}

const ChartLayout& ChartScene::layout() const {
  if (stale_layout_) {
    layout_ = layoutChart(model_, range(), notes_, {widthPx(), heightPx()}, windowRuler(scale()),
                          legend_position_);
    stale_layout_ = false;
  }
  return layout_;
}

PointPx ChartScene::toDisplay(double x, double y) const {
  return layout().transform.toDisplay(model_.plottedX(x), model_.plotted(y));
}
double ChartScene::xAt(double x_px) const { return model_.valueX(layout().transform.xAt(x_px)); }
double ChartScene::yAt(double y_px) const { return model_.value(layout().transform.yAt(y_px)); }
RectPx ChartScene::plotRect() const { return layout().transform.plot; }

void ChartScene::placeChart() {
  const ChartTransform& t = layout().transform;
  chart_->GetAxis(vtkAxis::BOTTOM)->SetRange(t.range.x0, t.range.x1);
  chart_->GetAxis(vtkAxis::LEFT)->SetRange(t.range.y0, t.range.y1);
  const auto device = [this](double px) { return static_cast<float>(px * scale()); };
  chart_->SetSize(vtkRectf(device(t.plot.x), device(heightPx() - t.plot.bottom()),
                           device(t.plot.width), device(t.plot.height)));
}

Drawing ChartScene::shapes() const {
  return drawnChart(model_, layout(), notes_, theme(), {widthPx(), heightPx()},
                    windowRuler(scale()));
}

void ChartScene::prepare() {
  ground_->setScale(scale());
  front_->setScale(scale());
  curves_->setScale(scale());
  const bool any = !model_.empty();
  chart_->SetVisible(any);
  if (!any) return;
  placeChart();
}

}  // namespace gantry
