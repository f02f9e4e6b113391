#include "charts/painting/recording_painter.hpp"

namespace gantry {

namespace {

/// The part of the height of a text that is above its base line.
constexpr double above_base_line = 0.78;

}  // namespace

RecordingPainter::RecordingPainter(double width_px, double height_px, const TextRuler& ruler)
    : Painter(width_px, height_px, ruler) {
  drawing_.width_px = width_px;
  drawing_.height_px = height_px;
}

RectPx RecordingPainter::text(double x, double y, const std::string& words, const TextStyle& style,
                              AlignX ax, AlignY ay) {
  const RectPx place = textRect(x, y, measure(words, style), ax, ay);
  if (words.empty()) return place;
  TextStyle shown = style;
  shown.size_px = ruler().deviceSize(style) / scale();
  DrawnText text{words, {x, place.y + above_base_line * place.height}, ax, shown};
  // A text that runs upwards begins at its bottom; its base line is upright.
  if (style.upwards) {
    text.ax = ay == AlignY::bottom   ? AlignX::left
              : ay == AlignY::middle ? AlignX::centre
                                     : AlignX::right;
    text.at = {place.x + above_base_line * place.width, y};
  }
  drawing_.items.emplace_back(text);
  return place;
}

void RecordingPainter::fill(const RectPx& r, Rgb colour, double opacity) {
  polygon({{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}}, colour,
          opacity);
}

void RecordingPainter::gradient(const RectPx& rect, const std::vector<Rgb>& colours) {
  drawing_.items.emplace_back(DrawnGradient{rect, colours});
}

void RecordingPainter::frame(const RectPx& rect, double thickness_px, Rgb colour, double opacity) {
  const double t = thickness_px, inner = rect.height - 2 * t;
  fill({rect.x, rect.y, rect.width, t}, colour, opacity);
  fill({rect.x, rect.bottom() - t, rect.width, t}, colour, opacity);
  fill({rect.x, rect.y + t, t, inner}, colour, opacity);
  fill({rect.right() - t, rect.y + t, t, inner}, colour, opacity);
}

void RecordingPainter::line(PointPx a, PointPx b, double width_px, Rgb colour, double opacity) {
  polyline({a, b}, width_px, colour, opacity);
}

void RecordingPainter::polyline(const std::vector<PointPx>& points, double width_px, Rgb colour,
                                double opacity, Dash dash) {
  if (points.size() > 1)
    drawing_.items.emplace_back(DrawnLine{points, width_px, colour, opacity, dash});
}

void RecordingPainter::disc(PointPx centre, double radius_px, Rgb colour, double opacity) {
  drawing_.items.emplace_back(DrawnDisc{centre, radius_px, colour, opacity});
}

void RecordingPainter::polygon(const std::vector<PointPx>& corners, Rgb colour, double opacity) {
  drawing_.items.emplace_back(DrawnArea{corners, colour, opacity});
}

}  // namespace gantry
