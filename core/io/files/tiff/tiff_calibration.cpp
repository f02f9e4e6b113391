#include "core/io/files/tiff/tiff_calibration.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

constexpr double inch_mm = 25.4, centimetre_mm = 10;

/// Whether a resolution is one that programs write into pictures without a scale.
bool is_usual_in_print(double pixels, double unit_mm) {
  constexpr std::array<double, 10> per_inch = {72, 90, 96, 100, 120, 150, 200, 300, 600, 1200};
  const double per_this_inch = pixels * inch_mm / unit_mm;
  return pixels == 1 || std::ranges::any_of(per_inch, [&](double usual) {
           return std::abs(per_this_inch - usual) < 0.01 * usual;
         });
}

std::string number_text(double value) { return format_param(to_digits(value, 6)); }

}  // namespace

double described_unit_mm(const TiffDescription& description) {
  const auto unit = description.find("unit");
  if (unit == description.end()) return 0;
  static const std::map<std::string, double> units = {
      {"mm", 1},         {"millimeter", 1},  {"millimeters", 1}, {"cm", centimetre_mm},
      {"m", 1000},       {"inch", inch_mm},  {"micron", 1e-3},   {"microns", 1e-3},
      {"um", 1e-3},      {"\\u00B5m", 1e-3}, {"\\u03BCm", 1e-3}, {"\u00b5m", 1e-3},
      {"\u03bcm", 1e-3}, {"\xb5m", 1e-3},  // Latin-1
      {"nm", 1e-6}};
  const auto known = units.find(unit->second);
  return known == units.end() ? 0 : known->second;
}

double resolution_unit_mm(TiffUnit of_resolution, const TiffDescription& description) {
  if (of_resolution == TiffUnit::centimetre) return centimetre_mm;
  // ImageJ takes its own unit. Inches are what TIFF assumes without one, and programs write 72 or
  // 96 dots an inch into pictures without a scale.
  if (description.contains("unit")) return described_unit_mm(description);
  return of_resolution == TiffUnit::inch && description.contains("ImageJ") ? inch_mm : 0;
}

TiffPixel measured_pixel(const TiffResolution& resolution, const TiffDescription& description) {
  const double unit = resolution_unit_mm(resolution.unit, description),
               own = described_unit_mm(description);
  if (!(unit > 0 && resolution.x > 0 && resolution.y > 0)) return {};
  const double width = unit / resolution.x;
  if (own == 0 || own == inch_mm) {
    if (is_usual_in_print(resolution.x, unit)) return {};
    return {0, 0,
            "states " + number_text(resolution.x) + " pixels a" +
                (unit == inch_mm ? "n inch" : " centimetre") +
                ", which may be a resolution of printing: --pixel " + number_text(width) +
                " takes it as that of the detector"};
  }
  TiffPixel pixel{width, unit / resolution.y, {}};
  if (own != unit)
    pixel.doubt = "counts pixels a centimetre, while its description has " +
                  description.at("unit") + " as the unit: the centimetre was taken";
  return pixel;
}

}  // namespace gantry
