#include "gui/views/orbit_view.hpp"

#include "gui/views/key_list.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

constexpr double degrees_per_px = 0.5, zoom_per_notch = 1.15, wheel_notch = 120;
constexpr double degrees_per_key = 5;

}  // namespace

void OrbitView::mousePressEvent(QMouseEvent* event) { last_at_ = event->position(); }

void OrbitView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() == Qt::NoButton) return;
  const QPointF by = event->position() - last_at_;
  last_at_ = event->position();
  // A drag to the right rotates the front of the scene to the right.
  camera_.orbit(-degrees_per_px * by.x(), degrees_per_px * by.y());
  moved();
}

void OrbitView::resetCamera() {
  camera_.reset();
  moved();
}

void OrbitView::mouseDoubleClickEvent(QMouseEvent*) { resetCamera(); }

void OrbitView::wheelEvent(QWheelEvent* event) {
  if (wheel_ == Wheel::scrolls && !event->modifiers().testFlag(Qt::ControlModifier))
    return event->ignore();
  event->accept();
  camera_.zoom(std::pow(zoom_per_notch, event->angleDelta().y() / wheel_notch));
  moved();
}

void OrbitView::keyPressEvent(QKeyEvent* event) {
  struct Turn {
    const char* key;
    double azimuth_deg, elevation_deg, zoom;
  };
  constexpr std::array turns = {
      Turn{"space.left", degrees_per_key, 0, 1},  Turn{"space.right", -degrees_per_key, 0, 1},
      Turn{"space.up", 0, degrees_per_key, 1},    Turn{"space.down", 0, -degrees_per_key, 1},
      Turn{"space.nearer", 0, 0, zoom_per_notch}, Turn{"space.farther", 0, 0, 1 / zoom_per_notch}};
  const auto turn =
      std::ranges::find_if(turns, [&](const Turn& t) { return is_key(*event, t.key); });
  if (turn != turns.end()) {
    camera_.orbit(turn->azimuth_deg, turn->elevation_deg);
    camera_.zoom(turn->zoom);
  } else if (is_key(*event, "space.reset")) {
    camera_.reset();
  } else {
    return VtkView::keyPressEvent(event);
  }
  moved();
}

}  // namespace gantry
