#pragma once

#include "gui/render/orbit_camera.hpp"
#include "gui/views/vtk_view.hpp"

#include <QPointF>

#include <memory>
#include <utility>

namespace gantry {

/// A view in space with mouse and keys: a drag and the arrow keys rotate the camera, the wheel and
/// + and - zoom, and R and, unless a class has another use for it, a double click restore the first
/// direction, which shows everything.
class OrbitView : public VtkView {
  Q_OBJECT
 public:
  /// Shows everything from the first direction.
  void resetCamera();

 protected:
  /// What the wheel does without Ctrl: it zooms, or it scrolls the panel that contains the view.
  enum class Wheel { zooms, scrolls };
  /// The scene must have a function camera() that returns its OrbitCamera.
  template <class OrbitScene>
  OrbitView(std::unique_ptr<OrbitScene> scene, Ground ground, Wheel wheel, QWidget* parent)
      : VtkView(std::move(scene), ground, parent),
        camera_(static_cast<OrbitScene&>(baseScene()).camera()),
        wheel_(wheel) {
    setFocusPolicy(Qt::StrongFocus);
  }

  OrbitCamera& camera() { return camera_; }
  /// Called after each change of the camera.
  virtual void moved() { scheduleRender(); }

  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  OrbitCamera& camera_;
  Wheel wheel_;
  QPointF last_at_;
};

}  // namespace gantry
