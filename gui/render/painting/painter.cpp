#include "gui/render/painting/painter.hpp"

#include "gui/render/painting/text_atlas.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

double text_scale = 1;

/// Returns the index of the first byte of the UTF-8 character that ends before `end`.
std::size_t previousCharacter(const std::string& text, std::size_t end) {
  std::size_t start = end;
  do --start;
  while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U);
  return start;
}

}  // namespace

int deviceSize(const TextStyle& style, double scale) {
  return std::max(6, static_cast<int>(std::lround(style.size_px * text_scale * scale)));
}

void setTextScale(double factor) { text_scale = factor; }
double textScale() { return text_scale; }

SizePx measureText(const std::string& text, const TextStyle& style, double scale) {
  auto [width, height] = TextAtlas::measure(text, deviceSize(style, scale), style.bold);
  if (style.upwards) std::swap(width, height);
  return {width / scale, height / scale};
}

std::string elideText(const std::string& text, const TextStyle& style, double width_px,
                      double scale) {
  if (measureText(text, style, scale).width <= width_px) return text;
  for (std::size_t end = text.size(); end > 3;) {
    end = previousCharacter(text, end);
    std::string kept = text.substr(0, end);
    while (!kept.empty() && kept.back() == ' ') kept.pop_back();
    if (kept.size() < 3) break;
    kept += "\u2026";
    if (measureText(kept, style, scale).width <= width_px) return kept;
  }
  return {};
}

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
