#pragma once

#include "gui/views/vtk_host.hpp"

#include <QImage>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLWidget>

#include <functional>
#include <memory>

namespace gantry {

/// The renderer of OpenGL on this computer: a graphics card, the CPU, or none.
enum class Graphics { hardware, software, none };
/// Returns the available renderer, found by creating an OpenGL context at the first call.
Graphics availableGraphics();

/// The part of a view that holds the pixels. There are two kinds, GlCanvas and RasterCanvas: OpenGL
/// composes the whole of a window that contains a QOpenGLWidget. Composing costs nothing on a
/// graphics card; where the CPU draws it costs more than the picture itself (15 ms for a window of
/// 1700 x 950 pixels on two cores, at every frame of any of the window's views).
class Canvas {
 public:
  /// A function that is called after each frame with the time of the frame, ms.
  using Painted = std::function<void(double)>;

  virtual ~Canvas() = default;
  virtual QWidget* widget() = 0;
  /// Draws the scene at the next opportunity.
  virtual void schedule() = 0;
  /// Returns the scene at width x height device pixels, `scale` device pixels per logical pixel;
  /// null when the scene cannot be drawn.
  virtual QImage grab(int width, int height, double scale) = 0;
};

/// A canvas that OpenGL composes with its window. The OpenGL context ends when the canvas moves to
/// another window; the VtkHost is then destroyed, and created again with the next context.
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

/// A canvas that is drawn into memory and painted like any other widget. It has its own OpenGL
/// context, which does not depend on a window.
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

/// Returns the format of the OpenGL contexts in which VTK can draw.
QSurfaceFormat canvasFormat();

}  // namespace gantry
