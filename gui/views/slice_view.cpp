#include "gui/views/slice_view.hpp"

#include "gui/views/key_list.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

constexpr double window_per_px = 0.006;     // 115 pixels double the window
constexpr double level_per_px = 1.0 / 300;  // in units of the window
constexpr double zoom_per_px = 0.008;
constexpr double zoom_per_notch = 1.18;
constexpr double drag_start_px = 3;
constexpr double cross_reach_px = 5;
constexpr double degrees_per_px = 0.5;
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
void SliceView::setLengthsAreKnown(bool known) {
  scene_.setLengthsAreKnown(known);
  scheduleRender();
}
void SliceView::setObject(const std::optional<ObjectBox>& object) {
  scene_.setObject(object);
  scheduleRender();
}
void SliceView::setTitle(const std::string& title, std::optional<Rgb> colour,
                         std::vector<std::string> shorter) {
  scene_.setTitle(title, colour, std::move(shorter));
  scheduleRender();
}
void SliceView::setSelected(bool selected) {
  scene_.setSelected(selected);
  scheduleRender();
}
void SliceView::setStatus(const std::string& status, const std::string& brief) {
  scene_.setStatus(status, brief);
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

void SliceView::setTrace(const std::optional<PlaneTrace>& trace) {
  scene_.setTrace(trace);
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

void SliceView::setRulers(std::vector<RulerMark> rulers) {
  scene_.setRulers(std::move(rulers));
  scheduleRender();
}
void SliceView::setDivider(std::optional<Divider> divider) {
  scene_.setDivider(std::move(divider));
  scheduleRender();
}

void SliceView::setDrawMode(DrawMode mode, NewRegion shape) {
  draw_mode_ = mode;
  new_shape_ = shape;
  leaveRuler();
  if (gesture_ == Gesture::profile || gesture_ == Gesture::region || gesture_ == Gesture::ruler)
    gesture_ = Gesture::none;
  showPointer(mapFromGlobal(QCursor::pos()));
}

SliceView::Gesture SliceView::gestureFor(const QMouseEvent& event) const {
  if (event.button() == Qt::MiddleButton) return Gesture::pan;
  if (event.button() == Qt::RightButton) return Gesture::zoom;
  if (event.button() != Qt::LeftButton) return Gesture::none;
  if (event.modifiers() & Qt::ShiftModifier) return Gesture::pan;
  if (turnable_ && (event.modifiers() & Qt::ControlModifier)) return Gesture::turn;
  if (scene_.isOnDivider(event.position().x())) return Gesture::divider;
  if (drawsRegion()) return Gesture::region;
  if (rulerPoints() > 0) return scene_.image() != nullptr ? Gesture::ruler : Gesture::none;
  if (draw_mode_ == DrawMode::profile) return Gesture::profile;
  return crossPartAt(event.position()).any() ? Gesture::cross_hair : Gesture::window_level;
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
  cross_part_ = crossPartAt(pressed_at_);
  turned_at_ = pressed_at_;
  if (gesture_ == Gesture::profile) beginProfile(pressed_at_);
  if (gesture_ == Gesture::region) beginRegion(pressed_at_, movesRegion(*event));
  if (gesture_ == Gesture::ruler) beginRuler(pressed_at_);
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
  const bool is_between_points = dragged_ ? gesture_ == Gesture::ruler : gesture_ == Gesture::none;
  if (is_between_points && !ruler_.empty()) showRuler(at);
  if (gesture_ == Gesture::divider) emit dividerMoved(scene_.displayToWorld(at.x(), at.y()).u);
  if (dragged_ && gesture_ == Gesture::cross_hair) dragCrossHair(at);
  if (dragged_ && gesture_ == Gesture::turn) dragTurn(at);
  if (gesture_ == Gesture::none) showPointer(at, movesRegion(*event));
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
    emit regionDrawn(region_before_.id, region_);
  if (clicked_at_once && gesture_ == Gesture::region)
    if (const RegionMark* mark = smallestRegion(event->position(), false, false))
      emit regionPicked(mark->id);
  if (gesture_ == Gesture::ruler) addToRuler(dragged_ ? event->position() : pressed_at_);
  const bool chose =
      clicked_at_once && (gesture_ == Gesture::window_level || gesture_ == Gesture::cross_hair);
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
  if (moveSelectedRegion(*event) || moveDivider(*event)) return;
  if (is_key(*event, "view.reset")) return reset();
  struct Step {
    const char* key;
    int slices;
  };
  for (const Step& step :
       {Step{"slice.next", 1}, Step{"slice.previous", -1}, Step{"slice.page_up", page_of_slices},
        Step{"slice.page_down", -page_of_slices}, Step{"slice.first", -more_than_all_slices},
        Step{"slice.last", more_than_all_slices}})
    if (is_key(*event, step.key)) return emit sliceStepRequested(step.slices);
  VtkView::keyPressEvent(event);
}

/// Returns whether the key has moved or deleted the selected region.
bool SliceView::moveSelectedRegion(const QKeyEvent& event) {
  const auto mark = std::ranges::find(scene_.regions(), true, &RegionMark::selected);
  if (!drawsRegion() || mark == scene_.regions().end()) return false;
  if (is_key(event, "region.delete")) {
    emit regionDeleted(mark->id);
    return true;
  }
  const SliceImage& slice = *scene_.image();
  const double up = std::abs(slice.dv_mm) * (scene_.vUp() ? 1 : -1), across = std::abs(slice.du_mm);
  struct Move {
    const char* key;
    double du, dv;
  };
  for (const Move& move : {Move{"region.left", -across, 0}, Move{"region.right", across, 0},
                           Move{"region.up", 0, up}, Move{"region.down", 0, -up}}) {
    if (!is_key(event, move.key)) continue;
    Region moved = mark->region;
    moved.x_mm += move.du;
    moved.y_mm += move.dv;
    emit regionNudged(mark->id, moved);
    return true;
  }
  return false;
}

/// Returns whether the key has moved the divider, by a fiftieth of the view.
bool SliceView::moveDivider(const QKeyEvent& event) {
  const bool left = is_key(event, "divider.left"), right = is_key(event, "divider.right");
  if (!scene_.divider() || (!left && !right)) return false;
  const double step = 0.02 * scene_.pictureRect().width * scene_.view().mm_per_pixel;
  emit dividerMoved(scene_.divider()->u_mm + (right ? step : -step));
  return true;
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

SliceView::CrossPart SliceView::crossPartAt(QPointF at) const {
  const std::optional<CrossHair>& cross = scene_.crossHair();
  if (!cross) return {};
  const PointPx middle = scene_.worldToDisplay(cross->at.u, cross->at.v);
  return {std::abs(at.x() - middle.x) <= cross_reach_px,
          std::abs(at.y() - middle.y) <= cross_reach_px};
}

void SliceView::dragCrossHair(QPointF at) {
  PointMm to = scene_.displayToWorld(at.x(), at.y());
  if (!cross_part_.vertical) to.u = scene_.crossHair()->at.u;
  if (!cross_part_.horizontal) to.v = scene_.crossHair()->at.v;
  emit crossHairDragged(to);
}

void SliceView::dragTurn(QPointF at) {
  const QPointF by = at - turned_at_;
  turned_at_ = at;
  emit turned(degrees_per_px * by.x(), -degrees_per_px * by.y());
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

/// Sets the mouse pointer that shows what a press at `at` would do.
void SliceView::showPointer(QPointF at, bool moves) {
  if (scene_.isOnDivider(at.x())) return QWidget::setCursor(Qt::SplitHCursor);
  if (rulerPoints() > 0) return QWidget::setCursor(Qt::CrossCursor);
  if (drawsRegion()) {
    return QWidget::setCursor(regionUnder(at, moves) == nullptr ? Qt::CrossCursor
                              : moves                           ? Qt::SizeAllCursor
                                                                : Qt::PointingHandCursor);
  }
  if (draw_mode_ != DrawMode::profile) {
    const CrossPart part = crossPartAt(at);
    if (!part.any()) return unsetCursor();
    return QWidget::setCursor(part.vertical && part.horizontal ? Qt::SizeAllCursor
                              : part.vertical                  ? Qt::SplitHCursor
                                                               : Qt::SplitVCursor);
  }
  const ProfilePart part = scene_.profilePartAt(at.x(), at.y());
  QWidget::setCursor(part == ProfilePart::none   ? Qt::CrossCursor
                     : part == ProfilePart::body ? Qt::SizeAllCursor
                                                 : Qt::PointingHandCursor);
}

}  // namespace gantry
