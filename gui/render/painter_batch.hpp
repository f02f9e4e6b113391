#pragma once

#include "gui/render/painter.hpp"

#include <functional>
#include <memory>

class vtkRenderer;
class vtkWindow;

namespace gantry {

/// Sends what a Painter collected to the graphics card, in one draw call.
class PainterBatch {
 public:
  using Draw = std::function<void(Painter&)>;

  PainterBatch();
  ~PainterBatch();

  /// Calls `draw` and shows the result in the renderer's window, over what is there.
  void render(vtkRenderer& renderer, double scale, const Draw& draw);
  void releaseGraphicsResources(vtkWindow* window);

 private:
  struct Gl;
  void send(vtkRenderer& renderer, const Painter& painter);

  std::unique_ptr<TextAtlas> atlas_;
  std::unique_ptr<Gl> gl_;
};

}  // namespace gantry
