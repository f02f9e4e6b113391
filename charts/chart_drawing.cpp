#include "charts/chart_drawing.hpp"

#include "charts/painting/recording_painter.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace gantry {

namespace {

constexpr double label_size = 11, title_size = 12;

/// Returns the positions of 2, 3 .. 9 of each decade inside a range, in plotted units; none for
/// more than four decades, where such lines would be too dense.
std::vector<double> between_decades(double low, double high) {
  std::vector<double> places;
  if (high - low > 4) return places;
  for (int decade = static_cast<int>(std::floor(low)); decade <= high; ++decade)
    for (int digit = 2; digit <= 9; ++digit)
      if (const double at = decade + std::log10(digit); at > low && at < high) places.push_back(at);
  return places;
}

void drawGrid(Painter& painter, const ChartModel& model, const ChartLayout& layout,
              const Theme& theme) {
  const ChartTransform& t = layout.transform;
  const RectPx& plot = t.plot;
  const double hair = painter.hairline();
  for (const Tick& tick : layout.x_ticks)
    painter.line({t.toDisplay(tick.value, 0).x, plot.y},
                 {t.toDisplay(tick.value, 0).x, plot.bottom()}, hair, theme.grid, 0.7);
  for (const Tick& tick : layout.y_ticks) {
    const double y = t.toDisplay(0, tick.value).y;
    painter.line({plot.x, y}, {plot.right(), y}, hair, theme.grid);
  }
  if (model.logY())
    for (const double at : between_decades(t.range.y0, t.range.y1)) {
      const double y = t.toDisplay(0, at).y;
      painter.line({plot.x, y}, {plot.right(), y}, hair, theme.grid, 0.4);
    }
  if (model.logX())
    for (const double at : between_decades(t.range.x0, t.range.x1)) {
      const double x = t.toDisplay(at, 0).x;
      painter.line({x, plot.y}, {x, plot.bottom()}, hair, theme.grid, 0.3);
    }
}

void drawHistogram(Painter& painter, const ChartModel& model, const ChartLayout& layout) {
  const Histogram& h = *model.histogram();
  const ChartTransform& t = layout.transform;
  const RectPx& plot = t.plot;
  double previous = plot.bottom();
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    const double top = model.plotted(h.counts[i]);
    const double left =
        std::clamp(t.toDisplay(model.plottedX(h.edges[i]), 0).x, plot.x, plot.right());
    const double right =
        std::clamp(t.toDisplay(model.plottedX(h.edges[i + 1]), 0).x, plot.x, plot.right());
    double y = plot.bottom();
    if (std::isfinite(top)) y = std::clamp(t.toDisplay(0, top).y, plot.y, plot.bottom());
    if (right > left) {
      painter.fill({left, y, right - left, plot.bottom() - y}, h.colour, 0.45);
      if (y != previous)
        painter.line({left, std::min(y, previous)}, {left, std::max(y, previous)}, 1, h.colour);
      if (y < plot.bottom()) painter.line({left, y}, {right, y}, 1, h.colour);
    }
    previous = y;
  }
}

void drawAxes(Painter& painter, const ChartLayout& layout, const ChartAnnotations& notes,
              const Theme& theme) {
  const ChartTransform& t = layout.transform;
  const RectPx& plot = t.plot;
  painter.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, 1, theme.muted);
  painter.line({plot.x, plot.y}, {plot.x, plot.bottom()}, 1, theme.muted);
  const TextStyle label{chartLabelColour(theme), label_size}, title{theme.text, title_size};
  for (const Tick& tick : layout.x_ticks) {
    const double x = t.toDisplay(tick.value, 0).x;
    painter.line({x, plot.bottom()}, {x, plot.bottom() + 3}, 1, theme.muted);
    const double half = painter.measure(tick.label, label).width / 2;
    painter.text(std::min(x, painter.widthPx() - half - 2), plot.bottom() + 4, tick.label, label,
                 AlignX::centre);
  }
  for (const Tick& tick : layout.y_ticks) {
    const double y = t.toDisplay(0, tick.value).y;
    painter.line({plot.x - 3, y}, {plot.x, y}, 1, theme.muted);
    painter.text(plot.x - 5, y, tick.label, label, AlignX::right, AlignY::middle);
  }
  for (const ChartLayout::CornerTitle& corner : layout.corner_titles) {
    painter.fill(corner.at.grown(1), theme.background, 0.86);
    painter.text(corner.at.x, corner.at.y, corner.text, {theme.text, label_size});
  }
  if (!layout.titles) return;
  const RectPx& body = layout.body;
  painter.text(plot.centre().x, body.bottom() - 3,
               painter.elided(notes.x.text(), title, plot.width), title, AlignX::centre,
               AlignY::bottom);
  TextStyle upwards = title;
  const std::string y_title = painter.elided(notes.y.text(), title, body.height - 8);
  upwards.upwards = true;
  const double reach = painter.measure(y_title, upwards).height / 2 + 2;
  const double middle =
      std::clamp(plot.centre().y, body.y + reach, std::max(body.y + reach, body.bottom() - reach));
  painter.text(3, middle, y_title, upwards, AlignX::left, AlignY::middle);
}

/// Returns the part of a line from a to b inside a rectangle; nothing if it lies outside (Liang and
/// Barsky, ACM Trans. Graph. 3 (1984) 1). Ends on a side of the rectangle lie exactly there,
/// however far away a and b are.
std::optional<std::pair<PointPx, PointPx>> part_inside(const RectPx& rect, PointPx a, PointPx b) {
  struct End {
    double part;  // of the way from a to b
    double PointPx::*axis = nullptr;
    double side = 0;
  };
  End first{0}, last{1};
  const auto cut = [&](double PointPx::*axis, double low, double high) {
    const double from = a.*axis, step = b.*axis - from;
    if (step == 0) return from >= low && from <= high;
    const double enters = step > 0 ? low : high, leaves = step > 0 ? high : low;
    if (const double part = (enters - from) / step; part > first.part) first = {part, axis, enters};
    if (const double part = (leaves - from) / step; part < last.part) last = {part, axis, leaves};
    return first.part <= last.part;
  };
  if (!cut(&PointPx::x, rect.x, rect.right()) || !cut(&PointPx::y, rect.y, rect.bottom()))
    return {};
  const auto at = [&](const End& end) {
    PointPx p{std::clamp(a.x + end.part * (b.x - a.x), rect.x, rect.right()),
              std::clamp(a.y + end.part * (b.y - a.y), rect.y, rect.bottom())};
    if (end.axis != nullptr) p.*end.axis = end.side;
    return p;
  };
  return std::pair{first.axis == nullptr ? a : at(first), last.axis == nullptr ? b : at(last)};
}

Dash dashOf(LineStyle style) {
  if (style == LineStyle::dashed) return {7, 4};
  if (style == LineStyle::dash_dotted) return {9, 3, 2, 3};
  return style == LineStyle::dotted ? Dash{2, 3} : Dash{};
}

void drawTitle(Painter& painter, const ChartLayout& layout, const Theme& theme) {
  const TextStyle style{theme.text, chart_title_size};
  double y = 4;
  for (const std::string& line : layout.title_lines)
    y = painter.text(layout.transform.plot.x, y, line, style).bottom();
}

void drawLegend(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                const Theme& theme) {
  if (layout.legend_rows.empty()) return;
  const RectPx& box = layout.legend;
  if (layout.legend_in_frame) {
    painter.fill(box, theme.background, 0.86);
    painter.frame(box, painter.hairline(), theme.grid);
  }
  for (const ChartLayout::LegendRow& row : layout.legend_rows) {
    const SeriesStyle& style = model.series()[row.series].style;
    const auto [x, y] = row.at;
    painter.polyline({{x, y}, {x + layout.legend_sample, y}}, 2, style.colour, 1,
                     dashOf(style.line));
    painter.text(x + layout.legend_sample + 6, y, row.text, {theme.text, label_size}, AlignX::left,
                 AlignY::middle);
  }
}

void drawPoints(Painter& painter, const ChartModel& model, const ChartTransform& t) {
  constexpr double half_stub = 20;
  for (const ChartSeries& series : model.series()) {
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      if (!model.drawable(series, i)) continue;
      // A value without neighbours has no line; a dot makes it visible. Dashes, which tell curves
      // of one colour apart, have a short line there.
      const bool lone = (i == 0 || !model.drawable(series, i - 1)) &&
                        (i + 1 == series.xs.size() || !model.drawable(series, i + 1));
      const PointPx p = t.toDisplay(model.plottedX(series.xs[i]), model.plotted(series.ys[i]));
      if (!(lone || series.style.points) || !t.plot.grown(1).contains(p.x, p.y)) continue;
      painter.disc(p, std::max(2.5, series.style.width_px), series.style.colour);
      if (lone && series.style.points && series.style.line != LineStyle::solid)
        painter.polyline({{std::max(p.x - half_stub, t.plot.x), p.y},
                          {std::min(p.x + half_stub, t.plot.right()), p.y}},
                         series.style.width_px, series.style.colour, 1, dashOf(series.style.line));
    }
  }
}

/// Writes a text right of a point, or left of it where the plot ends.
void drawBeside(Painter& painter, const ChartTransform& t, PointPx at, const std::string& text,
                const TextStyle& style, double gap_px) {
  const bool to_the_left = at.x + painter.measure(text, style).width + gap_px + 2 > t.plot.right();
  painter.text(at.x + (to_the_left ? -gap_px : gap_px), at.y, text, style,
               to_the_left ? AlignX::right : AlignX::left);
}

/// Draws each mark as a tick across the curve.
void drawMarks(Painter& painter, const ChartModel& model, const ChartTransform& t,
               const Theme& theme) {
  constexpr double half_px = 8;
  for (const ChartSeries& series : model.series())
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      const ChartMark* mark = series.markAt(i);
      if (!model.drawable(series, i) || mark == nullptr) continue;
      const PointPx p = t.toDisplay(model.plottedX(series.xs[i]), model.plotted(series.ys[i]));
      if (!t.plot.grown(1).contains(p.x, p.y)) continue;
      painter.line({p.x, p.y - half_px}, {p.x, p.y + half_px}, 2, series.style.colour);
      painter.disc(p, 3.5, series.style.colour);
      if (mark->is_labelled)
        drawBeside(painter, t, {p.x, p.y - 2 * half_px}, mark->text,
                   {theme.text, label_size, false, theme.background}, 6);
    }
}

void drawMarker(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                const ChartMarker& marker, const Theme& theme) {
  const ChartTransform& t = layout.transform;
  const double x = t.toDisplay(model.plottedX(marker.x), 0).x;
  if (!(x >= t.plot.x && x <= t.plot.right())) return;
  painter.line({x, t.plot.y}, {x, t.plot.bottom()}, 1, theme.accent, 0.9);
  if (marker.label.empty()) return;
  const TextStyle style{theme.accent, label_size, false, theme.background};
  drawBeside(painter, t, {x, t.plot.y + 1}, marker.label, style, 4);
}

void drawLimits(Painter& painter, const ChartLayout& layout, std::pair<double, double> limits,
                const Theme& theme) {
  const ChartTransform& t = layout.transform;
  const RectPx& plot = t.plot;
  const double low = std::clamp(t.toDisplay(limits.first, 0).x, plot.x, plot.right());
  const double high = std::clamp(t.toDisplay(limits.second, 0).x, plot.x, plot.right());
  painter.fill({plot.x, plot.y, low - plot.x, plot.height}, theme.background, 0.6);
  painter.fill({high, plot.y, plot.right() - high, plot.height}, theme.background, 0.6);
  for (const double value : {limits.first, limits.second}) {
    const double x = t.toDisplay(value, 0).x;
    if (x < plot.x - 0.5 || x > plot.right() + 0.5) continue;
    painter.line({x, plot.y}, {x, plot.bottom()}, 2, theme.accent);
    const RectPx grip{x - 5, plot.centre().y - 11, 10, 22};
    painter.fill(grip, theme.accent);
    for (const double dx : {-2.0, 1.0})
      painter.fill({x + dx, grip.y + 6, 1, grip.height - 12}, theme.background, 0.8);
  }
}

void drawHover(Painter& painter, const ChartModel& model, const ChartLayout& layout,
               const ChartAnnotations& notes, const Theme& theme) {
  const ChartSeries* series = model.find(notes.hover->id);
  if (!series) return;
  const ChartTransform& t = layout.transform;
  const PointPx p = t.toDisplay(model.plottedX(notes.hover->x), model.plotted(notes.hover->y));
  painter.disc(p, 6, theme.background);
  painter.disc(p, 5, series->style.colour);
  painter.disc(p, 2, theme.background);
  const auto named = [](const AxisTitle& title, const std::string& value) {
    return title.name + (title.name.empty() ? "" : " ") + value +
           (title.unit.empty() ? "" : " " + title.unit);
  };
  std::vector<std::string> lines = {series->style.label, named(notes.x, textOfX(notes.hover->x)),
                                    named(notes.y, short_number(notes.hover->y, 4))};
  for (std::size_t i = 0; i < series->xs.size(); ++i)
    if (const ChartMark* mark = series->markAt(i);
        mark != nullptr && series->xs[i] == notes.hover->x)
      lines.push_back(mark->text);
  const TextStyle style{theme.text, label_size}, bold{theme.text, label_size, true};
  double width = 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    width = std::max(width, painter.measure(lines[i], i == 0 ? bold : style).width);
  const std::size_t first = lines[0].empty() ? 1 : 0;
  const double line = 15.0 * painter.ruler().enlargement();
  const SizePx size{width + 12, static_cast<double>(lines.size() - first) * line + 6};
  // The box stands beside the point, on the side with enough space.
  RectPx box{p.x + 12, p.y - size.height - 8, size.width, size.height};
  if (box.right() > painter.widthPx() - 2) box.x = p.x - 12 - size.width;
  box.x = std::max(box.x, 2.0);
  if (box.y < 2) box.y = std::min(p.y + 12, painter.heightPx() - size.height - 2);
  painter.fill(box, theme.panel, 0.95);
  painter.frame(box, painter.hairline(), theme.muted);
  for (std::size_t i = first; i < lines.size(); ++i)
    painter.text(box.x + 6, box.y + 3 + line * static_cast<double>(i - first), lines[i],
                 i == 0 ? bold : style);
}

}  // namespace

Rgb chartLabelColour(const Theme& theme) { return mix(theme.muted, theme.text, 0.4); }

void drawChartBackground(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                         const ChartAnnotations&, const Theme& theme) {
  if (model.empty()) return;
  drawGrid(painter, model, layout, theme);
  if (model.histogram()) drawHistogram(painter, model, layout);
}

/// Lines end just outside the plot: values of a diverging method, or far outside a small range, are
/// more pixels away than a graphics driver takes.
void drawCurves(Painter& painter, const ChartModel& model, const ChartTransform& transform) {
  constexpr double margin_px = 50;
  const RectPx inside = transform.plot.grown(margin_px);
  for (const ChartSeries& series : model.series()) {
    std::vector<PointPx> run;
    const auto flush = [&] {
      if (!run.empty())
        painter.polyline(run, series.style.width_px, series.style.colour, 1,
                         dashOf(series.style.line));
      run.clear();
    };
    std::optional<PointPx> before;
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      std::optional<PointPx> here;
      if (model.drawable(series, i))
        here = transform.toDisplay(model.plottedX(series.xs[i]), model.plotted(series.ys[i]));
      if (here && !(std::isfinite(here->x) && std::isfinite(here->y))) here.reset();
      const auto part = before && here ? part_inside(inside, *before, *here) : std::nullopt;
      const bool goes_on =
          part && !run.empty() && run.back().x == part->first.x && run.back().y == part->first.y;
      if (!goes_on) flush();
      if (part) {
        if (run.empty()) run.push_back(part->first);
        run.push_back(part->second);
      }
      before = here;
    }
    flush();
  }
}

void drawChartFront(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                    const ChartAnnotations& notes, const Theme& theme) {
  if (model.empty()) {
    const TextStyle style{theme.muted, title_size};
    painter.text(painter.widthPx() / 2, painter.heightPx() / 2,
                 painter.elided(notes.hint, style, painter.widthPx() - 12), style, AlignX::centre,
                 AlignY::middle);
    return;
  }
  if (notes.limits) drawLimits(painter, layout, *notes.limits, theme);
  drawPoints(painter, model, layout.transform);
  drawMarks(painter, model, layout.transform, theme);
  drawAxes(painter, layout, notes, theme);
  if (notes.marker) drawMarker(painter, model, layout, *notes.marker, theme);
  drawTitle(painter, layout, theme);
  drawLegend(painter, model, layout, theme);
  if (notes.hover) drawHover(painter, model, layout, notes, theme);
}

Drawing drawnChart(const ChartModel& model, const ChartLayout& layout,
                   const ChartAnnotations& notes, const Theme& theme, SizePx size,
                   const TextRuler& ruler) {
  RecordingPainter painter(size.width, size.height, ruler);
  painter.fill({0, 0, size.width, size.height}, theme.background, 1);
  drawChartBackground(painter, model, layout, notes, theme);
  if (!model.empty()) {
    RecordingPainter curves(size.width, size.height, ruler);
    drawCurves(curves, model, layout.transform);
    const RectPx& plot = layout.transform.plot;
    painter.drawing().items.emplace_back(
        DrawnPart{plot, {plot.x, plot.y}, std::make_shared<const Drawing>(curves.drawing())});
  }
  drawChartFront(painter, model, layout, notes, theme);
  return painter.drawing();
}

}  // namespace gantry
