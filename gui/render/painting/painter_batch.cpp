#include "gui/render/painting/painter_batch.hpp"

#include "gui/render/painting/text_atlas.hpp"
#include "gui/render/painting/triangle_painter.hpp"

#include <vtkNew.h>
#include <vtkOpenGLBufferObject.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLShaderCache.h>
#include <vtkOpenGLState.h>
#include <vtkOpenGLVertexArrayObject.h>
#include <vtkRenderer.h>
#include <vtkShaderProgram.h>
#include <vtkTextureObject.h>
#include <vtk_glew.h>

#include <cstddef>

namespace gantry {

namespace {

constexpr const char* vertex_shader = R"(//VTK::System::Dec
in vec2 place;
in vec2 texel;
in vec4 colour;
uniform vec2 viewSize;
uniform float atlasSide;
out vec2 texCoord;
out vec4 tint;
void main() {
  texCoord = texel / atlasSide;
  tint = colour;
  gl_Position = vec4(2.0 * place.x / viewSize.x - 1.0, 1.0 - 2.0 * place.y / viewSize.y, 0.0, 1.0);
}
)";

constexpr const char* fragment_shader = R"(//VTK::System::Dec
//VTK::Output::Dec
in vec2 texCoord;
in vec4 tint;
uniform sampler2D atlas;
void main() {
  gl_FragData[0] = vec4(tint.rgb, tint.a * texture(atlas, texCoord).r);
}
)";

}  // namespace

struct PainterBatch::Gl {
  vtkNew<vtkOpenGLBufferObject> buffer;
  vtkNew<vtkOpenGLVertexArrayObject> array;
  vtkNew<vtkTextureObject> texture;
  std::uint64_t uploaded_version = 0;

  void uploadAtlas(vtkOpenGLRenderWindow* window, const TextAtlas& atlas) {
    if (uploaded_version == atlas.version() && texture->GetHandle() != 0) return;
    texture->SetContext(window);
    texture->SetMinificationFilter(vtkTextureObject::Nearest);
    texture->SetMagnificationFilter(vtkTextureObject::Nearest);
    const auto side = static_cast<unsigned int>(atlas.side());
    // VTK's signature is not const, but the function only reads.
    texture->Create2DFromRaw(side, side, 1, VTK_UNSIGNED_CHAR,
                             const_cast<std::uint8_t*>(atlas.coverage().data()));
    uploaded_version = atlas.version();
  }

  void draw(vtkOpenGLRenderWindow* window, const TrianglePainter& painter, const TextAtlas& atlas,
            const int* size) {
    using Vertex = TrianglePainter::Vertex;
    vtkShaderProgram* program =
        window->GetShaderCache()->ReadyShaderProgram(vertex_shader, fragment_shader, "");
    if (!program) return;
    buffer->Upload(painter.vertices(), vtkOpenGLBufferObject::ArrayBuffer);
    array->Bind();
    const int stride = sizeof(Vertex);
    array->AddAttributeArray(program, buffer, "place", offsetof(Vertex, x), stride, VTK_FLOAT, 2,
                             false);
    array->AddAttributeArray(program, buffer, "texel", offsetof(Vertex, s), stride, VTK_FLOAT, 2,
                             false);
    array->AddAttributeArray(program, buffer, "colour", offsetof(Vertex, r), stride, VTK_FLOAT, 4,
                             false);
    texture->Activate();
    program->SetUniformi("atlas", texture->GetTextureUnit());
    program->SetUniformf("atlasSide", static_cast<float>(atlas.side()));
    const float view_size[2] = {static_cast<float>(size[0]), static_cast<float>(size[1])};
    program->SetUniform2f("viewSize", view_size);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(painter.vertices().size()));
    texture->Deactivate();
    array->Release();
  }
};

PainterBatch::PainterBatch() : atlas_(std::make_unique<TextAtlas>()) {}
PainterBatch::~PainterBatch() = default;

void PainterBatch::releaseGraphicsResources(vtkWindow* window) {
  if (gl_) {
    gl_->buffer->ReleaseGraphicsResources();
    gl_->array->ReleaseGraphicsResources();
    gl_->texture->ReleaseGraphicsResources(window);
  }
  gl_.reset();
}

void PainterBatch::render(vtkRenderer& renderer, double scale, const Draw& draw) {
  const int* size = renderer.GetSize();
  // The first attempt keeps the atlas, the second clears it, further attempts also enlarge it.
  constexpr int attempts = 4;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    TrianglePainter painter(*atlas_, size[0], size[1], scale);
    draw(painter);
    if (painter.overflowed() && attempt + 1 < attempts) {
      atlas_->clear(attempt > 0);
      continue;
    }
    if (!painter.vertices().empty()) send(renderer, painter);
    return;
  }
}

void PainterBatch::send(vtkRenderer& renderer, const TrianglePainter& painter) {
  auto* window = vtkOpenGLRenderWindow::SafeDownCast(renderer.GetRenderWindow());
  if (!window) return;
  if (!gl_) gl_ = std::make_unique<Gl>();
  vtkOpenGLState* state = window->GetState();
  const vtkOpenGLState::ScopedglEnableDisable depth(state, GL_DEPTH_TEST), blend(state, GL_BLEND);
  const vtkOpenGLState::ScopedglEnableDisable cull(state, GL_CULL_FACE);
  const vtkOpenGLState::ScopedglBlendFuncSeparate function(state);
  state->vtkglDisable(GL_DEPTH_TEST);
  state->vtkglDisable(GL_CULL_FACE);
  state->vtkglEnable(GL_BLEND);
  // The blending keeps the picture opaque, whatever is drawn: through a translucent window the
  // desktop would be visible.
  state->vtkglBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE,
                                GL_ONE_MINUS_SRC_ALPHA);
  gl_->uploadAtlas(window, *atlas_);
  gl_->draw(window, painter, *atlas_, renderer.GetSize());
}

}  // namespace gantry
