#pragma once

#include "gui/render/painting/painter_batch.hpp"

#include <vtkPlot.h>

#include <utility>

class vtkRenderer;

namespace gantry {

/// A plot of a VTK chart that is drawn with a Painter. The Painter smooths edges without
/// multisampling, which costs more than the rest of a frame where the CPU draws, and its dashes
/// have the same length on screens of any pixel density.
class CurvePlot : public vtkPlot {
 public:
  static CurvePlot* New();
  vtkTypeMacro(CurvePlot, vtkPlot)

      void setDraw(vtkRenderer* renderer, PainterBatch::Draw draw) {
    renderer_ = renderer;
    draw_ = std::move(draw);
  }
  void setScale(double scale) { scale_ = scale; }

  bool Paint(vtkContext2D* painter) override;
  void ReleaseGraphicsResources() override;

 protected:
  CurvePlot();
  ~CurvePlot() override;

 private:
  PainterBatch batch_;
  PainterBatch::Draw draw_;
  vtkRenderer* renderer_ = nullptr;
  double scale_ = 1;
};

}  // namespace gantry
