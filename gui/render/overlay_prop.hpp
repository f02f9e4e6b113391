#pragma once

#include "gui/render/painting/painter_batch.hpp"

#include <vtkProp.h>

#include <utility>

namespace gantry {

/// A prop that draws flat shapes and text over (or under) all other props of its renderer, in one
/// draw call.
class OverlayProp : public vtkProp {
 public:
  using Draw = PainterBatch::Draw;

  static OverlayProp* New();
  vtkTypeMacro(OverlayProp, vtkProp)

      /// Sets the function that draws; it is called once per frame.
      void setDraw(Draw draw) {
    draw_ = std::move(draw);
  }
  void draw(Painter& painter) const {
    if (draw_) draw_(painter);
  }
  /// Sets the device pixels per logical pixel.
  void setScale(double scale) { scale_ = scale; }
  /// Draws under the other props instead of over them.
  void setBeneath(bool beneath) { beneath_ = beneath; }

  int RenderOpaqueGeometry(vtkViewport* viewport) override {
    return beneath_ ? render(viewport) : 0;
  }
  int RenderOverlay(vtkViewport* viewport) override { return beneath_ ? 0 : render(viewport); }
  void ReleaseGraphicsResources(vtkWindow* window) override;

 protected:
  OverlayProp();
  ~OverlayProp() override;

 private:
  int render(vtkViewport* viewport);

  PainterBatch batch_;
  Draw draw_;
  double scale_ = 1;
  bool beneath_ = false;
};

}  // namespace gantry
