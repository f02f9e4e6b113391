#include "gui/views/canvas.hpp"

#include "core/base/error.hpp"
#include "gui/render/render_offscreen.hpp"
#include "gui/render/scene.hpp"
#include "gui/render/software_gl.hpp"

#include <QElapsedTimer>
#include <QOpenGLFunctions>
#include <QPainter>

namespace gantry {

namespace {

Graphics probe() {
  QOffscreenSurface surface;
  surface.setFormat(canvasFormat());
  surface.create();
  QOpenGLContext context;
  context.setFormat(canvasFormat());
  if (!context.create() || !context.makeCurrent(&surface)) return Graphics::none;
  const auto* name = reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER));
  const bool new_enough = context.format().version() >= std::pair(3, 2);
  context.doneCurrent();
  if (!name || !new_enough) return Graphics::none;
  return draws_on_the_processor(name) ? Graphics::software : Graphics::hardware;
}

QSize deviceSize(const QWidget& widget) {
  const double ratio = widget.devicePixelRatioF();
  return {qMax(1, qRound(widget.width() * ratio)), qMax(1, qRound(widget.height() * ratio))};
}

double milliseconds(const QElapsedTimer& timer) {
  return static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

}  // namespace

QSurfaceFormat canvasFormat() {
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setSamples(0);  // scenes smooth their edges themselves, or VTK does in its own buffer
  return format;
}

Graphics availableGraphics() {
  static const Graphics graphics = probe();
  return graphics;
}

std::unique_ptr<Canvas> makeCanvas(bool composited, Scene& scene, QWidget* parent,
                                   Canvas::Painted painted) {
  if (composited) return std::make_unique<GlCanvas>(scene, parent, std::move(painted));
  return std::make_unique<RasterCanvas>(scene, parent, std::move(painted));
}

GlCanvas::GlCanvas(Scene& scene, QWidget* parent, Painted painted)
    : QOpenGLWidget(parent), scene_(scene), painted_(std::move(painted)) {
  setFormat(canvasFormat());
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

GlCanvas::~GlCanvas() {
  disconnect(context_end_);
  release();
}

void GlCanvas::initializeGL() {
  context_end_ = connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlCanvas::release,
                         Qt::DirectConnection);
  host_ = std::make_unique<VtkHost>(
      scene_, VtkHost::Context{[this] { makeCurrent(); },
                               [this] { return QOpenGLContext::currentContext() == context(); }});
}

void GlCanvas::release() {
  if (!host_) return;
  makeCurrent();
  host_.reset();
  doneCurrent();
}

void GlCanvas::paintGL() {
  if (!host_) return;
  QElapsedTimer timer;
  timer.start();
  const QSize size = deviceSize(*this);
  host_->render(size.width(), size.height(), devicePixelRatioF());
  makeCurrent();
  host_->copyTo(defaultFramebufferObject());
  // Without glFinish the time of the frame would not include the drawing.
  if (availableGraphics() == Graphics::software) context()->functions()->glFinish();
  painted_(milliseconds(timer));
}

QImage GlCanvas::grab(int width, int height, double scale) {
  if (!host_) {  // the canvas has not been shown yet
    try {
      const RgbImage image = renderOffscreen(scene_, width, height, scale);
      return QImage(image.pixels.data(), width, height, qsizetype{3} * width, QImage::Format_RGB888)
          .copy();
    } catch (const Error&) {
      return {};
    }
  }
  makeCurrent();
  host_->render(width, height, scale);
  QImage image = host_->read();
  doneCurrent();
  update();  // draws again at the size on the screen
  return image;
}

RasterCanvas::RasterCanvas(Scene& scene, QWidget* parent, Painted painted)
    : QWidget(parent), scene_(scene), painted_(std::move(painted)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_OpaquePaintEvent);
  surface_.setFormat(canvasFormat());
  context_.setFormat(canvasFormat());
}

RasterCanvas::~RasterCanvas() {
  if (!host_) return;
  makeCurrent();
  host_.reset();
  context_.doneCurrent();
}

bool RasterCanvas::makeCurrent() {
  if (!context_.isValid()) {
    surface_.create();
    if (!context_.create()) return false;
  }
  if (!context_.makeCurrent(&surface_)) return false;
  if (!host_)
    host_ = std::make_unique<VtkHost>(
        scene_, VtkHost::Context{[this] { context_.makeCurrent(&surface_); },
                                 [this] { return QOpenGLContext::currentContext() == &context_; }});
  return true;
}

void RasterCanvas::schedule() {
  stale_ = true;
  update();
}

void RasterCanvas::paintEvent(QPaintEvent*) {
  QElapsedTimer timer;
  timer.start();
  const QSize size = deviceSize(*this);
  const bool draws =
      stale_ || picture_.size() != size || picture_.devicePixelRatio() != devicePixelRatioF();
  if (draws && makeCurrent()) {
    stale_ = false;
    host_->render(size.width(), size.height(), devicePixelRatioF());
    picture_ = host_->read();
    picture_.setDevicePixelRatio(devicePixelRatioF());
    context_.doneCurrent();
  }
  QPainter painter(this);
  if (picture_.isNull()) {
    painter.fillRect(rect(), palette().base());
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("This view needs OpenGL 3.2, which this computer does not provide"));
    return;
  }
  painter.setCompositionMode(QPainter::CompositionMode_Source);
  painter.drawImage(0, 0, picture_);
  if (draws) painted_(milliseconds(timer));
}

QImage RasterCanvas::grab(int width, int height, double scale) {
  if (!makeCurrent()) return {};
  host_->render(width, height, scale);
  QImage image = host_->read();
  context_.doneCurrent();
  return image;
}

}  // namespace gantry
