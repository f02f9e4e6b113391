#include "core/io/files/tiff/tiff_calibration.hpp"

#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/text/length_units.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace gantry {

namespace {

constexpr double centimetre_mm = 10;

/// Whether a resolution is one that programs write into pictures without a scale.
bool is_usual_in_print(double pixels, double unit_mm) {
  constexpr std::array<double, 10> per_inch = {72, 90, 96, 100, 120, 150, 200, 300, 600, 1200};
  const double per_this_inch = pixels * inch_mm / unit_mm;
  return pixels == 1 || std::ranges::any_of(per_inch, [&](double usual) {
           return std::abs(per_this_inch - usual) < 0.01 * usual;
         });
}

/// Returns the value of an attribute in an element of XML; nothing without it.
std::optional<std::string> attribute(std::string_view element, const std::string& key) {
  for (const char quote : {'"', '\''}) {
    const std::string start = " " + key + "=" + quote;
    const std::size_t at = element.find(start);
    if (at == std::string_view::npos) continue;
    const std::size_t from = at + start.size(), to = element.find(quote, from);
    if (to != std::string_view::npos) return std::string(element.substr(from, to - from));
  }
  return std::nullopt;
}

std::string number_text(double value) { return format_param(to_digits(value, 6)); }

}  // namespace

double described_unit_mm(const TiffDescription& description) {
  const auto unit = description.find("unit");
  if (unit == description.end()) return 0;
  return length_unit_mm(unit->second);
}

TiffDescription description_in(const std::string& text) {
  TiffDescription lines;
  // Elements may have the prefix of a namespace: <ome:Pixels ...>.
  const std::size_t pixels = std::min(text.find("<Pixels "), text.find(":Pixels "));
  if (pixels != std::string::npos && text.find("OME") < pixels) {
    const std::string_view element = std::string_view(text).substr(
        pixels, std::min(text.find('>', pixels), text.size()) - pixels);
    for (const char* axis : {"X", "Y", "Z"})
      for (const char* what : {"", "Unit"}) {
        const std::string key = std::string("PhysicalSize") + axis + what;
        if (const auto value = attribute(element, key)) lines[key] = *value;
      }
    for (const char* key : {"SizeC", "SizeZ", "SizeT", "DimensionOrder"})
      if (const auto value = attribute(element, key)) lines[key] = *value;
    return lines;
  }
  // std::getline() would leave lines out in silence where it gets no memory.
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    if (const std::size_t equals = line.find('='); equals != std::string::npos)
      lines[line.substr(0, equals)] = line.substr(equals + 1);
    start = end + 1;
  }
  return lines;
}

double physical_size_mm(const TiffDescription& description, const std::string& axis) {
  const auto size = description.find("PhysicalSize" + axis);
  if (size == description.end()) return 0;
  const auto unit = description.find("PhysicalSize" + axis + "Unit");
  constexpr double micrometre_mm = 1e-3;  // which OME means without a unit
  const double length = number_of_word(size->second).value_or(0) *
                        (unit == description.end() ? micrometre_mm : length_unit_mm(unit->second));
  return length > 0 && std::isfinite(length) ? length : 0;
}

double resolution_unit_mm(TiffUnit of_resolution, const TiffDescription& description) {
  if (of_resolution == TiffUnit::centimetre) return centimetre_mm;
  // ImageJ takes its own unit. Inches are what TIFF assumes without one, and programs write 72 or
  // 96 dots an inch into pictures without a scale.
  if (description.contains("unit")) return described_unit_mm(description);
  return of_resolution == TiffUnit::inch && description.contains("ImageJ") ? inch_mm : 0;
}

TiffPixel measured_pixel(const TiffResolution& resolution, const TiffDescription& description) {
  if (const double width = physical_size_mm(description, "X"); width > 0) {
    const double height = physical_size_mm(description, "Y");
    return {width, height > 0 ? height : width, true, {}};
  }
  const bool are_inches = resolution.unit == TiffUnit::inch && !description.contains("unit");
  const double unit = are_inches ? inch_mm : resolution_unit_mm(resolution.unit, description),
               own = described_unit_mm(description);
  if (!(unit > 0 && resolution.x > 0 && resolution.y > 0)) return {};
  const double width = unit / resolution.x;
  if (own == 0 || own == inch_mm) {
    if (is_usual_in_print(resolution.x, unit)) return {};
    return {0, 0, false,
            "states " + number_text(resolution.x) + " pixels a" +
                (unit == inch_mm ? "n inch" : " centimetre") +
                ", which may be a resolution of printing: --pixel " + number_text(width) +
                " takes it as that of the detector"};
  }
  TiffPixel pixel{width, unit / resolution.y, false, {}};
  if (own != unit)
    pixel.doubt = "counts pixels a centimetre, while its description has " +
                  description.at("unit") + " as the unit: the centimetre was taken";
  return pixel;
}

}  // namespace gantry
