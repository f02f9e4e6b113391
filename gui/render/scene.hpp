#pragma once

#include "gui/render/theme.hpp"

#include <vtkSmartPointer.h>

class vtkProp;
class vtkRenderer;
class vtkRenderWindow;

namespace gantry {

/// Something that can be drawn into a render window: on the screen by a view, off it by
/// renderOffscreen.
///
/// Positions and lengths in the interface of every scene are logical pixels from the top left
/// corner; a logical pixel is `scale` device pixels wide. The same scene at twice the size and
/// scale is the same picture, finer.
class Scene {
 public:
  Scene();
  virtual ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Draws into `window` from now on. What the graphics card holds for another window is released.
  void attach(vtkRenderWindow* window);
  /// Releases what the graphics card holds; the window's context must be usable.
  void detach();
  vtkRenderWindow* renderWindow() const { return window_; }
  vtkRenderer* renderer() const;

  /// Size of the drawing area in device pixels. Does not size the window itself.
  void resize(int width_device, int height_device, double scale);
  int deviceWidth() const { return width_device_; }
  int deviceHeight() const { return height_device_; }
  double widthPx() const { return width_device_ / scale_; }
  double heightPx() const { return height_device_ / scale_; }
  double scale() const { return scale_; }

  /// Text and line colours follow, so that light and dark both read well.
  void setBackground(Rgb background);
  const Theme& theme() const { return theme_; }

  /// Multisampling that the scene needs to look well; 0 where shapes are smoothed by other means.
  virtual int samples() const { return 0; }
  /// Called just before a frame: the place to bring the drawing up to date.
  virtual void prepare() {}

 protected:
  virtual void onResize() {}
  virtual void onTheme() {}

 private:
  void applyTheme(Rgb background);

  vtkSmartPointer<vtkRenderer> renderer_;
  vtkRenderWindow* window_ = nullptr;
  int width_device_ = 0, height_device_ = 0;
  double scale_ = 1;
  Theme theme_;
};

}  // namespace gantry
