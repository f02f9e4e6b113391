#include "core/io/files/text/length_units.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gantry {

double length_unit_mm(std::string_view name) {
  using Unit = std::pair<std::string_view, double>;
  constexpr std::array<Unit, 21> units = {
      {{"mm", 1},         {"millimeter", 1}, {"millimeters", 1}, {"cm", 10},
       {"m", 1000},       {"inch", inch_mm}, {"in", inch_mm},    {"micron", 1e-3},
       {"microns", 1e-3}, {"um", 1e-3},      {"\\u00B5m", 1e-3}, {"\\u03BCm", 1e-3},
       {"\u00b5m", 1e-3}, {"\u03bcm", 1e-3}, {"\xb5m", 1e-3},  // Latin-1
       {"&#181;m", 1e-3}, {"&#xB5;m", 1e-3}, {"nm", 1e-6},       {"\u00c5", 1e-7},
       {"\u212b", 1e-7},  {"pm", 1e-9}}};
  const auto* const known = std::ranges::find(units, name, &Unit::first);
  return known == units.end() ? 0 : known->second;
}

}  // namespace gantry
