#include "gui/views/volume_view.hpp"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace gantry {

namespace {

constexpr double degrees_per_px = 0.5, zoom_per_notch = 1.15, wheel_notch = 120;
// What a graphics card, and two processor cores, draw several times a second.
constexpr std::size_t most_voxels = std::size_t{512} * 512 * 512, most_in_software = 128 * 128 * 64;

}  // namespace

VolumeView::VolumeView(QWidget* parent)
    : VtkView(std::make_unique<VolumeScene>(drawsInSoftware() ? most_in_software : most_voxels),
              Ground::black, parent),
      scene_(static_cast<VolumeScene&>(baseScene())) {
  setFocusPolicy(Qt::StrongFocus);
}

VolumeView::~VolumeView() = default;

void VolumeView::setVolume(const VolumeGrid& grid,
                           std::shared_ptr<const std::vector<float>> values) {
  scene_.setVolume(grid, std::move(values));
  scheduleRender();
}

void VolumeView::setWindowLevel(double window, double level) {
  scene_.setWindowLevel(window, level);
  scheduleRender();
}

void VolumeView::setMode(VolumeMode mode) {
  scene_.setMode(mode);
  scheduleRender();
}

void VolumeView::setTitle(const std::string& title) {
  scene_.setTitle(title);
  scheduleRender();
}

void VolumeView::mousePressEvent(QMouseEvent* event) { last_at_ = event->position(); }

void VolumeView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() == Qt::NoButton) return;
  const QPointF moved = event->position() - last_at_;
  last_at_ = event->position();
  scene_.orbit(-degrees_per_px * moved.x(), degrees_per_px * moved.y());
  scheduleRender();
}

void VolumeView::mouseDoubleClickEvent(QMouseEvent*) {
  scene_.resetCamera();
  scheduleRender();
}

void VolumeView::wheelEvent(QWheelEvent* event) {
  event->accept();
  scene_.zoom(std::pow(zoom_per_notch, event->angleDelta().y() / wheel_notch));
  scheduleRender();
}

}  // namespace gantry
