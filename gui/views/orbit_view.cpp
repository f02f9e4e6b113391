#include "gui/views/orbit_view.hpp"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace gantry {

namespace {

constexpr double degrees_per_px = 0.5, zoom_per_notch = 1.15, wheel_notch = 120;

}  // namespace

void OrbitView::mousePressEvent(QMouseEvent* event) { last_at_ = event->position(); }

void OrbitView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() == Qt::NoButton) return;
  const QPointF moved = event->position() - last_at_;
  last_at_ = event->position();
  // A drag to the right rotates the front of the scene to the right.
  camera_.orbit(-degrees_per_px * moved.x(), degrees_per_px * moved.y());
  scheduleRender();
}

void OrbitView::mouseDoubleClickEvent(QMouseEvent*) {
  camera_.reset();
  scheduleRender();
}

void OrbitView::wheelEvent(QWheelEvent* event) {
  if (wheel_ == Wheel::scrolls && !event->modifiers().testFlag(Qt::ControlModifier))
    return event->ignore();
  event->accept();
  camera_.zoom(std::pow(zoom_per_notch, event->angleDelta().y() / wheel_notch));
  scheduleRender();
}

}  // namespace gantry
