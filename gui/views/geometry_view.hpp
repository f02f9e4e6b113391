#pragma once

#include "gui/render/geometry_scene.hpp"
#include "gui/views/vtk_view.hpp"

#include <QPointF>

#include <memory>
#include <string>

namespace gantry {

/// The scan in space: a drag turns it, Ctrl and the wheel zoom, a double click goes back to the
/// view that shows everything.
class GeometryView : public VtkView {
  Q_OBJECT

 public:
  explicit GeometryView(QWidget* parent = nullptr);
  ~GeometryView() override;

  const GeometryScene& geometry() const { return scene_; }
  void setGeometry(std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid);
  void setView(int index);
  void setHint(const std::string& hint);

  QSize sizeHint() const override { return {320, 260}; }

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  GeometryScene& scene_;
  QPointF last_at_;
};

}  // namespace gantry
