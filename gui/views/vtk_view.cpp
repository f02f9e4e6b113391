#include "gui/views/vtk_view.hpp"

#include "gui/render/scene.hpp"
#include "gui/views/canvas.hpp"
#include "gui/views/drawing_output.hpp"
#include "gui/views/focus_ring.hpp"
#include "gui/views/stage_look.hpp"

#include <QEvent>

namespace gantry {

namespace {

VtkView::Surface chosen_surface = VtkView::Surface::automatic;

bool composited() {
  if (chosen_surface == VtkView::Surface::automatic)
    return availableGraphics() == Graphics::hardware;
  return chosen_surface == VtkView::Surface::composited;
}

}  // namespace

VtkView::VtkView(std::unique_ptr<Scene> scene, Ground ground, QWidget* parent)
    : QWidget(parent), scene_(std::move(scene)), ground_(ground) {
  canvas_ = makeCanvas(composited(), *scene_, this, [this](double ms) {
    last_paint_ms_ = ms;
    ++paint_count_;
    emit painted(ms);
  });
  new FocusRing(this);
  applyBackground();
  connect(&StageLook::get(), &StageLook::changed, this, &VtkView::applyBackground);
}

VtkView::~VtkView() = default;

void VtkView::setSurface(Surface surface) { chosen_surface = surface; }
QSurfaceFormat VtkView::surfaceFormat() { return canvasFormat(); }
bool VtkView::drawsInSoftware() { return availableGraphics() != Graphics::hardware; }

void VtkView::scheduleRender() { canvas_->schedule(); }

QImage VtkView::grabImage(double scale) {
  return canvas_->grab(qMax(1, qRound(width() * scale)), qMax(1, qRound(height() * scale)), scale);
}

Drawing VtkView::drawing(double scale) {
  const QImage pixels = [&] {
    struct ShapesAgain {  // whatever is thrown
      Scene& scene;
      ~ShapesAgain() { scene.showShapes(true); }
    } const again{*scene_};
    // Also where all are shapes: a frame lays the scene out.
    scene_->showShapes(!scene_->hasPictures());
    return grabImage(scale).convertToFormat(QImage::Format_RGB888);
  }();
  scheduleRender();
  if (pixels.isNull()) return {};
  const Drawing shapes = scene_->shapes();
  if (!scene_->hasPictures()) return shapes;
  Drawing all{shapes.width_px, shapes.height_px, {}};
  all.items.emplace_back(DrawnPicture{{0, 0, all.width_px, all.height_px}, rgb_image(pixels)});
  for (const Drawing::Item& item : shapes.items) all.items.push_back(item);
  return all;
}

void VtkView::setBackground(std::optional<QColor> colour) {
  background_ = colour;
  applyBackground();
}

QColor VtkView::paletteBackground() const {
  const StageLook& stage = StageLook::get();
  const QColor paper = palette().color(QPalette::Base);
  if (ground_ == Ground::black) return stage.beyondPicture();
  const bool paper_is_light = qGray(paper.rgb()) >= 128;
  return ground_ == Ground::paper || paper_is_light == stage.isLight() ? paper : stage.paper();
}

void VtkView::applyBackground() {
  const QColor colour = background_.value_or(paletteBackground());
  scene_->setBackground({static_cast<std::uint8_t>(colour.red()),
                         static_cast<std::uint8_t>(colour.green()),
                         static_cast<std::uint8_t>(colour.blue())});
  scheduleRender();
}

void VtkView::resizeEvent(QResizeEvent*) { canvas_->widget()->setGeometry(rect()); }

void VtkView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ThemeChange)
    applyBackground();
  QWidget::changeEvent(event);
}

}  // namespace gantry
