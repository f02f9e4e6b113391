#pragma once

#include <QColor>
#include <QImage>
#include <QSurfaceFormat>
#include <QWidget>

#include <memory>
#include <optional>

namespace gantry {

class Canvas;
class Scene;

/// Shows a scene in a window. Debian's VTK has no Qt 6 module, so this is our own.
///
/// With a graphics card the picture is composed by OpenGL (QOpenGLWidget); where a processor draws
/// it is painted like any other widget, which is several times faster there. Either way a view may
/// be docked, floated, hidden and shown without care from anyone.
class VtkView : public QWidget {
  Q_OBJECT

 public:
  ~VtkView() override;

  /// How views made from now on bring their pixels to the screen.
  enum class Surface { automatic, composited, painted };
  Q_ENUM(Surface)
  static void setSurface(Surface surface);
  /// What views need; give it to QSurfaceFormat::setDefaultFormat before the application is made.
  static QSurfaceFormat surfaceFormat();
  /// A processor draws, as where there is no graphics card: frames cost time that a reconstruction
  /// could use.
  static bool drawsInSoftware();

  /// Draws the scene again soon; any number of requests before the next frame cost one frame.
  void scheduleRender();
  /// What the last frame took, from its start until its pixels were there.
  double lastPaintMs() const { return last_paint_ms_; }
  /// How many frames have been drawn.
  int paintCount() const { return paint_count_; }

  /// The view as it is, `scale` times finer than logical pixels, whether shown or not. Null when
  /// there is nothing to draw with.
  QImage grabImage(double scale = 2);

  /// A fixed background; without one it follows the palette.
  void setBackground(std::optional<QColor> colour);

  QSize minimumSizeHint() const override { return {80, 60}; }

 signals:
  /// After each frame, with its time.
  void painted(double ms);

 protected:
  /// What of the palette is behind the scene. White around a dark picture dazzles, so a light
  /// window surrounds it with grey.
  enum class Ground { paper, grey };
  VtkView(std::unique_ptr<Scene> scene, Ground ground, QWidget* parent);

  Scene& baseScene() { return *scene_; }
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QColor paletteBackground() const;
  void applyBackground();

  std::unique_ptr<Scene> scene_;
  std::unique_ptr<Canvas> canvas_;  // before Qt deletes children, and before the scene
  Ground ground_;
  std::optional<QColor> background_;
  double last_paint_ms_ = 0;
  int paint_count_ = 0;
};

}  // namespace gantry
