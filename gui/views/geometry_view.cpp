#include "gui/views/geometry_view.hpp"

namespace gantry {

GeometryView::GeometryView(QWidget* parent)
    : OrbitView(std::make_unique<GeometryScene>(), Ground::paper, Wheel::scrolls, parent),
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

}  // namespace gantry
