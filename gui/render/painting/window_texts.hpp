#pragma once

#include "charts/painting/text_ruler.hpp"

#include <string>

namespace gantry {

// Texts of the window: in the font of the TextAtlas, and larger for an audience. They are measured
// on the GUI thread alone.

/// Multiplies the size of all texts; 1 at first.
void setTextScale(double factor);
double textScale();

/// Returns the ruler of the window's texts at `scale` device pixels per logical pixel. It needs no
/// graphics context.
TextRuler windowRuler(double scale);

/// Returns the size of a text in logical pixels.
inline SizePx measureText(const std::string& text, const TextStyle& style, double scale) {
  return windowRuler(scale).size(text, style);
}

/// Returns a text shortened to at most `width_px`, as TextRuler::elided does.
inline std::string elideText(const std::string& text, const TextStyle& style, double width_px,
                             double scale) {
  return windowRuler(scale).elided(text, style, width_px);
}

}  // namespace gantry
