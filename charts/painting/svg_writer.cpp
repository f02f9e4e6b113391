#include "charts/painting/svg_writer.hpp"

#include "core/base/markup.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <variant>

namespace gantry {

namespace {

// The font of the window's views, whose widths table_ruler() has, and what takes its place.
constexpr const char* families = "DejaVu Sans, Verdana, sans-serif";

/// Returns a number with six significant digits and a decimal point in every locale.
std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
  return {text, end.ptr};
}

/// Returns ` name="value"`.
std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}
std::string attribute(std::string_view name, double value) {
  return attribute(name, number(value));
}

/// Returns ` fill="#204060" fill-opacity="0.5"`.
std::string ink(const std::string& what, Rgb colour, double opacity = 1) {
  std::string text = attribute(what, svg_colour(colour));
  if (opacity < 1) text += attribute(what + "-opacity", opacity);
  return text;
}

std::string points_text(const std::vector<PointPx>& points) {
  std::string all;
  for (const PointPx& p : points) all += (all.empty() ? "" : " ") + number(p.x) + "," + number(p.y);
  return attribute("points", all);
}

std::string place_text(const RectPx& r) {
  return attribute("x", r.x) + attribute("y", r.y) + attribute("width", r.width) +
         attribute("height", r.height);
}

/// Writes the items of a drawing as elements of SVG.
class SvgWriter {
 public:
  SvgWriter(int& gradients, const PictureText& picture_text)
      : gradients_(gradients), picture_text_(picture_text) {}

  std::string operator()(const DrawnArea& area) const {
    return "<polygon" + points_text(area.corners) + ink("fill", area.colour, area.opacity) + "/>\n";
  }
  std::string operator()(const DrawnLine& line) const {
    std::string dashes;
    if (line.dash.off_px > 0)
      for (const double length : line.dash.lengths())
        dashes += (dashes.empty() ? "" : " ") + number(length);
    return "<polyline" + points_text(line.points) + attribute("fill", "none") +
           ink("stroke", line.colour, line.opacity) + attribute("stroke-width", line.width_px) +
           (dashes.empty() ? "" : attribute("stroke-dasharray", dashes)) + "/>\n";
  }
  std::string operator()(const DrawnDisc& disc) const {
    return "<circle" + attribute("cx", disc.centre.x) + attribute("cy", disc.centre.y) +
           attribute("r", disc.radius_px) + ink("fill", disc.colour, disc.opacity) + "/>\n";
  }
  std::string operator()(const DrawnGradient& gradient) const {
    const std::string name = "scale" + std::to_string(++gradients_);
    const auto last = static_cast<double>(std::max<std::size_t>(gradient.colours.size(), 2) - 1);
    std::string stops;
    for (std::size_t i = 0; i < gradient.colours.size(); ++i)
      stops += "<stop" + attribute("offset", static_cast<double>(i) / last) +
               ink("stop-color", gradient.colours[i]) + "/>";
    return "<linearGradient" + attribute("id", name) + " x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">" +
           stops + "</linearGradient>\n<rect" + place_text(gradient.place) +
           attribute("fill", "url(#" + name + ")") + "/>\n";
  }
  std::string operator()(const DrawnText& text) const {
    const char* const anchor = text.ax == AlignX::left     ? "start"
                               : text.ax == AlignX::centre ? "middle"
                                                           : "end";
    std::string more = ink("fill", text.style.colour);
    if (text.style.bold) more += attribute("font-weight", "bold");
    if (text.style.halo)
      more += ink("stroke", *text.style.halo) + attribute("stroke-width", 2 * halo_px) +
              attribute("paint-order", "stroke");
    if (text.style.upwards)
      more +=
          attribute("transform", "rotate(-90 " + number(text.at.x) + " " + number(text.at.y) + ")");
    return "<text" + attribute("x", text.at.x) + attribute("y", text.at.y) +
           attribute("font-family", families) + attribute("font-size", text.style.size_px) +
           attribute("text-anchor", anchor) + more + ">" + escaped(text.text) + "</text>\n";
  }
  std::string operator()(const DrawnPicture& picture) const {
    if (!picture_text_) return {};
    return "<image" + place_text(picture.place) + attribute("preserveAspectRatio", "none") +
           attribute("xlink:href", "data:image/png;base64," + picture_text_(*picture.image)) +
           "/>\n";
  }
  /// An inner <svg> element clips to its viewport.
  std::string operator()(const DrawnPart& part) const {
    const RectPx seen{part.origin.x, part.origin.y, part.place.width, part.place.height};
    return "<svg" + place_text(part.place) + view_box(seen) + ">\n" + all(*part.drawing) +
           "</svg>\n";
  }

  std::string all(const Drawing& drawing) const {
    std::string text;
    for (const Drawing::Item& item : drawing.items) text += std::visit(*this, item);
    return text;
  }
  static std::string view_box(const RectPx& seen) {
    return attribute("viewBox", number(seen.x) + " " + number(seen.y) + " " + number(seen.width) +
                                    " " + number(seen.height));
  }

 private:
  int& gradients_;  // so that every one has its own name
  const PictureText& picture_text_;
};

}  // namespace

std::string svg_colour(Rgb colour) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(colour.r),
                static_cast<unsigned>(colour.g), static_cast<unsigned>(colour.b));
  return text;
}

std::string svg_elements(const Drawing& drawing, const PictureText& picture_text) {
  int gradients = 0;
  return SvgWriter(gradients, picture_text).all(drawing);
}

std::string svg_document(const Drawing& drawing) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", drawing.width_px) +
         attribute("height", drawing.height_px) +
         SvgWriter::view_box({0, 0, drawing.width_px, drawing.height_px}) + ">\n" +
         svg_elements(drawing) + "</svg>\n";
}

}  // namespace gantry
