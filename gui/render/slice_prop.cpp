#include "gui/render/slice_prop.hpp"

#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLBufferObject.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLShaderCache.h>
#include <vtkOpenGLState.h>
#include <vtkOpenGLVertexArrayObject.h>
#include <vtkRenderer.h>
#include <vtkShaderProgram.h>
#include <vtkTextureObject.h>
#include <vtk_glew.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

namespace {

constexpr const char* vertex_shader = R"(//VTK::System::Dec
in vec2 place;
in vec2 texel;
out vec2 st;
void main() {
  st = texel;
  gl_Position = vec4(place, 0.0, 1.0);
}
)";

// Values are interpolated before they are mapped to colours; interpolated colours could be ones
// that no value between the neighbours has. Where several values fall on one pixel their mean is
// shown; otherwise thin structures would appear and disappear with the zoom. TAPS and TABLE are
// compiled in, because a CPU that executes the shader runs both sides of every branch.
constexpr const char* fragment_shader = R"(
in vec2 st;
uniform sampler2D slice;
uniform sampler2D colours;
uniform vec2 mapping;
uniform vec2 pixel;
const float entries = 257.0;
void main() {
#if TAPS == 1
  float value = texture(slice, st).r;
#else
  float value = 0.0;
  for (int j = 0; j < TAPS; ++j)
    for (int i = 0; i < TAPS; ++i)
      value += texture(slice, st + ((vec2(i, j) + 0.5) / float(TAPS) - 0.5) * pixel).r;
  value /= float(TAPS * TAPS);
#endif
  float shade = clamp(value * mapping.x + mapping.y, 0.0, 1.0);
#if TABLE
  vec3 colour = texture(colours, vec2((shade * (entries - 1.0) + 0.5) / entries, 0.5)).rgb;
#else
  vec3 colour = vec3(shade);
#endif
  if (value != value) colour = vec3(0.86, 0.20, 0.83);  // not a number: a colour that no map has
  gl_FragData[0] = vec4(colour, 1.0);
}
)";

std::string fragmentShader(bool table, int taps) {
  return "//VTK::System::Dec\n//VTK::Output::Dec\n#define TABLE " + std::to_string(table ? 1 : 0) +
         "\n#define TAPS " + std::to_string(taps) + "\n" + fragment_shader;
}

/// A corner of the visible part of the slice: (x, y) in the window (-1 .. 1), (s, t) in the slice
/// (0 .. 1).
struct Corner {
  float x, y, s, t;
};

/// The visible interval along one direction: in device pixels of the window, and in texture
/// coordinates of the slice.
struct Extent {
  double from_px, to_px, from_texel, to_texel;
  bool empty() const { return !(to_px > from_px); }
};

/// Returns the part of the texture coordinates 0 .. 1 (coordinate = scale * px + offset) that lies
/// on the pixels 0 .. size_px.
Extent visible(double scale, double offset, double size_px) {
  const double a = -offset / scale, b = (1 - offset) / scale;
  const double from = std::max(0.0, std::min(a, b)), to = std::min(size_px, std::max(a, b));
  return {from, to, scale * from + offset, scale * to + offset};
}

}  // namespace

struct SliceProp::Gl {
  explicit Gl(vtkOpenGLRenderWindow* render_window) : window(render_window) {
    for (vtkTextureObject* texture : {slice.Get(), colours.Get()}) {
      texture->SetContext(window);
      texture->SetWrapS(vtkTextureObject::ClampToEdge);
      texture->SetWrapT(vtkTextureObject::ClampToEdge);
    }
    setFilter(*colours, true);
  }

  static void setFilter(vtkTextureObject& texture, bool linear) {
    texture.SetMinificationFilter(linear ? vtkTextureObject::Linear : vtkTextureObject::Nearest);
    texture.SetMagnificationFilter(linear ? vtkTextureObject::Linear : vtkTextureObject::Nearest);
    if (texture.GetHandle() == 0) return;
    texture.Activate();
    texture.SendParameters();
    texture.Deactivate();
  }

  /// Copies the values to the texture; returns whether memory was allocated.
  bool upload(const SliceImage& image) {
    // VTK's signature is not const, but the function only reads.
    auto* values = const_cast<float*>(image.values.data());
    if (slice->GetHandle() != 0 && width == image.width && height == image.height) {
      slice->Activate();
      window->GetState()->vtkglPixelStorei(GL_UNPACK_ALIGNMENT, 1);
      glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RED, GL_FLOAT, values);
      slice->Deactivate();
      return false;
    }
    width = image.width;
    height = image.height;
    slice->Create2DFromRaw(static_cast<unsigned int>(width), static_cast<unsigned int>(height), 1,
                           VTK_FLOAT, values);
    return true;
  }

  void uploadColours(ColourMap map) {
    std::vector<unsigned char> table;
    for (const Rgb colour : colourTable(map))
      table.insert(table.end(), {colour.r, colour.g, colour.b, 255});
    colours->Create2DFromRaw(static_cast<unsigned int>(colour_table_size), 1, 4, VTK_UNSIGNED_CHAR,
                             table.data());
  }

  vtkOpenGLRenderWindow* window;
  void drawRectangle(vtkShaderProgram* program, const Extent& u, const Extent& v, const int* size) {
    const auto ndc = [](double px, int length) { return static_cast<float>(2 * px / length - 1); };
    std::vector<Corner> corners;
    for (const auto& [y, t] : {std::pair{v.from_px, v.from_texel}, {v.to_px, v.to_texel}})
      for (const auto& [x, s] : {std::pair{u.from_px, u.from_texel}, {u.to_px, u.to_texel}})
        corners.push_back(
            {ndc(x, size[0]), ndc(y, size[1]), static_cast<float>(s), static_cast<float>(t)});
    buffer->Upload(corners, vtkOpenGLBufferObject::ArrayBuffer);
    if (program != arranged_for) array->ShaderProgramChanged();  // attributes belong to one program
    arranged_for = program;
    array->Bind();
    array->AddAttributeArray(program, buffer, "place", 0, sizeof(Corner), VTK_FLOAT, 2, false);
    array->AddAttributeArray(program, buffer, "texel", offsetof(Corner, s), sizeof(Corner),
                             VTK_FLOAT, 2, false);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    array->Release();
  }

  vtkNew<vtkTextureObject> slice, colours;
  vtkNew<vtkOpenGLBufferObject> buffer;
  vtkNew<vtkOpenGLVertexArrayObject> array;
  vtkShaderProgram* arranged_for = nullptr;
  int width = 0, height = 0;
};

vtkStandardNewMacro(SliceProp)

    SliceProp::SliceProp() = default;
SliceProp::~SliceProp() = default;

void SliceProp::setImage(std::shared_ptr<const SliceImage> image) {
  image_ = std::move(image);
  image_changed_ = true;
}

void SliceProp::setMapping(double window, double level, ColourMap map) {
  map_changed_ = map_changed_ || map != map_;
  window_ = window;
  level_ = level;
  map_ = map;
}

void SliceProp::setInterpolated(bool interpolated) {
  filter_changed_ = filter_changed_ || interpolated != interpolated_;
  interpolated_ = interpolated;
}

void SliceProp::ReleaseGraphicsResources(vtkWindow* window) {
  if (gl_) {
    gl_->buffer->ReleaseGraphicsResources();
    gl_->array->ReleaseGraphicsResources();
    gl_->slice->ReleaseGraphicsResources(window);
    gl_->colours->ReleaseGraphicsResources(window);
  }
  gl_.reset();
  image_changed_ = map_changed_ = filter_changed_ = true;
}

int SliceProp::samplesPerPixel() const {
  if (!image_) return 1;
  const double texels = std::max(std::abs(placement_.s_scale) * image_->width,
                                 std::abs(placement_.t_scale) * image_->height);
  constexpr int most = 4;
  return std::clamp(static_cast<int>(std::ceil(texels - 0.05)), 1, most);
}

void SliceProp::upload() {
  if (image_changed_) {
    ++uploads_;
    allocations_ += gl_->upload(*image_) ? 1 : 0;
  }
  if (filter_changed_) gl_->setFilter(*gl_->slice, interpolated_);
  if (map_changed_) gl_->uploadColours(map_);
  image_changed_ = filter_changed_ = map_changed_ = false;
}

int SliceProp::RenderOpaqueGeometry(vtkViewport* viewport) {
  auto* renderer = vtkRenderer::SafeDownCast(viewport);
  auto* window =
      renderer ? vtkOpenGLRenderWindow::SafeDownCast(renderer->GetRenderWindow()) : nullptr;
  if (!window || !image_) return 0;
  if (!gl_) gl_ = std::make_unique<Gl>(window);
  upload();
  const int* size = renderer->GetSize();
  const Extent u = visible(placement_.s_scale, placement_.s_offset, size[0]);
  const Extent v = visible(placement_.t_scale, placement_.t_offset, size[1]);
  if (u.empty() || v.empty()) return 0;

  const bool table = map_ != ColourMap::grey;
  const std::string shader = fragmentShader(table, samplesPerPixel());
  vtkShaderProgram* program =
      window->GetShaderCache()->ReadyShaderProgram(vertex_shader, shader.c_str(), "");
  if (!program) return 0;
  vtkOpenGLState* state = window->GetState();
  const vtkOpenGLState::ScopedglEnableDisable depth(state, GL_DEPTH_TEST), blend(state, GL_BLEND);
  state->vtkglDisable(GL_DEPTH_TEST);
  state->vtkglDisable(GL_BLEND);
  gl_->slice->Activate();
  if (table) gl_->colours->Activate();
  program->SetUniformi("slice", gl_->slice->GetTextureUnit());
  if (table) program->SetUniformi("colours", gl_->colours->GetTextureUnit());
  const auto f = [](double x) { return static_cast<float>(x); };
  const float mapping[2] = {f(1 / window_), f(0.5 - level_ / window_)};
  const float pixel[2] = {f(placement_.s_scale), f(placement_.t_scale)};
  program->SetUniform2f("mapping", mapping);
  if (samplesPerPixel() > 1) program->SetUniform2f("pixel", pixel);
  gl_->drawRectangle(program, u, v, size);
  if (table) gl_->colours->Deactivate();
  gl_->slice->Deactivate();
  return 1;
}

}  // namespace gantry
