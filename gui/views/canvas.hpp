#pragma once

#include "gui/views/vtk_host.hpp"

#include <QImage>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLWidget>

#include <functional>
#include <memory>

namespace gantry {

/// Who draws, as far as this machine goes.
enum class Graphics { hardware, software, none };
/// Found out once, by asking for a context.
Graphics availableGraphics();

/// The part of a view that holds pixels. There are two, for one reason: a window with a
/// QOpenGLWidget in it is put together by OpenGL as a whole, which is free on a graphics card and
/// costs more than the picture itself where a processor draws (15 ms for a window of 1700 x 950
/// pixels on two cores, at every frame of any of its views).
class Canvas {
 public:
  /// Called after a frame with its time, ms.
  using Painted = std::function<void(double)>;

  virtual ~Canvas() = default;
  virtual QWidget* widget() = 0;
  /// Draws the scene at the next opportunity.
  virtual void schedule() = 0;
  /// The scene at another size; null when it cannot be drawn.
  virtual QImage grab(int width, int height, double scale) = 0;
};

/// Composed by OpenGL. Moving to another window ends the context; the host then goes, and comes
/// again with the next.
class GlCanvas : public QOpenGLWidget, public Canvas {
  Q_OBJECT

 public:
  GlCanvas(Scene& scene, QWidget* parent, Painted painted);
  ~GlCanvas() override;

  QWidget* widget() override { return this; }
  void schedule() override { update(); }
  QImage grab(int width, int height, double scale) override;

 protected:
  void initializeGL() override;
  void paintGL() override;

 private:
  void release();

  Scene& scene_;
  Painted painted_;
  std::unique_ptr<VtkHost> host_;
  QMetaObject::Connection context_end_;
};

/// Drawn beside the screen and painted like any other widget. Has a context of its own, which no
/// window can end.
class RasterCanvas : public QWidget, public Canvas {
  Q_OBJECT

 public:
  RasterCanvas(Scene& scene, QWidget* parent, Painted painted);
  ~RasterCanvas() override;

  QWidget* widget() override { return this; }
  void schedule() override;
  QImage grab(int width, int height, double scale) override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool makeCurrent();

  Scene& scene_;
  Painted painted_;
  QOffscreenSurface surface_;
  QOpenGLContext context_;
  std::unique_ptr<VtkHost> host_;
  QImage picture_;
  bool stale_ = true;
};

std::unique_ptr<Canvas> makeCanvas(bool composited, Scene& scene, QWidget* parent,
                                   Canvas::Painted painted);

/// The contexts that VTK can draw in.
QSurfaceFormat canvasFormat();

}  // namespace gantry
