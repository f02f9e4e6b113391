#include "gui/views/vtk_host.hpp"

#include "gui/render/scene.hpp"

#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <vtkCallbackCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>

namespace gantry {

namespace {

/// Handles VTK's events that make the context current or test whether it is current.
void answer(vtkObject* caller, unsigned long event, void* client, void*) {
  const auto& context = *static_cast<const VtkHost::Context*>(client);
  // A context that is already current is left alone: make_current would also bind Qt's frame
  // buffer, in the middle of VTK's frame.
  if (event == vtkCommand::WindowMakeCurrentEvent && !context.is_current()) context.make_current();
  static_cast<vtkGenericOpenGLRenderWindow*>(caller)->SetIsCurrent(context.is_current());
}

}  // namespace

VtkHost::VtkHost(Scene& scene, Context context)
    : scene_(scene),
      context_(std::move(context)),
      window_(vtkSmartPointer<vtkGenericOpenGLRenderWindow>::New()) {
  vtkNew<vtkCallbackCommand> command;
  command->SetCallback(answer);
  command->SetClientData(&context_);
  window_->AddObserver(vtkCommand::WindowMakeCurrentEvent, command);
  window_->AddObserver(vtkCommand::WindowIsCurrentEvent, command);
  window_->SetReadyForRendering(true);
  window_->SetOwnContext(0);
  window_->SetIsCurrent(true);
  window_->SetMapped(true);
  // A core profile context draws lines of one pixel only. With this limit VTK makes wider lines of
  // triangles.
  window_->SetForceMaximumHardwareLineWidth(1);
  window_->SetFrameBlitModeToNoBlit();
  window_->OpenGLInitContext();
  window_->OpenGLInitState();
  scene_.attach(window_);
}

VtkHost::~VtkHost() {
  context_.make_current();
  scene_.detach();
  window_->Finalize();
}

void VtkHost::render(int width, int height, double ratio) {
  const int* size = window_->GetSize();
  if (size[0] != width || size[1] != height) window_->SetSize(width, height);
  if (scene_.deviceWidth() != width || scene_.deviceHeight() != height || scene_.scale() != ratio)
    scene_.resize(width, height, ratio);
  scene_.prepare();
  vtkOpenGLState* state = window_->GetState();
  state->Reset();  // Qt has changed the state of the context since VTK's last frame
  state->Push();
  state->vtkglDepthFunc(GL_LEQUAL);
  window_->Render();
  state->Pop();
}

void VtkHost::copyTo(unsigned int target) {
  QOpenGLFunctions* gl = QOpenGLContext::currentContext()->functions();
  gl->glDisable(GL_SCISSOR_TEST);  // a scissor rectangle would cut off the copy
  gl->glBindFramebuffer(GL_FRAMEBUFFER, target);
  window_->GetState()->ResetFramebufferBindings();
  window_->BlitDisplayFramebuffer();
  gl->glBindFramebuffer(GL_FRAMEBUFFER, target);
}

QImage VtkHost::read() {
  const int* size = window_->GetSize();
  QImage image(size[0], size[1], QImage::Format_RGB32);
  QOpenGLFunctions* gl = QOpenGLContext::currentContext()->functions();
  gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, window_->GetDisplayFramebuffer()->GetFBOIndex());
  gl->glPixelStorei(GL_PACK_ALIGNMENT, 4);
  gl->glReadPixels(0, 0, size[0], size[1], GL_BGRA, GL_UNSIGNED_BYTE,
                   image.bits());  // QImage's order of channels
  window_->GetState()->ResetFramebufferBindings();
  return std::move(image).mirrored();
}

}  // namespace gantry
