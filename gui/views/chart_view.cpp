#include "gui/views/chart_view.hpp"

#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

constexpr double zoom_per_notch = 1.2, wheel_notch = 120, drag_start_px = 3;

}  // namespace

ChartView::ChartView(QWidget* parent, Place place)
    : VtkView(std::make_unique<ChartScene>(), place == Place::stage ? Ground::chart : Ground::paper,
              parent),
      scene_(static_cast<ChartScene&>(baseScene())) {
  setMouseTracking(true);
  setFocusPolicy(Qt::ClickFocus);  // so that the menu key opens its menu
}

ChartView::~ChartView() = default;

void ChartView::edit(const std::function<void(ChartScene&)>& change) {
  change(scene_);
  scheduleRender();
}

void ChartView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
    return VtkView::mousePressEvent(event);
  pressed_ = true;
  dragged_ = false;
  pressed_at_ = last_at_ = event->position();
  limit_ = event->button() == Qt::LeftButton ? scene_.limitAt(pressed_at_.x(), pressed_at_.y())
                                             : LimitPart::none;
  if (limit_ != LimitPart::none) limits_before_ = *scene_.windowLimits();
  chooses_now_ = chooses_positions_ && event->button() == Qt::LeftButton &&
                 !scene_.model().empty() &&
                 scene_.plotRect().contains(pressed_at_.x(), pressed_at_.y());
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (!pressed_) return hoverAt(at);
  const QPointF moved = at - pressed_at_;
  dragged_ = dragged_ || std::hypot(moved.x(), moved.y()) >= drag_start_px;
  if (!dragged_) return;
  if (limit_ != LimitPart::none) return dragLimit(at);
  if (chooses_now_) return choosePosition(at);
  clearHover();
  scene_.panBy(at.x() - last_at_.x(), at.y() - last_at_.y());
  last_at_ = at;
  scheduleRender();
}

void ChartView::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = pressed_ && !dragged_;
  pressed_ = false;
  limit_ = LimitPart::none;
  const bool chose = std::exchange(chooses_now_, false);
  if (!clicked || event->button() != Qt::LeftButton) return;
  if (chose) choosePosition(event->position());
  if (const auto hit = scene_.hitAt(event->position().x(), event->position().y()))
    emit pointClicked(*hit);
}

void ChartView::mouseDoubleClickEvent(QMouseEvent*) { resetRange(); }

void ChartView::resetRange() {
  scene_.resetRange();
  scheduleRender();
  emit rangeReset();
}

void ChartView::contextMenuEvent(QContextMenuEvent* event) { emit menuAsked(event->globalPos()); }

void ChartView::wheelEvent(QWheelEvent* event) {
  event->accept();
  const double factor = std::pow(zoom_per_notch, event->angleDelta().y() / wheel_notch);
  const QPointF at = event->position();
  const RectPx plot = scene_.plotRect();
  const bool on_x_axis = at.y() > plot.bottom(), on_y_axis = at.x() < plot.x;
  scene_.zoomAt(at.x(), at.y(), on_y_axis && !on_x_axis ? 1 : factor,
                on_x_axis && !on_y_axis ? 1 : factor);
  hoverAt(at);
  scheduleRender();
}

void ChartView::leaveEvent(QEvent* event) {
  clearHover();
  VtkView::leaveEvent(event);
}

void ChartView::hoverAt(QPointF at) {
  const LimitPart part = scene_.limitAt(at.x(), at.y());
  if (part == LimitPart::low || part == LimitPart::high || scene_.isOnMarker(at.x(), at.y()))
    setCursor(Qt::SplitHCursor);
  else
    unsetCursor();
  const std::optional<ChartHit> hit = scene_.hitAt(at.x(), at.y());
  if (!hit) return clearHover();
  if (hover_ == hit) return;
  hover_ = hit;
  scene_.setHover(hit);
  scheduleRender();
  emit pointHovered(*hit);
}

void ChartView::clearHover() {
  if (!hover_) return;
  hover_.reset();
  scene_.setHover(std::nullopt);
  scheduleRender();
  emit hoverLeft();
}

void ChartView::choosePosition(QPointF at) {
  clearHover();
  const RectPx plot = scene_.plotRect();
  emit positionChosen(scene_.xAt(std::clamp(at.x(), plot.x, plot.right())));
}

void ChartView::dragLimit(QPointF at) {
  const double moved = scene_.xAt(at.x()) - scene_.xAt(pressed_at_.x());
  auto [low, high] = limits_before_;
  if (limit_ != LimitPart::high) low += moved;
  if (limit_ != LimitPart::low) high += moved;
  // The window is never empty.
  const double narrowest = 1e-3 * (scene_.range().x1 - scene_.range().x0);
  if (limit_ == LimitPart::low) low = std::min(low, high - narrowest);
  if (limit_ == LimitPart::high) high = std::max(high, low + narrowest);
  scene_.setWindowLimits(std::pair{low, high});
  scheduleRender();
  emit windowLimitsChanged(low, high);
}

}  // namespace gantry
