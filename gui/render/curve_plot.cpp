#include "gui/render/curve_plot.hpp"

#include <vtkObjectFactory.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace gantry {

vtkStandardNewMacro(CurvePlot)

    CurvePlot::CurvePlot() = default;
CurvePlot::~CurvePlot() = default;

bool CurvePlot::Paint(vtkContext2D*) {
  if (!Visible || !renderer_ || !draw_) return false;
  batch_.render(*renderer_, scale_, draw_);
  return true;
}

void CurvePlot::ReleaseGraphicsResources() {
  batch_.releaseGraphicsResources(renderer_ ? renderer_->GetRenderWindow() : nullptr);
}

}  // namespace gantry
