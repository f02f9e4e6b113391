#pragma once

#include <QImage>
#include <vtkSmartPointer.h>

#include <functional>

class vtkGenericOpenGLRenderWindow;

namespace gantry {

class Scene;

/// A graphics context of Qt's with VTK drawing in it: VTK draws a scene into a frame buffer of its
/// own, from which the picture is copied to where the widget wants it. Lives as long as the context
/// does.
class VtkHost {
 public:
  /// How VTK reaches the context that it is a guest of.
  struct Context {
    std::function<void()> make_current;
    std::function<bool()> is_current;
  };

  /// The context must be current.
  VtkHost(Scene& scene, Context context);
  /// Gives back what the scene holds in the context.
  ~VtkHost();
  VtkHost(const VtkHost&) = delete;
  VtkHost& operator=(const VtkHost&) = delete;

  /// Draws the scene into VTK's frame buffer; the context must be current. Sizes in device pixels.
  void render(int width, int height, double ratio);
  /// Copies the picture into the frame buffer `target`.
  void copyTo(unsigned int target);
  /// The picture, upright.
  QImage read();

 private:
  Scene& scene_;
  Context context_;
  vtkSmartPointer<vtkGenericOpenGLRenderWindow> window_;
};

}  // namespace gantry
