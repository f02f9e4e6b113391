#include "studies/svg_chart.hpp"

#include "core/base/nice_numbers.hpp"
#include "studies/markup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

namespace gantry {

namespace {

// Colours that colour-blind eyes tell apart: Okabe and Ito, black last.
constexpr std::array<const char*, 8> colours = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                                "#D55E00", "#56B4E9", "#999999", "#000000"};
constexpr double width = 860, left = 76, right = 24, top = 40, plot_height = 360, bottom = 52,
                 line_height = 17, legend_column = 380, legend_sample = 26, character = 7;
// Curves beyond the colours are dashed, those beyond these are dotted, and so on.
constexpr std::array<const char*, 4> dashes = {"", "6 3", "2 3", "9 3 2 3"};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string label(double x, double y, const std::string& text, const std::string& attributes = {}) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + attributes + ">" +
         escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& stroke) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\" stroke=\"" + stroke + "\"/>\n";
}

/// One axis: maps data to positions on the page.
struct Axis {
  bool logarithmic;
  double low = std::numeric_limits<double>::infinity(), high = -low, from, to;

  Axis(bool log, double page_from, double page_to)
      : logarithmic(log), from(page_from), to(page_to) {}
  /// Returns the value or its log10; NaN where the axis cannot show the value.
  double scaled(double value) const {
    if (logarithmic) value = value > 0 ? std::log10(value) : std::nan("");
    return std::isfinite(value) ? value : std::nan("");
  }
  void include(double value) {
    if (const double v = scaled(value); !std::isnan(v)) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  void finish(double margin) {
    if (!(low <= high)) low = 0, high = 1;
    if (low == high) low -= 0.5, high += 0.5;
    const double room = margin * (high - low);
    low -= room;
    high += room;
  }
  double page(double value) const {
    return from + (scaled(value) - low) / (high - low) * (to - from);
  }
  std::vector<Tick> ticks(int most) const {
    return logarithmic ? log_ticks(low, high, most) : linear_ticks(low, high, most);
  }
  double page_of_tick(const Tick& tick) const {
    return from + (tick.value - low) / (high - low) * (to - from);
  }
};

std::string axes(const StudyChart& chart, const Axis& x, const Axis& y) {
  std::string svg;
  for (const Tick& tick : x.ticks(9)) {
    const double at = x.page_of_tick(tick);
    svg += line(at, top, at, top + plot_height, "#dddddd") +
           label(at, top + plot_height + 18, tick.label, "text-anchor=\"middle\"");
  }
  for (const Tick& tick : y.ticks(8)) {
    const double at = y.page_of_tick(tick);
    svg += line(left, at, width - right, at, "#dddddd") +
           label(left - 7, at + 4, tick.label, "text-anchor=\"end\"");
  }
  svg += "<rect x=\"" + number(left) + "\" y=\"" + number(top) + "\" width=\"" +
         number(width - left - right) + "\" height=\"" + number(plot_height) +
         "\" fill=\"none\" stroke=\"#444444\"/>\n";
  svg += label((left + width - right) / 2, top + plot_height + 38, chart.x_label,
               "text-anchor=\"middle\"");
  const double middle = top + plot_height / 2;
  svg += label(18, middle, chart.y_label,
               "text-anchor=\"middle\" transform=\"rotate(-90 18 " + number(middle) + ")\"");
  return svg;
}

std::string style(std::size_t curve) {
  std::string dash = dashes[curve / colours.size() % dashes.size()];
  if (!dash.empty()) dash = " stroke-dasharray=\"" + dash + "\"";
  return "fill=\"none\" stroke=\"" + std::string(colours[curve % colours.size()]) +
         "\" stroke-width=\"1.6\"" + dash;
}

struct Point {
  double x, y;
  bool is_above_frame() const { return y < top; }
};

/// Returns where the line between two points, one of which is above the frame, crosses its edge.
Point crossing(const Point& a, const Point& b) {
  return {a.x + (top - a.y) / (b.y - a.y) * (b.x - a.x), top};
}

/// Returns a curve as a path, interrupted at gaps and above the frame.
std::string path(const StudyCurve& curve, std::size_t index, const Axis& x, const Axis& y) {
  std::string points;
  bool drawing = false;
  const auto go_to = [&](const Point& to) {
    points += (drawing ? "L" : "M") + number(to.x) + " " + number(to.y) + " ";
    drawing = true;
  };
  std::optional<Point> before;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const Point here{x.page(curve.x[i]), y.page(curve.y[i])};
    const bool is_gap = std::isnan(here.x) || std::isnan(here.y);
    if (!is_gap && before && before->is_above_frame() != here.is_above_frame())
      go_to(crossing(*before, here));
    drawing = drawing && !is_gap && !here.is_above_frame();
    if (!is_gap && !here.is_above_frame()) go_to(here);
    before = is_gap ? std::nullopt : std::optional(here);
  }
  return points.empty() ? "" : "<path d=\"" + points + "\" " + style(index) + "/>\n";
}

/// Returns how many columns the legend has: two where every name has room in half the width.
std::size_t legend_columns(const StudyChart& chart) {
  const bool has_room = std::ranges::all_of(chart.curves, [](const StudyCurve& curve) {
    return legend_sample + character * (2.0 + static_cast<double>(curve.name.size())) <=
           legend_column;
  });
  return has_room ? 2 : 1;
}

}  // namespace

std::string svg_chart(const StudyChart& chart) {
  Axis x(chart.log_x, left, width - right), y(chart.log_y, top + plot_height, top);
  for (const StudyCurve& curve : chart.curves) {
    for (const double value : curve.x) x.include(value);
    for (const double value : curve.y) y.include(std::min(value, chart.top));
  }
  x.finish(0);
  y.finish(0.04);
  const double legend_top = top + plot_height + bottom;
  const std::size_t columns = legend_columns(chart),
                    legend_rows = (chart.curves.size() + columns - 1) / columns;
  const double height = legend_top + line_height * static_cast<double>(legend_rows) + 14;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) +
                    "\" height=\"" + number(height) + "\" viewBox=\"0 0 " + number(width) + " " +
                    number(height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  svg += label(left, 24, chart.title, "font-size=\"15\"") + axes(chart, x, y);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    svg += path(chart.curves[i], i, x, y);
    const double at_x = left + legend_column * static_cast<double>(i / legend_rows),
                 at_y = legend_top + line_height * static_cast<double>(i % legend_rows);
    svg += "<path d=\"M" + number(at_x) + " " + number(at_y) + " h" + number(legend_sample) +
           "\" " + style(i) + "/>\n" +
           label(at_x + legend_sample + character, at_y + 4, chart.curves[i].name);
  }
  return svg + "</svg>\n";
}

}  // namespace gantry
