#pragma once

#include "charts/painting/drawing.hpp"
#include "charts/theme.hpp"

#include <vtkSmartPointer.h>

#include <vector>

class vtkProp;
class vtkRenderer;
class vtkRenderWindow;

namespace gantry {

class OverlayProp;

/// A drawing for a render window: a view shows a scene on the screen, renderOffscreen draws it into
/// a picture.
///
/// Positions and lengths in the interface of every scene are logical pixels from the top left
/// corner; a logical pixel is `scale` device pixels wide. A scene at twice the size and twice the
/// scale gives the same picture at twice the resolution.
class Scene {
 public:
  Scene();
  virtual ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Attaches the scene to `window`, and releases its resources on the graphics card for the former
  /// window.
  void attach(vtkRenderWindow* window);
  /// Releases the scene's resources on the graphics card; the window's context must be usable.
  void detach();
  vtkRenderWindow* renderWindow() const { return window_; }
  vtkRenderer* renderer() const;

  /// Sets the size of the drawing area in device pixels; the size of the window itself does not
  /// change.
  void resize(int width_device, int height_device, double scale);
  int deviceWidth() const { return width_device_; }
  int deviceHeight() const { return height_device_; }
  double widthPx() const { return width_device_ / scale_; }
  double heightPx() const { return height_device_ / scale_; }
  double scale() const { return scale_; }

  /// Sets the background; text and line colours follow, so that light and dark backgrounds are
  /// readable.
  void setBackground(Rgb background);
  const Theme& theme() const { return theme_; }

  /// Returns the number of multisamples that the scene needs; 0 where shapes are smoothed by other
  /// means.
  virtual int samples() const { return 0; }
  /// Brings the drawing up to date; called just before each frame.
  virtual void prepare() {}

  /// Returns what the scene shows besides pictures: texts, marks, axes and curves, as they were in
  /// the latest frame.
  virtual Drawing shapes() const;
  /// Whether the scene has pictures; else shapes() are all of it.
  virtual bool hasPictures() const { return true; }
  /// Leaves the shapes out of what is drawn, or draws them again.
  void showShapes(bool shown);

 protected:
  /// Adds texts and marks, which lie over whatever has been added before.
  void addOverlay(OverlayProp& overlay);
  virtual void onResize() {}
  virtual void onTheme() {}

 private:
  void applyTheme(Rgb background);

  vtkSmartPointer<vtkRenderer> renderer_;
  std::vector<OverlayProp*> overlays_;  // the renderer's
  vtkRenderWindow* window_ = nullptr;
  int width_device_ = 0, height_device_ = 0;
  double scale_ = 1;
  Theme theme_;
};

}  // namespace gantry
