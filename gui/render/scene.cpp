#include "gui/render/scene.hpp"

#include "charts/painting/recording_painter.hpp"
#include "gui/render/overlay_prop.hpp"
#include "gui/render/painting/window_texts.hpp"

#include <vtkCullerCollection.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <algorithm>

namespace gantry {

Scene::Scene() : renderer_(vtkSmartPointer<vtkRenderer>::New()) {
  // Sorting a handful of props costs more than drawing them.
  renderer_->GetCullers()->RemoveAllItems();
  renderer_->SetBackgroundAlpha(1);  // otherwise a composited window shows the desktop
  applyTheme(rgb(0x1E1E1E));
}

Scene::~Scene() { detach(); }

vtkRenderer* Scene::renderer() const { return renderer_; }

void Scene::attach(vtkRenderWindow* window) {
  if (window == window_) return;
  detach();
  window_ = window;
  if (!window_) return;
  window_->SetMultiSamples(samples());
  window_->AddRenderer(renderer_);
}

void Scene::detach() {
  if (!window_) return;
  window_->MakeCurrent();  // the resources to release belong to this window's context
  renderer_->ReleaseGraphicsResources(window_);
  window_->RemoveRenderer(renderer_);
  window_ = nullptr;
}

void Scene::resize(int width_device, int height_device, double scale) {
  width_device_ = std::max(width_device, 1);
  height_device_ = std::max(height_device, 1);
  scale_ = std::clamp(scale, 0.25, 16.0);
  onResize();
}

void Scene::addOverlay(OverlayProp& overlay) {
  renderer_->AddViewProp(&overlay);
  overlays_.push_back(&overlay);
}

Drawing Scene::shapes() const {
  RecordingPainter painter(widthPx(), heightPx(), windowRuler(scale()));
  for (const OverlayProp* overlay : overlays_) overlay->draw(painter);
  return painter.drawing();
}

void Scene::showShapes(bool shown) {
  for (OverlayProp* overlay : overlays_) overlay->SetVisibility(shown);
}

void Scene::applyTheme(Rgb background) {
  theme_ = Theme::on(background);
  renderer_->SetBackground(background.r / 255.0, background.g / 255.0, background.b / 255.0);
}

void Scene::setBackground(Rgb background) {
  applyTheme(background);
  onTheme();
}

}  // namespace gantry
