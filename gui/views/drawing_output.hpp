#pragma once

#include "gui/render/painting/drawing.hpp"
#include "gui/render/render_offscreen.hpp"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <memory>

class QPainter;

namespace gantry {

/// Returns the pixels of an image as drawings hold them.
std::shared_ptr<const RgbImage> rgb_image(const QImage& image);
QImage qt_image(const RgbImage& image);

/// Draws a drawing with Qt, a logical pixel as a unit of the painter; texts stay texts where the
/// painter writes a file.
void paint(QPainter& painter, const Drawing& drawing);

/// Returns the elements of SVG that draw a drawing, texts as <text>.
QString svg_elements(const Drawing& drawing);

}  // namespace gantry
