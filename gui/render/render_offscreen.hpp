#pragma once

#include "charts/painting/rgb_image.hpp"

#include <filesystem>

class vtkRenderWindow;

namespace gantry {

class Scene;

/// Draws `scene` into a hidden window. Sizes in device pixels; a `scale` of 2 with a doubled size
/// gives a figure of twice the resolution. Afterwards the scene is attached to its former window
/// again, at its former size. Throws OutputError where there is no display to draw with.
RgbImage renderOffscreen(Scene& scene, int width_device, int height_device, double scale = 1);

/// Returns the picture that a window has rendered last.
RgbImage readPixels(vtkRenderWindow& window);

/// Writes a PNG file, completely or not at all. Throws OutputError.
void writePng(const RgbImage& image, const std::filesystem::path& path);

}  // namespace gantry
