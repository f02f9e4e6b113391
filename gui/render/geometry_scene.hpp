#pragma once

#include "charts/painting/painter.hpp"
#include "gui/render/geometry_sketch.hpp"
#include "gui/render/orbit_camera.hpp"
#include "gui/render/scene.hpp"

#include <vtkSmartPointer.h>

#include <memory>
#include <optional>

class vtkActor;

namespace gantry {

class OverlayProp;

/// The geometry of a scan in 3D at one view: volume, source, detector and the directions in which
/// axes, detector coordinates and gantry angle grow.
class GeometryScene : public Scene {
 public:
  GeometryScene();
  ~GeometryScene() override;

  /// Shows a scan; null shows the hint instead. Direction and zoom of the camera stay as they are;
  /// its distance follows the bounds of the scan.
  void setGeometry(std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid);
  /// Sets the view at whose pose source and detector are drawn; clamped to the views of the scan.
  void setView(int index);
  int view() const { return view_; }
  /// Sets the text that is shown without a scan.
  void setHint(const std::string& hint) { hint_ = hint; }

  OrbitCamera& camera() { return camera_; }

  /// Returns the position of a world point on the screen.
  PointPx worldToDisplay(Vec3 world_mm) const;
  const Sketch& sketch() const { return sketch_; }

  int samples() const override { return 4; }
  void prepare() override;

 protected:
  void onTheme() override { stale_ = true; }

 private:
  void rebuild();
  void placeCamera();
  double depth() const { return 1.6 * bounds_.reach(); }
  double fittingDistance();
  void drawLabels(Painter& painter) const;

  std::shared_ptr<const ScanGeometry> geometry_;
  VolumeGrid grid_;
  int view_ = 0;
  std::string hint_;
  OrbitCamera camera_;
  bool stale_ = true;
  Sketch sketch_;
  SketchBounds bounds_;
  vtkSmartPointer<vtkActor> thin_, bold_, solid_, faces_;
  vtkSmartPointer<OverlayProp> labels_;
};

}  // namespace gantry
