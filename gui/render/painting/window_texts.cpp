#include "gui/render/painting/window_texts.hpp"

#include "gui/render/painting/text_atlas.hpp"

namespace gantry {

namespace {

double text_scale = 1;

SizePx size_in_atlas(const std::string& text, int size_device, bool bold) {
  const auto [width, height] = TextAtlas::measure(text, size_device, bold);
  return {static_cast<double>(width), static_cast<double>(height)};
}

}  // namespace

void setTextScale(double factor) { text_scale = factor; }
double textScale() { return text_scale; }

TextRuler windowRuler(double scale) { return {size_in_atlas, scale, text_scale}; }

}  // namespace gantry
