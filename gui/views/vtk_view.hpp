#pragma once

#include "charts/painting/drawing.hpp"

#include <QColor>
#include <QImage>
#include <QSurfaceFormat>
#include <QWidget>

#include <memory>
#include <optional>

namespace gantry {

class Canvas;
class Scene;

/// Shows a scene in a window. This class exists because Debian's VTK has no module for Qt 6.
///
/// With a graphics card OpenGL composes the picture with its window (QOpenGLWidget); where the CPU
/// draws, the picture is painted like any other widget, which is several times faster there. In
/// both cases a view may be docked, floated, hidden and shown at any time.
class VtkView : public QWidget {
  Q_OBJECT

 public:
  ~VtkView() override;

  /// The way in which views that are created from now on bring their pixels to the screen.
  enum class Surface { automatic, composited, painted };
  Q_ENUM(Surface)
  static void setSurface(Surface surface);
  /// Returns the format that views need; it must be passed to QSurfaceFormat::setDefaultFormat
  /// before the application object is created.
  static QSurfaceFormat surfaceFormat();
  /// Returns whether the CPU draws, as without a graphics card; frames then take time that a
  /// reconstruction could use.
  static bool drawsInSoftware();

  /// Draws the scene again soon; several requests before the next frame cost one frame.
  void scheduleRender();
  /// Returns the time of the last frame, ms, from its start until its pixels are complete.
  double lastPaintMs() const { return last_paint_ms_; }
  /// Returns the number of frames that have been drawn.
  int paintCount() const { return paint_count_; }

  /// Returns the picture of the view at `scale` times its logical size, whether the view is shown
  /// or not. Null when there is nothing to draw with.
  QImage grabImage(double scale = 2);

  /// Returns the view as a figure whose texts, marks, axes and curves are shapes; pictures have
  /// `scale` times the logical size of the view. Empty when there is nothing to draw with.
  Drawing drawing(double scale = 2);

  /// Sets a fixed background; without a colour the background follows the palette.
  void setBackground(std::optional<QColor> colour);

  QSize minimumSizeHint() const override { return {80, 60}; }

 signals:
  /// Emitted after each frame with its time, ms.
  void painted(double ms);

 protected:
  /// The background: paper is that of text fields in the palette; black is that of pictures,
  /// because a light ground around a dark picture dazzles; chart is paper where that is as dark or
  /// light as the stage, else the paper of the stage. See StageLook.
  enum class Ground { paper, black, chart };
  VtkView(std::unique_ptr<Scene> scene, Ground ground, QWidget* parent);

  Scene& baseScene() { return *scene_; }
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QColor paletteBackground() const;
  void applyBackground();

  std::unique_ptr<Scene> scene_;
  std::unique_ptr<Canvas> canvas_;  // destroyed before scene_ and before Qt's children
  Ground ground_;
  std::optional<QColor> background_;
  double last_paint_ms_ = 0;
  int paint_count_ = 0;
};

}  // namespace gantry
