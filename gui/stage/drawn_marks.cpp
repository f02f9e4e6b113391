#include "gui/stage/drawn_marks.hpp"

#include "gui/stage/measurements.hpp"
#include "gui/views/slice_view.hpp"

#include <QEvent>

#include <optional>
#include <utility>
#include <vector>

namespace gantry {

DrawnMarks::DrawnMarks(SliceView& view, ViewState& linked, Measurements& measurements,
                       std::function<Place()> place)
    : QObject(&view),
      view_(view),
      linked_(linked),
      measurements_(&measurements),
      place_(std::move(place)) {
  connect(&measurements, &Measurements::changed, this, &DrawnMarks::show);
  connect(&measurements, &Measurements::selectionChanged, this, &DrawnMarks::show);
  connect(&linked_, &ViewState::profileChanged, this, &DrawnMarks::show);
  connect(&linked_, &ViewState::drawModeChanged, this, &DrawnMarks::followDrawMode);
  connect(&view_, &SliceView::profileChanged, this,
          [this](const LineSegment& line) { linked_.setProfile(line); });
  connect(&view_, &SliceView::regionPicked, &measurements, &Measurements::select);
  connect(&view_, &SliceView::regionDrawn, &measurements,
          [&measurements](int id, const Region& region) {
            id == 0 ? static_cast<void>(measurements.addRegion(region))
                    : measurements.setRegion(id, region);
          });
  connect(&view_, &SliceView::regionNudged, &measurements, &Measurements::setRegion);
  connect(&view_, &SliceView::regionDeleted, &measurements, &Measurements::remove);
  connect(&view_, &SliceView::rulerDrawn, &measurements,
          [this, &measurements](const std::vector<PointMm>& points) {
            const Place here = place_();
            measurements.addRuler({0, here.axis, here.index, points});
          });
  view_.installEventFilter(this);
  followDrawMode();
}

void DrawnMarks::followDrawMode() {
  view_.setDrawMode(linked_.drawMode(), linked_.drawShape());
  show();
}

void DrawnMarks::show() {
  if (measurements_ == nullptr) return;
  std::vector<RegionMark> marks;
  std::vector<RulerMark> rulers;
  std::optional<LineSegment> edge;
  const auto [axis, index, grid] = place_();
  for (const Ruler& ruler : measurements_->rulers())
    if (ruler.axis == axis && ruler.slice == index)
      rulers.push_back({ruler.points, measurements_->text(ruler).toStdString(),
                        ruler.id == measurements_->selected()});
  if (axis == Axis::axial) {
    const double z_mm = slice_position_mm(grid, axis, index);
    std::size_t colour = 0;
    for (const MeasuredRegion& one : measurements_->regions()) {
      const Rgb ink = regionColour(colour++);
      if (z_mm >= one.region.z_low_mm && z_mm <= one.region.z_high_mm)
        marks.push_back(
            {one.id, one.region, one.name.toStdString(), ink, one.id == measurements_->selected()});
    }
    if (const auto& line = measurements_->edge(); line && edge_slice(grid, *line) == index)
      edge = LineSegment{line->x0_mm, line->y0_mm, line->x1_mm, line->y1_mm};
  }
  view_.setProfile(linked_.profile());
  view_.setRegions(std::move(marks));
  view_.setRulers(std::move(rulers));
  view_.setEdge(edge);
}

bool DrawnMarks::eventFilter(QObject* object, QEvent* event) {
  const bool shows = event->type() == QEvent::Show;
  if ((shows || event->type() == QEvent::Hide) && measurements_ != nullptr)
    measurements_->setDrawable(&view_, shows);
  return QObject::eventFilter(object, event);
}

}  // namespace gantry
