#pragma once

#include "gui/render/geometry_sketch.hpp"
#include "gui/render/painter.hpp"
#include "gui/render/scene.hpp"

#include <vtkSmartPointer.h>

#include <memory>
#include <optional>

class vtkActor;

namespace gantry {

class OverlayProp;

/// A scan in space, at one of its views: what stands where, and which way everything counts.
class GeometryScene : public Scene {
 public:
  GeometryScene();
  ~GeometryScene() override;

  /// Shows a scan; none clears the view. The camera stays when only the view or small numbers
  /// change.
  void setGeometry(std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid);
  /// Which view source and detector stand at.
  void setView(int index);
  int view() const { return view_; }
  /// What a view without a scan says.
  void setHint(const std::string& hint) { hint_ = hint; }

  /// Turns the camera about the rotation axis and towards it.
  void orbit(double azimuth_deg, double elevation_deg);
  void zoom(double factor);
  /// Back to the oblique view of everything.
  void resetCamera();

  /// Where a point of the world is on the screen.
  PointPx worldToDisplay(Vec3 world_mm) const;
  const Sketch& sketch() const { return sketch_; }

  int samples() const override { return 4; }
  void prepare() override;

 protected:
  void onTheme() override { stale_ = true; }

 private:
  void rebuild();
  void placeCamera();
  void aim(double azimuth_deg, double elevation_deg, double distance);
  double fittingDistance();
  void drawLabels(Painter& painter) const;

  std::shared_ptr<const ScanGeometry> geometry_;
  VolumeGrid grid_;
  int view_ = 0;
  std::string hint_;
  double azimuth_deg_ = 0, elevation_deg_ = 0, zoom_ = 1;
  bool stale_ = true;
  Sketch sketch_;
  SketchBounds bounds_;
  vtkSmartPointer<vtkActor> thin_, bold_, solid_, faces_;
  vtkSmartPointer<OverlayProp> labels_;
};

}  // namespace gantry
