#include "gui/render/slice_prop.hpp"

#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLQuadHelper.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLShaderCache.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>
#include <vtkShaderProgram.h>
#include <vtkTextureObject.h>
#include <vtk_glew.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

// Values are interpolated before they become colours: the other way round invents colours between
// neighbours. Where several values fall on one pixel their mean is shown, or thin structures would
// come and go with the zoom.
constexpr const char* fragment_shader = R"(//VTK::System::Dec
//VTK::Output::Dec
in vec2 texCoord;
uniform sampler2D slice;
uniform sampler2D colours;
uniform vec4 placement;
uniform vec2 mapping;
uniform vec4 bar;
uniform int useTable;
uniform int taps;
uniform int hasImage;
const float entries = 257.0;
void main() {
  if (texCoord.x < -1.0) discard;  // never; the quad insists that its coordinates are used
  vec2 p = gl_FragCoord.xy;
  float shade;
  if (p.x > bar.x && p.x < bar.z && p.y > bar.y && p.y < bar.w) {
    shade = (p.y - bar.y) / (bar.w - bar.y);
  } else {
    if (hasImage == 0) discard;
    vec2 st = p * placement.xz + placement.yw;
    if (any(lessThan(st, vec2(0.0))) || any(greaterThanEqual(st, vec2(1.0)))) discard;
    float value = 0.0;
    if (taps <= 1) {
      value = texture(slice, st).r;
    } else {
      for (int j = 0; j < taps; ++j)
        for (int i = 0; i < taps; ++i)
          value += texture(slice, st + ((vec2(i, j) + 0.5) / float(taps) - 0.5) * placement.xz).r;
      value /= float(taps * taps);
    }
    shade = value * mapping.x + mapping.y;
  }
  vec3 colour = vec3(0.86, 0.20, 0.83);  // not a number: a colour that no map has
  if (shade == shade) {
    shade = clamp(shade, 0.0, 1.0);
    colour = useTable == 0 ? vec3(shade) : texture(colours, vec2((shade * (entries - 1.0) + 0.5) / entries, 0.5)).rgb;
  }
  gl_FragData[0] = vec4(colour, 1.0);
}
)";

}  // namespace

struct SliceProp::Gl {
  explicit Gl(vtkOpenGLRenderWindow* render_window)
      : window(render_window), quad(render_window, nullptr, fragment_shader, "") {
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

  /// Returns whether memory had to be set aside.
  bool upload(const SliceImage& image) {
    // VTK's signature is not const, but it only reads.
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
  vtkOpenGLQuadHelper quad;
  vtkNew<vtkTextureObject> slice, colours;
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
    gl_->quad.ReleaseGraphicsResources(window);
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

int SliceProp::RenderOpaqueGeometry(vtkViewport* viewport) {
  auto* renderer = vtkRenderer::SafeDownCast(viewport);
  auto* window =
      renderer ? vtkOpenGLRenderWindow::SafeDownCast(renderer->GetRenderWindow()) : nullptr;
  if (!window || (!image_ && bar_.x1 <= bar_.x0)) return 0;
  if (!gl_) gl_ = std::make_unique<Gl>(window);
  if (image_ && image_changed_) {
    ++uploads_;
    allocations_ += gl_->upload(*image_) ? 1 : 0;
    image_changed_ = false;
  }
  if (filter_changed_) gl_->setFilter(*gl_->slice, interpolated_);
  filter_changed_ = false;
  if (map_changed_) gl_->uploadColours(map_);
  map_changed_ = false;

  vtkOpenGLState* state = window->GetState();
  const vtkOpenGLState::ScopedglEnableDisable depth(state, GL_DEPTH_TEST);
  state->vtkglDisable(GL_DEPTH_TEST);
  vtkShaderProgram* program = gl_->quad.Program;
  window->GetShaderCache()->ReadyShaderProgram(program);
  if (image_) gl_->slice->Activate();
  gl_->colours->Activate();
  program->SetUniformi("hasImage", image_ ? 1 : 0);
  program->SetUniformi("slice",
                       image_ ? gl_->slice->GetTextureUnit() : gl_->colours->GetTextureUnit());
  program->SetUniformi("colours", gl_->colours->GetTextureUnit());
  const auto f = [](double x) { return static_cast<float>(x); };
  const float placement[4] = {f(placement_.s_scale), f(placement_.s_offset), f(placement_.t_scale),
                              f(placement_.t_offset)};
  const float bar[4] = {f(bar_.x0), f(bar_.y0), f(bar_.x1), f(bar_.y1)};
  const float mapping[2] = {f(1 / window_), f(0.5 - level_ / window_)};
  program->SetUniform4f("placement", placement);
  program->SetUniform4f("bar", bar);
  program->SetUniform2f("mapping", mapping);
  program->SetUniformi("useTable", map_ == ColourMap::grey ? 0 : 1);
  program->SetUniformi("taps", samplesPerPixel());
  gl_->quad.Render();
  gl_->colours->Deactivate();
  if (image_) gl_->slice->Deactivate();
  return 1;
}

}  // namespace gantry
