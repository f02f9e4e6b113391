#include "gui/views/slice_view.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double window_per_px = 0.006;     // 115 pixels double the window
constexpr double level_per_px = 1.0 / 300;  // in units of the window
constexpr double zoom_per_px = 0.008;
constexpr double zoom_per_notch = 1.18;
constexpr double drag_start_px = 3;
constexpr double region_reach_px = 6;
constexpr int wheel_notch = 120;  // 15 degrees in eighths of a degree
constexpr int page_of_slices = 10;
constexpr int more_than_all_slices = 1 << 24;

}  // namespace

SliceView::SliceView(QWidget* parent)
    : VtkView(std::make_unique<SliceScene>(), Ground::black, parent),
      scene_(static_cast<SliceScene&>(baseScene())) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setContextMenuPolicy(Qt::PreventContextMenu);  // a right click shows the menu on release
}

SliceView::~SliceView() = default;

void SliceView::setImage(std::shared_ptr<const SliceImage> image) {
  scene_.setImage(std::move(image));
  scheduleRender();
}
void SliceView::setWindowLevel(double window, double level) {
  scene_.setWindowLevel(window, level);
  scheduleRender();
}
void SliceView::setColourMap(ColourMap map) {
  scene_.setColourMap(map);
  scheduleRender();
}
void SliceView::setColourBar(bool shown, const std::string& unit) {
  scene_.setColourBar(shown, unit);
  scheduleRender();
}
void SliceView::setInterpolation(Interpolation interpolation) {
  scene_.setInterpolation(interpolation);
  scheduleRender();
}
void SliceView::setView(const SliceCamera& camera) {
  scene_.setView(camera);
  scheduleRender();
}
void SliceView::fit() {
  scene_.fit();
  scheduleRender();
}
void SliceView::setVUp(bool up) {
  scene_.setVUp(up);
  scheduleRender();
}
void SliceView::setEdgeLetters(const EdgeLetters& letters) {
  scene_.setEdgeLetters(letters);
  scheduleRender();
}
void SliceView::setScaleBar(bool shown) {
  scene_.setScaleBar(shown);
  scheduleRender();
}
void SliceView::setObject(const std::optional<ObjectBox>& object) {
  scene_.setObject(object);
  scheduleRender();
}
void SliceView::setTitle(const std::string& title, std::optional<Rgb> colour) {
  scene_.setTitle(title, colour);
  scheduleRender();
}
void SliceView::setSelected(bool selected) {
  scene_.setSelected(selected);
  scheduleRender();
}
void SliceView::setStatus(const std::string& status) {
  scene_.setStatus(status);
  scheduleRender();
}
void SliceView::setNotice(const std::string& notice) {
  scene_.setNotice(notice);
  scheduleRender();
}
void SliceView::setProfile(std::optional<LineSegment> profile) {
  scene_.setProfile(profile);
  scheduleRender();
}
void SliceView::setCursor(std::optional<PointMm> cursor) {
  scene_.setCursor(cursor);
  scheduleRender();
}

void SliceView::setCrossHair(std::optional<CrossHair> cross_hair) {
  scene_.setCrossHair(cross_hair);
  scheduleRender();
}

void SliceView::setRegions(std::vector<RegionMark> regions) {
  scene_.setRegions(std::move(regions));
  scheduleRender();
}
void SliceView::setEdge(std::optional<LineSegment> edge) {
  scene_.setEdge(edge);
  scheduleRender();
}

void SliceView::setDrawMode(DrawMode mode, Region::Shape shape) {
  draw_mode_ = mode;
  new_shape_ = shape;
  if (gesture_ == Gesture::profile || gesture_ == Gesture::region) gesture_ = Gesture::none;
  showPointer(mapFromGlobal(QCursor::pos()));
}

SliceView::Gesture SliceView::gestureFor(const QMouseEvent& event) const {
  if (event.button() == Qt::MiddleButton) return Gesture::pan;
  if (event.button() == Qt::RightButton) return Gesture::zoom;
  if (event.button() != Qt::LeftButton) return Gesture::none;
  if (event.modifiers() & Qt::ShiftModifier) return Gesture::pan;
  if (drawsRegion()) return Gesture::region;
  return draw_mode_ == DrawMode::profile ? Gesture::profile : Gesture::window_level;
}

void SliceView::mousePressEvent(QMouseEvent* event) {
  if (gesture_ != Gesture::none) return;  // a second button does not change the gesture
  emit pressed();
  gesture_ = gestureFor(*event);
  button_ = event->button();
  pressed_at_ = event->position();
  dragged_ = false;
  window_before_ = scene_.window();
  level_before_ = scene_.level();
  view_before_ = scene_.view();
  if (gesture_ == Gesture::profile) beginProfile(pressed_at_);
  if (gesture_ == Gesture::region) beginRegion(pressed_at_);
}

void SliceView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position(), moved = at - pressed_at_;
  const bool starts =
      gesture_ != Gesture::none && std::hypot(moved.x(), moved.y()) >= drag_start_px;
  dragged_ = dragged_ || starts;
  if (dragged_ && gesture_ == Gesture::window_level) dragWindowLevel(moved);
  if (dragged_ && gesture_ == Gesture::pan) dragPan(moved);
  if (dragged_ && gesture_ == Gesture::zoom) dragZoom(moved);
  if (dragged_ && gesture_ == Gesture::profile) dragProfile(at);
  if (dragged_ && gesture_ == Gesture::region) dragRegion(at);
  if (gesture_ == Gesture::none) showPointer(at);
  if (scene_.pictureRect().contains(at.x(), at.y()))
    emit cursorMoved(scene_.displayToWorld(at.x(), at.y()));
  else
    emit cursorLeft();
}

void SliceView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != button_) return;
  const bool clicked_at_once = !dragged_;
  if (dragged_ && gesture_ == Gesture::region && region_.half_width_mm > 0 &&
      region_.half_height_mm > 0)
    emit regionDrawn(draw_mode_, region_);
  const bool chose = clicked_at_once && gesture_ == Gesture::window_level;
  gesture_ = Gesture::none;
  button_ = Qt::NoButton;
  if (chose) emit clicked(scene_.displayToWorld(event->position().x(), event->position().y()));
  if (clicked_at_once && event->button() == Qt::RightButton)
    emit contextMenuAsked(event->position().toPoint());
  showPointer(event->position());
}

void SliceView::mouseDoubleClickEvent(QMouseEvent* event) {
  gesture_ = Gesture::none;  // a move before the release is not a drag
  if (event->button() == Qt::LeftButton) emit maximiseRequested();
}

void SliceView::wheelEvent(QWheelEvent* event) {
  event->accept();
  const int turn = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (event->modifiers() & Qt::ControlModifier) {
    zoomAbout(event->position(), scene_.view(),
              std::pow(zoom_per_notch, static_cast<double>(turn) / wheel_notch));
    return;
  }
  wheel_remainder_ += turn;  // fine wheels report fractions of a notch
  const int steps = wheel_remainder_ / wheel_notch;
  wheel_remainder_ -= steps * wheel_notch;
  if (steps != 0) emit sliceStepRequested(steps);
}

void SliceView::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & ~Qt::KeypadModifier) return VtkView::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_R:
      return reset();
    case Qt::Key_Up:
    case Qt::Key_Right:
      emit sliceStepRequested(1);
      return;
    case Qt::Key_Down:
    case Qt::Key_Left:
      emit sliceStepRequested(-1);
      return;
    case Qt::Key_PageUp:
      emit sliceStepRequested(page_of_slices);
      return;
    case Qt::Key_PageDown:
      emit sliceStepRequested(-page_of_slices);
      return;
    case Qt::Key_Home:
      emit sliceStepRequested(-more_than_all_slices);
      return;
    case Qt::Key_End:
      emit sliceStepRequested(more_than_all_slices);
      return;
    default:
      VtkView::keyPressEvent(event);
  }
}

void SliceView::leaveEvent(QEvent* event) {
  emit cursorLeft();
  VtkView::leaveEvent(event);
}

void SliceView::dragWindowLevel(QPointF moved) {
  const double window = window_before_ * std::exp(window_per_px * moved.x());
  scene_.setWindowLevel(window, level_before_ - level_per_px * moved.y() * window_before_);
  scheduleRender();
  emit windowLevelChanged(scene_.window(), scene_.level());
}

void SliceView::dragPan(QPointF moved) {
  SliceCamera camera = view_before_;
  camera.center_u_mm -= moved.x() * camera.mm_per_pixel;
  camera.center_v_mm -= moved.y() * camera.mm_per_pixel * (scene_.vUp() ? -1 : 1);
  moveTo(camera);
}

void SliceView::dragZoom(QPointF moved) {
  zoomAbout(pressed_at_, view_before_, std::exp(-zoom_per_px * moved.y()));
}

void SliceView::zoomAbout(QPointF at, const SliceCamera& from, double factor) {
  SliceCamera camera = from;
  camera.mm_per_pixel = std::clamp(from.mm_per_pixel / factor, 1e-5, 1e4);
  // The point under the mouse keeps its position on the screen.
  const PointPx middle = scene_.pictureRect().centre();
  const double shrink = from.mm_per_pixel - camera.mm_per_pixel;
  camera.center_u_mm += (at.x() - middle.x) * shrink;
  camera.center_v_mm += (at.y() - middle.y) * shrink * (scene_.vUp() ? -1 : 1);
  moveTo(camera);
}

void SliceView::moveTo(const SliceCamera& camera) {
  scene_.setView(camera);
  scheduleRender();
  emit viewChanged(scene_.view());
}

void SliceView::reset() {
  fit();
  emit viewReset();
}

void SliceView::beginProfile(QPointF at) {
  profile_part_ = scene_.profilePartAt(at.x(), at.y());
  if (profile_part_ != ProfilePart::none) {
    profile_before_ = *scene_.profile();
    return;
  }
  const PointMm start = scene_.displayToWorld(at.x(), at.y());
  profile_before_ = {start.u, start.v, start.u, start.v};
  profile_part_ = ProfilePart::end;
}

void SliceView::dragProfile(QPointF at) {
  const PointMm now = scene_.displayToWorld(at.x(), at.y()),
                then = scene_.displayToWorld(pressed_at_.x(), pressed_at_.y());
  const double du = now.u - then.u, dv = now.v - then.v;
  LineSegment line = profile_before_;
  if (profile_part_ != ProfilePart::end) {
    line.u0_mm += du;
    line.v0_mm += dv;
  }
  if (profile_part_ != ProfilePart::start) {
    line.u1_mm += du;
    line.v1_mm += dv;
  }
  setProfile(line);
  emit profileChanged(line);
}

/// Regions lie in axial slices only.
bool SliceView::drawsRegion() const {
  return (draw_mode_ == DrawMode::roi || draw_mode_ == DrawMode::background) &&
         scene_.image() != nullptr && scene_.image()->axis == Axis::axial;
}

const RegionMark* SliceView::regionOf(DrawMode role) const {
  const auto found = std::ranges::find(scene_.regions(), role, &RegionMark::role);
  return found == scene_.regions().end() ? nullptr : &*found;
}

RegionPart SliceView::regionPartUnder(QPointF at) const {
  const RegionMark* mark = regionOf(draw_mode_);
  return mark == nullptr ? RegionPart::none
                         : regionPartAt(mark->region, scene_.displayToWorld(at.x(), at.y()),
                                        region_reach_px * scene_.view().mm_per_pixel);
}

void SliceView::beginRegion(QPointF at) {
  const RegionMark* mark = regionOf(draw_mode_);
  region_part_ = regionPartUnder(at);
  region_before_ = mark != nullptr ? mark->region : Region{};
  if (region_part_ == RegionPart::none) region_before_.shape = new_shape_;
  region_ = region_before_;
}

void SliceView::dragRegion(QPointF at) {
  region_ = draggedRegion(
      region_before_, region_part_, scene_.displayToWorld(pressed_at_.x(), pressed_at_.y()),
      scene_.displayToWorld(at.x(), at.y()), region_reach_px * scene_.view().mm_per_pixel);
  std::vector<RegionMark> marks = scene_.regions();
  std::erase_if(marks, [this](const RegionMark& mark) { return mark.role == draw_mode_; });
  marks.push_back({draw_mode_, region_});
  setRegions(std::move(marks));
}

/// Sets the mouse pointer that shows what a press at `at` would do.
void SliceView::showPointer(QPointF at) {
  if (drawsRegion()) {
    const RegionPart part = regionPartUnder(at);
    return QWidget::setCursor(part == RegionPart::none     ? Qt::CrossCursor
                              : part == RegionPart::inside ? Qt::SizeAllCursor
                                                           : Qt::PointingHandCursor);
  }
  if (draw_mode_ != DrawMode::profile) return unsetCursor();
  const ProfilePart part = scene_.profilePartAt(at.x(), at.y());
  QWidget::setCursor(part == ProfilePart::none   ? Qt::CrossCursor
                     : part == ProfilePart::body ? Qt::SizeAllCursor
                                                 : Qt::PointingHandCursor);
}

}  // namespace gantry
