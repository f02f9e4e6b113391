#include "gui/views/geometry_view.hpp"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace gantry {

namespace {

constexpr double degrees_per_px = 0.5, zoom_per_notch = 1.15, wheel_notch = 120;

}  // namespace

GeometryView::GeometryView(QWidget* parent)
    : VtkView(std::make_unique<GeometryScene>(), Ground::paper, parent),
      scene_(static_cast<GeometryScene&>(baseScene())) {}

GeometryView::~GeometryView() = default;

void GeometryView::setGeometry(std::shared_ptr<const ScanGeometry> geometry,
                               const VolumeGrid& grid) {
  scene_.setGeometry(std::move(geometry), grid);
  scheduleRender();
}

void GeometryView::setView(int index) {
  if (index == scene_.view()) return;
  scene_.setView(index);
  scheduleRender();
}

void GeometryView::setHint(const std::string& hint) {
  scene_.setHint(hint);
  scheduleRender();
}

void GeometryView::mousePressEvent(QMouseEvent* event) { last_at_ = event->position(); }

void GeometryView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() == Qt::NoButton) return;
  const QPointF moved = event->position() - last_at_;
  last_at_ = event->position();
  // A drag to the right rotates the front of the scene to the right.
  scene_.orbit(-degrees_per_px * moved.x(), degrees_per_px * moved.y());
  scheduleRender();
}

void GeometryView::mouseDoubleClickEvent(QMouseEvent*) {
  scene_.resetCamera();
  scheduleRender();
}

void GeometryView::wheelEvent(QWheelEvent* event) {
  // Without Ctrl the wheel scrolls the panel of forms that contains the sketch.
  if (!event->modifiers().testFlag(Qt::ControlModifier)) return event->ignore();
  event->accept();
  scene_.zoom(std::pow(zoom_per_notch, event->angleDelta().y() / wheel_notch));
  scheduleRender();
}

}  // namespace gantry
