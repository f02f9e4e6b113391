#include "gui/render/overlay_prop.hpp"

#include <vtkObjectFactory.h>
#include <vtkRenderer.h>

namespace gantry {

vtkStandardNewMacro(OverlayProp)

    OverlayProp::OverlayProp() = default;
OverlayProp::~OverlayProp() = default;

void OverlayProp::ReleaseGraphicsResources(vtkWindow* window) {
  batch_.releaseGraphicsResources(window);
}

int OverlayProp::render(vtkViewport* viewport) {
  auto* renderer = vtkRenderer::SafeDownCast(viewport);
  if (!renderer || !draw_) return 0;
  batch_.render(*renderer, scale_, draw_);
  return 1;
}

}  // namespace gantry
