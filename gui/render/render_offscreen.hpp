#pragma once

#include "gui/render/painting/colour.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

class vtkRenderWindow;

namespace gantry {

class Scene;

/// A picture, [y][x][rgb] with rows from top to bottom: pixels[(y * width + x) * 3] is red.
struct RgbImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  Rgb at(int x, int y) const {
    const auto i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                        static_cast<std::size_t>(x));
    return {pixels[i], pixels[i + 1], pixels[i + 2]};
  }
};

/// Draws `scene` into a hidden window. Sizes in device pixels; a `scale` of 2 with a doubled size
/// gives a figure of twice the resolution. Afterwards the scene is attached to its former window
/// again, at its former size. Throws OutputError where there is no display to draw with.
RgbImage renderOffscreen(Scene& scene, int width_device, int height_device, double scale = 1);

/// Returns the picture that a window has rendered last.
RgbImage readPixels(vtkRenderWindow& window);

/// Writes a PNG file, completely or not at all. Throws OutputError.
void writePng(const RgbImage& image, const std::filesystem::path& path);

}  // namespace gantry
