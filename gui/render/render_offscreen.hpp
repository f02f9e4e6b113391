#pragma once

#include "gui/render/colour.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

class vtkRenderWindow;

namespace gantry {

class Scene;

/// A picture: rows from top to bottom, pixels[(y * width + x) * 3] is red.
struct RgbImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  Rgb at(int x, int y) const {
    const auto i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                        static_cast<std::size_t>(x));
    return {pixels[i], pixels[i + 1], pixels[i + 2]};
  }
};

/// Draws `scene` without showing it. Size in device pixels; `scale` of 2 with a doubled size gives
/// a figure of twice the resolution. The scene returns to the window and size that it had. Throws
/// OutputError where there is no display to draw with.
RgbImage renderOffscreen(Scene& scene, int width_device, int height_device, double scale = 1);

/// The picture a window has just rendered.
RgbImage readPixels(vtkRenderWindow& window);

/// Writes a PNG, whole or not at all. Throws OutputError.
void writePng(const RgbImage& image, const std::filesystem::path& path);

}  // namespace gantry
