#include "charts/painting/painter.hpp"

namespace gantry {

RectPx textRect(double x, double y, SizePx size, AlignX ax, AlignY ay) {
  return {x - (ax == AlignX::left     ? 0
               : ax == AlignX::centre ? size.width / 2
                                      : size.width),
          y - (ay == AlignY::top      ? 0
               : ay == AlignY::middle ? size.height / 2
                                      : size.height),
          size.width, size.height};
}

RectPx Painter::pill(double x, double y, const std::string& words, const TextStyle& style,
                     Rgb background, double opacity) {
  const SizePx size = measure(words, style);
  const RectPx box{x - size.width / 2 - 7, y - size.height / 2 - 2, size.width + 14,
                   size.height + 4};
  fill(box, background, opacity);
  text(x, y, words, style, AlignX::centre, AlignY::middle);
  return box;
}

}  // namespace gantry
