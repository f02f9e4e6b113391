#pragma once

#include <QImage>
#include <vtkSmartPointer.h>

#include <functional>

class vtkGenericOpenGLRenderWindow;

namespace gantry {

class Scene;

/// Lets VTK draw in an OpenGL context of Qt: VTK draws a scene into its own frame buffer, from
/// which the picture is copied to the widget's. A VtkHost lives as long as the context.
class VtkHost {
 public:
  /// Functions by which VTK makes Qt's context current and tests whether it is current.
  struct Context {
    std::function<void()> make_current;
    std::function<bool()> is_current;
  };

  /// Prepares VTK and attaches the scene; the context must be current.
  VtkHost(Scene& scene, Context context);
  /// Releases the scene's resources in the context.
  ~VtkHost();
  VtkHost(const VtkHost&) = delete;
  VtkHost& operator=(const VtkHost&) = delete;

  /// Draws the scene into VTK's frame buffer; the context must be current. Sizes in device pixels,
  /// `ratio` is device pixels per logical pixel.
  void render(int width, int height, double ratio);
  /// Copies the picture into the frame buffer `target`.
  void copyTo(unsigned int target);
  /// Returns the picture with its rows from top to bottom.
  QImage read();

 private:
  Scene& scene_;
  Context context_;
  vtkSmartPointer<vtkGenericOpenGLRenderWindow> window_;
};

}  // namespace gantry
