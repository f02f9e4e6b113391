#include "charts/painting/text_ruler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace gantry {

namespace {

// Advance widths of DejaVu Sans, and of its bold letters, for the characters from 0x20 to 0x7E in
// thousandths of the size.
using Widths = std::array<std::uint16_t, 95>;
constexpr Widths regular_widths = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr Widths bold_widths = {
    348,  456, 521, 838, 696, 1002, 872, 306,  457, 457, 523, 838, 380, 415,  380, 365,
    696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 580,
    1000, 774, 762, 734, 830, 683,  683, 821,  837, 372, 372, 775, 637, 995,  837, 850,
    733,  850, 770, 720, 682, 812,  774, 1103, 771, 724, 725, 457, 365, 457,  838, 500,
    500,  675, 716, 593, 716, 678,  435, 716,  712, 343, 343, 665, 343, 1042, 712, 687,
    716,  716, 493, 595, 478, 712,  652, 924,  645, 652, 582, 712, 365, 712,  838};
constexpr double other_letter = 640, line_height = 1164;  // thousandths of the size

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

SizePx size_from_table(const std::string& text, int size_device, bool bold) {
  const Widths& widths = bold ? bold_widths : regular_widths;
  double width = 0;
  for (const char c : text) {
    if (continues_character(c)) continue;
    const auto code = static_cast<unsigned char>(c);
    width += code >= 0x20 && code < 0x7F ? widths[code - 0x20U] : other_letter;
  }
  const double size = size_device / 1000.0;
  return text.empty() ? SizePx{} : SizePx{size * width, size * line_height};
}

/// Returns the index of the first byte of the UTF-8 character that ends before `end`.
std::size_t previousCharacter(const std::string& text, std::size_t end) {
  std::size_t start = end;
  do --start;
  while (start > 0 && continues_character(text[start]));
  return start;
}

}  // namespace

int TextRuler::deviceSize(const TextStyle& style) const {
  return std::max(6, static_cast<int>(std::lround(style.size_px * enlargement_ * scale_)));
}

SizePx TextRuler::size(const std::string& text, const TextStyle& style) const {
  auto [width, height] = measure_(text, deviceSize(style), style.bold);
  if (style.upwards) std::swap(width, height);
  return {width / scale_, height / scale_};
}

std::string TextRuler::elided(const std::string& text, const TextStyle& style,
                              double width_px) const {
  if (size(text, style).width <= width_px) return text;
  for (std::size_t end = text.size(); end > 3;) {
    end = previousCharacter(text, end);
    std::string kept = text.substr(0, end);
    while (!kept.empty() && kept.back() == ' ') kept.pop_back();
    if (kept.size() < 3) break;
    kept += "\u2026";
    if (size(kept, style).width <= width_px) return kept;
  }
  return {};
}

TextRuler table_ruler() { return {size_from_table, 1, 1}; }

}  // namespace gantry
