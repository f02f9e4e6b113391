#include "gui/views/volume_view.hpp"

#include <QMouseEvent>

namespace gantry {

namespace {

constexpr int rest_ms = 500;  // without a change, until the view is drawn finely

}  // namespace

VolumeView::VolumeView(QWidget* parent)
    : OrbitView(std::make_unique<VolumeScene>(drawsInSoftware() ? RayCaster::processor
                                                                : RayCaster::graphics_card),
                Ground::black, Wheel::zooms, parent),
      scene_(static_cast<VolumeScene&>(baseScene())) {
  setMouseTracking(true);
  rest_.setSingleShot(true);
  rest_.setInterval(rest_ms);
  connect(&rest_, &QTimer::timeout, this, [this] {
    scene_.setMoving(false);
    scheduleRender();
  });
  connect(this, &VtkView::painted, this, [this](double ms) { scene_.noteFrame(ms); });
}

VolumeView::~VolumeView() = default;

/// Draws the next picture, coarsely where it would take too long.
void VolumeView::moved() {
  scene_.setMoving(true);
  rest_.start();
  scheduleRender();
}

void VolumeView::setVolume(const ReducedVolume& volume) {
  if (volume.values == scene_.volume().values) return;
  scene_.setVolume(volume);
  scheduleRender();
}

void VolumeView::setWindowLevel(double window, double level) {
  if (scene_.setWindowLevel(window, level)) moved();
}

void VolumeView::setMuWater(double mu_water) {
  scene_.setMuWater(mu_water);
  scheduleRender();
}

void VolumeView::setMode(VolumeMode mode) {
  scene_.setMode(mode);
  scheduleRender();
}

void VolumeView::setPreset(const std::string& key) {
  scene_.setPreset(key);
  scheduleRender();
}

void VolumeView::setTitle(const std::string& title) {
  if (scene_.setTitle(title)) scheduleRender();
}

void VolumeView::setClip(const std::optional<ClipBox>& clip) {
  scene_.setClip(clip);
  moved();
}

void VolumeView::setClipShown(bool shown) {
  scene_.setClipShown(shown);
  scheduleRender();
}

void VolumeView::setCross(const std::optional<VolumeScene::Cross>& cross) {
  if (scene_.setCross(cross)) moved();
}

void VolumeView::mousePressEvent(QMouseEvent* event) {
  OrbitView::mousePressEvent(event);
  if (event->button() != Qt::LeftButton) return;
  pressed_at_ = event->position();
  face_ = scene_.faceAt(pressed_at_.x(), pressed_at_.y());
  before_ = scene_.box();
}

void VolumeView::mouseMoveEvent(QMouseEvent* event) {
  if (face_) return dragFace(event->position());
  if (event->buttons() == Qt::NoButton)
    setCursor(scene_.faceAt(event->position().x(), event->position().y()) ? Qt::PointingHandCursor
                                                                          : Qt::ArrowCursor);
  OrbitView::mouseMoveEvent(event);
}

void VolumeView::mouseReleaseEvent(QMouseEvent*) { face_.reset(); }

void VolumeView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit maximiseRequested();
}

void VolumeView::dragFace(QPointF at) {
  const QPointF by = at - pressed_at_;
  const double from = face_->high ? before_.high[face_->axis] : before_.low[face_->axis];
  setClip(with_face(before_, *face_, from + scene_.faceMoveMm(*face_, by.x(), by.y()),
                    scene_.volume().whole));
  emit clipDragged(scene_.box());
}

}  // namespace gantry
