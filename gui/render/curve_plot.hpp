#pragma once

#include "gui/render/painter_batch.hpp"

#include <vtkPlot.h>

#include <utility>

class vtkRenderer;

namespace gantry {

/// A plot of a VTK chart that draws itself with a Painter: edges are smooth without multisampling,
/// which costs more than all the rest of a frame where a processor draws, and dashes keep their
/// length on screens of any density.
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
