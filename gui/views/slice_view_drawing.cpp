// What a left drag draws on a slice: the profile line, regions, distances and angles.
#include "gui/views/slice_view.hpp"

#include <QMouseEvent>

#include <utility>

namespace gantry {

namespace {

constexpr double region_reach_px = 6;

}  // namespace

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

bool SliceView::movesRegion(const QMouseEvent& event) {
  return (event.modifiers() & Qt::ControlModifier) != 0;
}

/// Regions lie in axial slices only.
bool SliceView::drawsRegion() const {
  return draw_mode_ == DrawMode::region && scene_.image() != nullptr &&
         scene_.image()->axis == Axis::axial;
}

/// Returns the region that a press would take hold of: by its rim, or, where `moves`, anywhere; the
/// selected one first, then the smallest, because a region may lie in another one.
const RegionMark* SliceView::regionUnder(QPointF at, bool moves) const {
  const RegionMark* found = smallestRegion(at, !moves, true);
  return found != nullptr ? found : smallestRegion(at, !moves, false);
}

const RegionMark* SliceView::smallestRegion(QPointF at, bool byRim, bool isSelected) const {
  const auto size = [](const RegionMark& mark) {
    return mark.region.half_width_mm * mark.region.half_height_mm;
  };
  const RegionMark* found = nullptr;
  for (const RegionMark& mark : scene_.regions()) {
    const RegionPart part = partOf(mark, at);
    if (part == RegionPart::none || (byRim && part != RegionPart::rim)) continue;
    if (isSelected && !mark.selected) continue;
    if (found == nullptr || size(mark) < size(*found)) found = &mark;
  }
  return found;
}

RegionPart SliceView::partOf(const RegionMark& mark, QPointF at) const {
  return regionPartAt(mark.region, scene_.displayToWorld(at.x(), at.y()),
                      region_reach_px * scene_.view().mm_per_pixel);
}

/// Begins to resize the region whose rim is under the mouse, to move a region, or to draw a new
/// one, also inside another.
void SliceView::beginRegion(QPointF at, bool moves) {
  const RegionMark* mark = regionUnder(at, moves);
  region_part_ = mark == nullptr ? RegionPart::none : moves ? RegionPart::inside : RegionPart::rim;
  region_before_ = mark != nullptr ? *mark : RegionMark{};
  region_ = region_before_.region;
  if (mark != nullptr) emit regionPicked(region_before_.id);
}

void SliceView::dragRegion(QPointF at) {
  const PointMm from = scene_.displayToWorld(pressed_at_.x(), pressed_at_.y()),
                to = scene_.displayToWorld(at.x(), at.y());
  region_ = region_part_ == RegionPart::none
                ? newRegion(new_shape_, from, to)
                : draggedRegion(region_before_.region, region_part_, from, to,
                                region_reach_px * scene_.view().mm_per_pixel);
  std::vector<RegionMark> marks = scene_.regions();
  const int id = region_before_.id;
  std::erase_if(marks, [id](const RegionMark& mark) { return mark.id == id; });
  marks.push_back(region_before_);
  marks.back().region = region_;
  setRegions(std::move(marks));
}

/// Returns how many points the line that is being drawn will have; 0 where none is drawn.
std::size_t SliceView::rulerPoints() const {
  return draw_mode_ == DrawMode::angle ? 3 : draw_mode_ == DrawMode::distance ? 2 : 0;
}

/// Sets the first point of a line, or of an angle. The others are set where the button is released.
void SliceView::beginRuler(QPointF at) {
  if (ruler_.empty()) ruler_ = {scene_.displayToWorld(at.x(), at.y())};
}

/// Shows the line with its points so far, and with the pointer as the next one.
void SliceView::showRuler(QPointF at) {
  std::vector<PointMm> points = ruler_;
  points.push_back(scene_.displayToWorld(at.x(), at.y()));
  std::vector<RulerMark> marks = scene_.rulers();
  std::erase_if(marks, [](const RulerMark& mark) { return mark.label.empty(); });
  marks.push_back({std::move(points)});
  setRulers(std::move(marks));
}

/// Forgets the points so far.
void SliceView::leaveRuler() {
  ruler_.clear();
  std::vector<RulerMark> marks = scene_.rulers();
  if (std::erase_if(marks, [](const RulerMark& mark) { return mark.label.empty(); }) > 0)
    setRulers(std::move(marks));
}

/// Sets the next point, and hands the line over once it is complete. A point on the last one is
/// none: so a line can be drawn by clicks as well as by dragging.
void SliceView::addToRuler(QPointF at) {
  const PointMm here = scene_.displayToWorld(at.x(), at.y());
  if (ruler_.empty() || !(distance_mm(ruler_.back(), here) > 0)) return;
  ruler_.push_back(here);
  if (ruler_.size() < rulerPoints()) return;
  const std::vector<PointMm> points = ruler_;
  leaveRuler();
  emit rulerDrawn(points);
}

}  // namespace gantry
