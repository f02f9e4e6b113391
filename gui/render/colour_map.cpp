#include "gui/render/colour_map.hpp"

#include <span>

namespace gantry {

namespace {

// Control points along a line through (saturation, hue) polar coordinates of CIELAB, after
// Moreland, "Diverging color maps for scientific visualization" (2009), with a pure white middle:
// both arms darken in equal perceived steps.
constexpr std::array diverging_points{
    rgb(0x2140AA), rgb(0x3C5CC7), rgb(0x5779E1), rgb(0x7396F7), rgb(0x90B2FF), rgb(0xAECCFF),
    rgb(0xCBE2FF), rgb(0xE6F3FF), rgb(0xFFFFFF), rgb(0xFFEDE0), rgb(0xFFD6C1), rgb(0xFFBBA2),
    rgb(0xFF9E84), rgb(0xEF7E68), rgb(0xD95D4F), rgb(0xC03A39), rgb(0xA50A26)};

// viridis of van der Walt and Smith, in the public domain (CC0), at equal steps.
constexpr std::array viridis_points{
    rgb(0x440154), rgb(0x48186A), rgb(0x472D7B), rgb(0x424086), rgb(0x3B528B), rgb(0x33638D),
    rgb(0x2C728E), rgb(0x26828E), rgb(0x21918C), rgb(0x1FA088), rgb(0x28AE80), rgb(0x3FBC73),
    rgb(0x5EC962), rgb(0x84D44B), rgb(0xADDC30), rgb(0xD8E219), rgb(0xFDE725)};

constexpr std::array grey_points{rgb(0x000000), rgb(0xFFFFFF)};

std::span<const Rgb> controlPoints(ColourMap map) {
  switch (map) {
    case ColourMap::diverging:
      return diverging_points;
    case ColourMap::viridis:
      return viridis_points;
    case ColourMap::grey:
      break;
  }
  return grey_points;
}

}  // namespace

Rgb colourAt(ColourMap map, double t) {
  const std::span<const Rgb> points = controlPoints(map);
  const double place =
      std::clamp(std::isnan(t) ? 0.0 : t, 0.0, 1.0) * static_cast<double>(points.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), points.size() - 2);
  return mix(points[below], points[below + 1], place - static_cast<double>(below));
}

std::array<Rgb, colour_table_size> colourTable(ColourMap map) {
  std::array<Rgb, colour_table_size> table;
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = colourAt(map, static_cast<double>(i) / static_cast<double>(table.size() - 1));
  return table;
}

}  // namespace gantry
