#pragma once

#include "gui/render/geometry_scene.hpp"
#include "gui/views/orbit_view.hpp"

#include <memory>
#include <string>

namespace gantry {

/// The geometry of a scan in 3D with mouse control: a drag rotates the camera, Ctrl and the wheel
/// zoom, and a double click restores the default camera, which shows everything.
class GeometryView : public OrbitView {
  Q_OBJECT

 public:
  explicit GeometryView(QWidget* parent = nullptr);
  ~GeometryView() override;

  const GeometryScene& geometry() const { return scene_; }
  void setGeometry(std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid);
  void setView(int index);
  void setHint(const std::string& hint);

  QSize sizeHint() const override { return {320, 260}; }

 private:
  GeometryScene& scene_;
};

}  // namespace gantry
