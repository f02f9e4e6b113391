#pragma once

#include "charts/painting/painter.hpp"

#include <functional>
#include <memory>

class vtkRenderer;
class vtkWindow;

namespace gantry {

class TextAtlas;
class TrianglePainter;

/// Draws the vertices of a TrianglePainter on the graphics card, in one draw call.
class PainterBatch {
 public:
  using Draw = std::function<void(Painter&)>;

  PainterBatch();
  ~PainterBatch();

  /// Calls `draw` with a Painter and draws the result over the present contents of the renderer's
  /// window. `scale` is device pixels per logical pixel.
  void render(vtkRenderer& renderer, double scale, const Draw& draw);
  void releaseGraphicsResources(vtkWindow* window);

 private:
  struct Gl;
  void send(vtkRenderer& renderer, const TrianglePainter& painter);

  std::unique_ptr<TextAtlas> atlas_;
  std::unique_ptr<Gl> gl_;
};

}  // namespace gantry
