// How many pictures of a turning volume a second: of 512 x 512 x 512 voxels, in 800 x 600 pixels.
//
//   build/tests/volume_rate [VOXELS [SECONDS [card|processor]]]
//
// Draws into memory through EGL, so that it needs no display: on the first graphics card, or in
// software where there is none. The scene is that of the window, which takes the graphics card or
// the processor by what draws, and averages volumes that are too large for the latter.
#include "gui/render/render_offscreen.hpp"
#include "gui/render/software_gl.hpp"
#include "gui/render/volume/volume_scene.hpp"

#include <vtkCallbackCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtk_glew.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace gantry {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int width = 800, height = 600;
constexpr double degrees_per_picture = 2;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A context of OpenGL without a window.
class EglContext {
 public:
  EglContext() {
    const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
        eglGetProcAddress("eglGetPlatformDisplayEXT"));
    const auto list =
        reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (list != nullptr) list(static_cast<EGLint>(devices.size()), devices.data(), &count);
    // The graphics cards come first; the last device is the program on the processor.
    for (EGLint i = 0; i < count && !ok_; ++i)
      ok_ =
          make(get_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr));
    if (!ok_) ok_ = make(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  }
  ~EglContext() {
    if (ok_) eglTerminate(display_);
  }
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;

  explicit operator bool() const { return ok_; }
  void makeCurrent() const { eglMakeCurrent(display_, surface_, surface_, context_); }
  bool isCurrent() const { return eglGetCurrentContext() == context_; }

 private:
  bool make(EGLDisplay display) {
    display_ = display;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return false;
    const std::array<EGLint, 9> wanted = {EGL_SURFACE_TYPE,
                                          EGL_PBUFFER_BIT,
                                          EGL_RENDERABLE_TYPE,
                                          EGL_OPENGL_BIT,
                                          EGL_RED_SIZE,
                                          8,
                                          EGL_DEPTH_SIZE,
                                          24,
                                          EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglChooseConfig(display, wanted.data(), &config, 1, &found) || found == 0) return false;
    const std::array<EGLint, 5> size = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    surface_ = eglCreatePbufferSurface(display, config, size.data());
    eglBindAPI(EGL_OPENGL_API);
    const std::array<EGLint, 7> version = {EGL_CONTEXT_MAJOR_VERSION,
                                           3,
                                           EGL_CONTEXT_MINOR_VERSION,
                                           2,
                                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                           EGL_NONE};
    context_ = eglCreateContext(display, config, EGL_NO_CONTEXT, version.data());
    return context_ != EGL_NO_CONTEXT && eglMakeCurrent(display, surface_, surface_, context_);
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLSurface surface_ = EGL_NO_SURFACE;
  EGLContext context_ = EGL_NO_CONTEXT;
  bool ok_ = false;
};

void answer(vtkObject* caller, unsigned long event, void* client, void*) {
  const auto& context = *static_cast<const EglContext*>(client);
  if (event == vtkCommand::WindowMakeCurrentEvent && !context.isCurrent()) context.makeCurrent();
  static_cast<vtkGenericOpenGLRenderWindow*>(caller)->SetIsCurrent(context.isCurrent());
}

vtkSmartPointer<vtkGenericOpenGLRenderWindow> windowIn(EglContext& context) {
  auto window = vtkSmartPointer<vtkGenericOpenGLRenderWindow>::New();
  const vtkNew<vtkCallbackCommand> command;
  command->SetCallback(answer);
  command->SetClientData(&context);
  window->AddObserver(vtkCommand::WindowMakeCurrentEvent, command);
  window->AddObserver(vtkCommand::WindowIsCurrentEvent, command);
  window->SetReadyForRendering(true);
  window->SetOwnContext(0);
  window->SetIsCurrent(true);
  window->SetMapped(true);
  window->SetForceMaximumHardwareLineWidth(1);
  window->SetFrameBlitModeToNoBlit();
  window->OpenGLInitContext();
  window->OpenGLInitState();
  window->SetSize(width, height);
  return window;
}

/// A ball of water with a shell of bone and a pattern of small balls, so that rays run long.
ReducedVolume head(int n, std::size_t most_voxels) {
  const VolumeGrid grid = VolumeGrid::centered(n, n, n, {240.0 / n, 240.0 / n, 240.0 / n});
  std::vector<float> mu(grid.voxels());
  for (int iz = 0; iz < n; ++iz)
    for (int iy = 0; iy < n; ++iy)
      for (int ix = 0; ix < n; ++ix) {
        const Vec3 at = grid.voxel_center_mm(ix, iy, iz);
        const double r = norm(at);
        const double pattern = std::sin(at.x / 4) * std::sin(at.y / 4) * std::sin(at.z / 4);
        mu[grid.index(ix, iy, iz)] = r > 100  ? 0.0F
                                     : r > 92 ? 0.034F
                                              : static_cast<float>(0.02 + 0.004 * pattern);
      }
  return reduced(grid, std::make_shared<const std::vector<float>>(std::move(mu)), most_voxels);
}

struct Rate {
  double first_ms = 0, median_ms = 0, pictures_per_s = 0;
  int ray_block = 1;
};

Rate turn(VolumeScene& scene, vtkRenderWindow& window, double seconds) {
  const auto draw = [&] {
    const auto start = Clock::now();
    scene.prepare();
    window.Render();
    glFinish();
    const double ms = ms_since(start);
    scene.noteFrame(ms);
    return ms;
  };
  Rate rate;
  rate.first_ms = draw();
  draw();
  std::vector<double> times;
  const auto start = Clock::now();
  while (times.size() < 5 || ms_since(start) < 1000 * seconds) {
    scene.camera().orbit(degrees_per_picture, 0);
    times.push_back(draw());
  }
  rate.pictures_per_s = 1000 * static_cast<double>(times.size()) / ms_since(start);
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  rate.median_ms = times[times.size() / 2];
  rate.ray_block = scene.rayBlock();
  return rate;
}

int run(int n, double seconds, const std::string& wanted) {
  EglContext context;
  if (!context) {
    std::fputs("volume_rate: EGL gives no OpenGL 3.2 here\n", stderr);
    return 1;
  }
  // VTK's GLEW complains at every picture that there is no GLX; what it needs of OpenGL it has.
  vtkObject::GlobalWarningDisplayOff();
  const auto window = windowIn(context);
  const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const bool software = draws_on_the_processor(renderer);
  const bool on_processor = wanted == "processor" || (wanted != "card" && software);
  const RayCaster caster = on_processor ? RayCaster::processor : RayCaster::graphics_card;
  const ReducedVolume volume = head(n, VolumeScene::mostVoxels(caster));
  std::printf("%s; rays are cast on the %s; %d^3 voxels, drawn as %d^3, %d x %d pixels\n", renderer,
              on_processor ? "processor" : "graphics card", n, volume.grid.nx, width, height);
  std::printf("%-10s %8s %12s %12s %12s %12s\n", "", "picture", "pictures/s", "median ms",
              "first ms", "pixels/ray");
  {
    VolumeScene scene(caster);
    scene.attach(window);
    scene.resize(width, height, 1);
    scene.setWindowLevel(0.03, 0.02);
    scene.setVolume(volume);
    const std::array<std::pair<VolumeMode, const char*>, 3> modes = {
        {{VolumeMode::shaded, "volume"},
         {VolumeMode::maximum, "maximum"},
         {VolumeMode::surface, "surface"}}};
    for (const auto& [mode, name] : modes)
      for (const bool moving : {true, false}) {
        scene.setMode(mode);
        scene.setMoving(moving);
        const Rate rate = turn(scene, *window, seconds);
        std::printf("%-10s %8s %12.1f %12.1f %12.1f %9d x %d\n", name, moving ? "moving" : "still",
                    rate.pictures_per_s, rate.median_ms, rate.first_ms, rate.ray_block,
                    rate.ray_block);
        std::fflush(stdout);
      }
    if (const char* path = std::getenv("VOLUME_RATE_PICTURE")) writePng(readPixels(*window), path);
  }
  window->Finalize();
  return 0;
}

}  // namespace
}  // namespace gantry

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 512;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 3;
  if (n < 8 || n > 2048 || !(seconds > 0)) {
    std::fputs("usage: volume_rate [VOXELS, 8 to 2048 [SECONDS [card|processor]]]\n", stderr);
    return 2;
  }
  return gantry::run(n, seconds, argc > 3 ? argv[3] : "");
}
