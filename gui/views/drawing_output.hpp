#pragma once

#include "charts/painting/drawing.hpp"
#include "charts/painting/rgb_image.hpp"

#include <QImage>

#include <memory>
#include <string>

class QPainter;

namespace gantry {

/// Returns the pixels of an image as drawings hold them.
std::shared_ptr<const RgbImage> rgb_image(const QImage& image);
QImage qt_image(const RgbImage& image);

/// Draws a drawing with Qt, a logical pixel as a unit of the painter; texts stay texts where the
/// painter writes a file.
void paint(QPainter& painter, const Drawing& drawing);

/// Returns a picture as a PNG file in base64, as svg_elements() takes it.
std::string base64_png(const RgbImage& image);

}  // namespace gantry
