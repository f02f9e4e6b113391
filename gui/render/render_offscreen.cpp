#include "gui/render/render_offscreen.hpp"

#include "core/base/error.hpp"
#include "core/io/files/atomic_file.hpp"
#include "gui/render/scene.hpp"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cstdlib>
#include <span>

namespace gantry {

namespace {

/// Throws OutputError where DISPLAY is not set (Linux): VTK ends the process when it cannot reach
/// an X server.
void requireDisplay() {
#if defined(__linux__)
  const char* display = std::getenv("DISPLAY");
  if (!display || !*display)
    throw OutputError("there is no display to draw with", "the environment variable DISPLAY",
                      "start the program through xvfb-run");
#endif
}

/// Returns the hidden window for all pictures. The window exists for the life of the process: a new
/// window takes longer than most pictures, and some X servers refuse connections for a moment after
/// the last connection has closed.
vtkRenderWindow& hiddenWindow() {
  static vtkRenderWindow* const window = [] {
    // The window is never deleted: the X connection may be closed before static objects are
    // destroyed.
    auto* hidden = vtkRenderWindow::New();
    hidden->SetOffScreenRendering(1);
    return hidden;
  }();
  return *window;
}

/// Attaches a scene to its former window again, with its former size, when the guard is destroyed.
class SceneGuard {
 public:
  explicit SceneGuard(Scene& scene)
      : scene_(scene),
        window_(scene.renderWindow()),
        width_(scene.deviceWidth()),
        height_(scene.deviceHeight()),
        scale_(scene.scale()) {}
  SceneGuard(const SceneGuard&) = delete;
  SceneGuard& operator=(const SceneGuard&) = delete;
  ~SceneGuard() {
    scene_.attach(window_);
    if (width_ > 0) scene_.resize(width_, height_, scale_);
  }

 private:
  Scene& scene_;
  vtkRenderWindow* window_;
  int width_, height_;
  double scale_;
};

}  // namespace

RgbImage readPixels(vtkRenderWindow& window) {
  const int* size = window.GetActualSize();
  RgbImage image{size[0], size[1], {}};
  vtkNew<vtkUnsignedCharArray> data;
  window.GetPixelData(0, 0, size[0] - 1, size[1] - 1, 0, data);
  const auto row = static_cast<std::size_t>(image.width) * 3;
  image.pixels.resize(row * static_cast<std::size_t>(image.height));
  for (int y = 0; y < image.height; ++y)  // VTK's rows run upwards
    std::copy_n(data->GetPointer(0) + static_cast<std::ptrdiff_t>(row) * (image.height - 1 - y),
                row, image.pixels.begin() + static_cast<std::ptrdiff_t>(row) * y);
  return image;
}

RgbImage renderOffscreen(Scene& scene, int width_device, int height_device, double scale) {
  requireDisplay();
  const SceneGuard guard(scene);
  vtkRenderWindow& window = hiddenWindow();
  window.SetSize(width_device, height_device);
  scene.attach(&window);
  scene.resize(width_device, height_device, scale);
  scene.prepare();
  window.Render();
  RgbImage image = readPixels(window);
  scene.detach();
  return image;
}

void writePng(const RgbImage& image, const std::filesystem::path& path) {
  vtkNew<vtkImageData> data;
  data->SetDimensions(image.width, image.height, 1);
  data->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  const auto row = static_cast<std::size_t>(image.width) * 3;
  for (int y = 0; y < image.height; ++y)
    std::copy_n(image.pixels.begin() + static_cast<std::ptrdiff_t>(row) * y, row,
                static_cast<std::uint8_t*>(data->GetScalarPointer(0, image.height - 1 - y, 0)));
  vtkNew<vtkPNGWriter> writer;
  writer->WriteToMemoryOn();
  writer->SetInputData(data);
  writer->Write();
  vtkUnsignedCharArray* bytes = writer->GetResult();
  if (!bytes || bytes->GetNumberOfValues() == 0)
    throw OutputError("the picture could not be encoded", path.string(), "free some memory");
  const auto size = static_cast<std::size_t>(bytes->GetNumberOfValues());
  write_file_atomically(path, std::as_bytes(std::span(bytes->GetPointer(0), size)));
}

}  // namespace gantry
