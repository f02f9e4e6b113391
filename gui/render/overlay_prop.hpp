#pragma once

#include "gui/render/painter_batch.hpp"

#include <vtkProp.h>

#include <utility>

namespace gantry {

/// A prop that draws flat shapes and text over (or under) everything else of its renderer, in one
/// draw call.
class OverlayProp : public vtkProp {
 public:
  using Draw = PainterBatch::Draw;

  static OverlayProp* New();
  vtkTypeMacro(OverlayProp, vtkProp)

      /// Called once a frame to say what to draw; `scale` is device pixels per logical pixel.
      void setDraw(Draw draw) {
    draw_ = std::move(draw);
  }
  void setScale(double scale) { scale_ = scale; }
  /// Under the rest of the scene instead of over it.
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
