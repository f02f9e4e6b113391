#include "charts/chart_layout.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double label_size = 11, title_size = 12, gap = 4;
constexpr double legend_row = 16, legend_pad = 6;

double widest(const std::vector<Tick>& ticks, const TextRuler& ruler) {
  double width = 0;
  for (const Tick& tick : ticks)
    width = std::max(width, ruler.size(tick.label, {{}, label_size}).width);
  return width;
}

void keepWhole(std::vector<Tick>& ticks) {
  std::erase_if(
      ticks, [](const Tick& tick) { return std::abs(tick.value - std::round(tick.value)) > 1e-6; });
  for (Tick& tick : ticks) tick.label = tick.label.substr(0, tick.label.find('.'));
}

/// Returns the ticks of the y axis: at least two where the range allows it, because a single tick
/// gives no scale.
std::vector<Tick> yTicks(const ChartRange& range, bool log, int most) {
  std::vector<Tick> ticks;
  for (int tries = 0; tries < 3 && ticks.size() < 2; ++tries)
    ticks = log ? log_ticks(range.y0, range.y1, most + tries)
                : linear_ticks(range.y0, range.y1, most + tries);
  return ticks;
}

/// Returns whether all neighbouring labels have some distance; on a log axis the distances differ.
bool labelsFit(const std::vector<Tick>& ticks, double px_per_unit, const TextRuler& ruler) {
  const double needed = widest(ticks, ruler) + 14;
  for (std::size_t i = 1; i < ticks.size(); ++i)
    if ((ticks[i].value - ticks[i - 1].value) * px_per_unit < needed) return false;
  return true;
}

/// Returns as many ticks as fit without labels that touch.
std::vector<Tick> fittingTicks(double low, double high, double length_px, const TextRuler& ruler,
                               bool log, bool whole) {
  for (int most = std::clamp(static_cast<int>(length_px / 40), 2, 12); most >= 2; --most) {
    std::vector<Tick> ticks = log ? log_ticks(low, high, most) : linear_ticks(low, high, most);
    if (whole) keepWhole(ticks);
    if (most == 2 || labelsFit(ticks, length_px / (high - low), ruler)) return ticks;
  }
  return {};
}

RectPx legendRect(LegendPosition place, const RectPx& plot, SizePx size) {
  constexpr double inset = 6;
  const double left = plot.x + inset, right = plot.right() - inset - size.width;
  const double top = plot.y + inset, bottom = plot.bottom() - inset - size.height;
  const double middle = plot.centre().x - size.width / 2;
  switch (place) {
    case LegendPosition::top_left:
      return {left, top, size.width, size.height};
    case LegendPosition::bottom_left:
      return {left, bottom, size.width, size.height};
    case LegendPosition::bottom_right:
      return {right, bottom, size.width, size.height};
    case LegendPosition::top_centre:
      return {middle, top, size.width, size.height};
    case LegendPosition::bottom_centre:
      return {middle, bottom, size.width, size.height};
    case LegendPosition::top_right:
    case LegendPosition::beside:
      break;
  }
  return {right, top, size.width, size.height};
}

/// Estimates the length of the curves inside a rectangle: the number of samples there, taken every
/// two pixels along the curves.
int curvePixelsIn(const RectPx& rect, const ChartModel& model, const ChartTransform& transform) {
  int covered = 0;
  for (const ChartSeries& series : model.series())
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      if (!model.drawable(series, i)) continue;
      const PointPx a =
          transform.toDisplay(model.plottedX(series.xs[i]), model.plotted(series.ys[i]));
      PointPx b = a;
      if (i + 1 < series.xs.size() && model.drawable(series, i + 1))
        b = transform.toDisplay(model.plottedX(series.xs[i + 1]), model.plotted(series.ys[i + 1]));
      const RectPx bounds{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x) + 1,
                          std::abs(a.y - b.y) + 1};
      if (!bounds.overlaps(rect)) continue;
      const int steps = std::clamp(static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / 2), 1, 1000);
      for (int k = 0; k < steps; ++k) {
        const double t = static_cast<double>(k) / steps;
        covered += rect.contains(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)) ? 1 : 0;
      }
    }
  return covered;
}

/// Returns a position where neither a curve nor a title lies under the legend: the present one, if
/// it is one; beside the plot, if there is none or the legend does not fit.
LegendPosition freePlace(LegendPosition now, SizePx size, const ChartModel& model,
                         const ChartLayout& layout) {
  const ChartTransform& transform = layout.transform;
  // A legend that stands beside the plot comes back only where it has some room to spare.
  const double reach = now == LegendPosition::beside ? 16 : 2;
  const auto is_free = [&](LegendPosition place) {
    const RectPx rect = legendRect(place, transform.plot, size);
    return rect.x >= transform.plot.x && rect.height <= 0.8 * transform.plot.height &&
           curvePixelsIn(rect.grown(reach), model, transform) == 0 &&
           std::ranges::none_of(layout.corner_titles,
                                [&](const auto& title) { return title.at.overlaps(rect); });
  };
  if (now != LegendPosition::beside && is_free(now)) return now;
  for (const LegendPosition place :
       {LegendPosition::top_right, LegendPosition::bottom_right, LegendPosition::top_left,
        LegendPosition::bottom_left, LegendPosition::top_centre, LegendPosition::bottom_centre})
    if (is_free(place)) return place;
  return LegendPosition::beside;
}

/// Puts the rows of the legend into columns of at most `most` rows, relative to the legend; returns
/// its size.
SizePx arrangeRows(ChartLayout& layout, const ChartModel& model, std::size_t most,
                   double widest_text, const TextRuler& ruler) {
  const double row = legend_row * ruler.enlargement();
  std::vector<ChartLayout::LegendRow>& rows = layout.legend_rows;
  double text = 0;
  for (ChartLayout::LegendRow& one : rows) {
    one.text = ruler.elided(model.series()[one.series].style.label, {{}, label_size}, widest_text);
    text = std::max(text, ruler.size(one.text, {{}, label_size}).width);
  }
  const double column = text + layout.legend_sample + 3 * legend_pad;
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].at = {static_cast<double>(i / most) * column + legend_pad,
                  (static_cast<double>(i % most) + 0.5) * row + legend_pad / 2};
  const std::size_t columns = (rows.size() + most - 1) / most;
  return {static_cast<double>(columns) * column,
          static_cast<double>(std::min(rows.size(), most)) * row + legend_pad};
}

std::size_t rowsIn(double height, const TextRuler& ruler) {
  return static_cast<std::size_t>(
      std::max(1.0, (height - legend_pad) / (legend_row * ruler.enlargement())));
}

std::vector<ChartLayout::LegendRow> rowsOf(const ChartModel& model) {
  std::vector<ChartLayout::LegendRow> rows;
  for (std::size_t i = 0; i < model.series().size(); ++i)
    if (!model.series()[i].style.label.empty()) rows.push_back({i, {}, {}});
  return rows;
}

/// Moves the rows of the legend, which are placed relative to it, to its place.
void placeLegend(ChartLayout& layout, const RectPx& place) {
  layout.legend = place;
  for (ChartLayout::LegendRow& row : layout.legend_rows) {
    row.at.x += place.x;
    row.at.y += place.y;
  }
}

/// Places the legend in the plot, or beside it, which makes the plot narrower.
void layOutLegend(ChartLayout& layout, const ChartModel& model, const TextRuler& ruler,
                  LegendPosition& place) {
  RectPx& plot = layout.transform.plot;
  const double beside_text = layout.legend_sample + 3 * legend_pad;
  layout.legend_rows = rowsOf(model);
  if (layout.legend_rows.empty()) return;
  const double widest_text = std::min(260.0, 0.5 * plot.width) - beside_text;
  if (widest_text < 30) return layout.legend_rows.clear();
  SizePx size = arrangeRows(layout, model, rowsIn(0.75 * plot.height, ruler), widest_text, ruler);
  place = freePlace(place, size, model, layout);
  if (place != LegendPosition::beside) return placeLegend(layout, legendRect(place, plot, size));
  constexpr double distance = 8;
  const std::size_t most = rowsIn(layout.body.height - 4, ruler);
  const auto columns = static_cast<double>((layout.legend_rows.size() + most - 1) / most);
  const double narrower = std::min(widest_text, 0.5 * plot.width / columns - beside_text);
  size = arrangeRows(layout, model, most, std::max(30.0, narrower), ruler);
  plot.width = std::max(10.0, plot.width - size.width - distance);
  placeLegend(layout, {plot.right() + distance, layout.body.y + 2, size.width, size.height});
}

/// Arranges the legend for a place below the axes, in two columns where half the width holds every
/// name and else in one; returns its size.
SizePx arrangeBelow(ChartLayout& layout, const ChartModel& model, double width,
                    const TextRuler& ruler) {
  layout.legend_sample = 28;
  layout.legend_rows = rowsOf(model);
  if (layout.legend_rows.empty()) return {};
  double widest_name = 0;
  for (const ChartLayout::LegendRow& row : layout.legend_rows)
    widest_name = std::max(
        widest_name, ruler.size(model.series()[row.series].style.label, {{}, label_size}).width);
  const double beside_text = layout.legend_sample + 3 * legend_pad;
  const std::size_t columns = 2 * (widest_name + beside_text) <= width ? 2 : 1;
  return arrangeRows(layout, model, (layout.legend_rows.size() + columns - 1) / columns,
                     width / static_cast<double>(columns) - beside_text, ruler);
}

/// Places the legend below the axes where that leaves the plot enough of the height, and returns
/// whether it does.
bool layOutLegendBelow(ChartLayout& layout, const ChartModel& model, const TextRuler& ruler) {
  constexpr double least_body = 220;
  ChartLayout with_legend = layout;
  RectPx& body = with_legend.body;
  const SizePx size = arrangeBelow(with_legend, model, body.width, ruler);
  if (body.height - size.height < least_body) return false;
  body.height -= size.height;
  placeLegend(with_legend, {0, body.bottom(), body.width, size.height});
  with_legend.legend_in_frame = false;
  layout = with_legend;
  return true;
}

/// Parts a text at spaces into lines of at most this width; what exceeds two lines is shortened.
std::vector<std::string> titleLines(const std::string& text, const TextStyle& style, double width,
                                    const TextRuler& ruler) {
  std::size_t end = text.size();
  while (end != std::string::npos && end > 0 &&
         ruler.size(text.substr(0, end), style).width > width)
    end = text.rfind(' ', end - 1);
  if (end == text.size() || end == std::string::npos || end == 0)
    return {ruler.elided(text, style, width)};
  return {text.substr(0, end), ruler.elided(text.substr(end + 1), style, width)};
}

/// Returns the titles of the axes in the corners of a plot that has no room for them outside: that
/// of y at the top left and that of x at the bottom right, or in the middle where they would hide
/// a curve. In a very low plot they stand side by side.
std::vector<ChartLayout::CornerTitle> cornerTitles(const ChartModel& model,
                                                   const ChartTransform& transform,
                                                   const AxisTitle& x, const AxisTitle& y,
                                                   const TextRuler& ruler) {
  constexpr double inset = 4, most_of_y = 0.6;
  const RectPx& plot = transform.plot;
  std::vector<ChartLayout::CornerTitle> titles;
  const auto is_free = [&](const RectPx& at) {
    return curvePixelsIn(at, model, transform) == 0 &&
           std::ranges::none_of(titles, [&](const auto& other) { return other.at.overlaps(at); });
  };
  const auto add = [&](const AxisTitle& axis, double room, bool is_y) {
    const std::string text = ruler.elided(axis.text(), {{}, label_size}, room);
    if (text.empty()) return 0.0;
    const SizePx size = ruler.size(text, {{}, label_size});
    RectPx at{is_y ? plot.x + inset : plot.right() - inset - size.width,
              is_y ? plot.y + 1 : plot.bottom() - 1 - size.height, size.width, size.height};
    // The title of y leaves the right side to that of x.
    const double x_title = is_y ? ruler.size(x.text(), {{}, label_size}).width + inset : 0;
    RectPx in_middle = at;
    in_middle.x = plot.centre().x - size.width / 2;
    if (!is_free(at) && is_free(in_middle) && in_middle.right() <= plot.right() - inset - x_title)
      at = in_middle;
    titles.push_back({text, at});
    return size.width;
  };
  const double room = plot.width - 3 * inset;
  add(x, room - add(y, most_of_y * room, true), false);
  return titles;
}

}  // namespace

double heightOfLegendBelow(const ChartModel& model, double width, const TextRuler& ruler) {
  ChartLayout unplaced;
  return arrangeBelow(unplaced, model, width, ruler).height;
}

ChartLayout layoutChart(const ChartModel& model, const ChartRange& range,
                        const ChartAnnotations& notes, SizePx size, const TextRuler& ruler,
                        LegendPosition& place) {
  ChartLayout layout;
  const AxisTitle &x = notes.x, &y = notes.y;
  layout.titles = size.width >= 180 && size.height >= 110;
  layout.body = {0, 0, size.width, size.height};
  if (layout.titles && !notes.title.empty()) {
    const TextStyle style{{}, chart_title_size};
    layout.title_lines = titleLines(notes.title, style, size.width - 2 * gap, ruler);
    layout.body.y =
        static_cast<double>(layout.title_lines.size()) * ruler.size("0", style).height + 2 * gap;
    layout.body.height = size.height - layout.body.y;
  }
  const bool is_below = notes.legend_below && layOutLegendBelow(layout, model, ruler);
  const double line = ruler.size("0", {{}, label_size}).height;
  const double title = layout.titles ? ruler.size("0", {{}, title_size}).height + 2 : 0;
  const double top = 8, right = 12, bottom = line + gap + (x.text().empty() ? 2 : title) + 2;
  RectPx& plot = layout.transform.plot;
  layout.transform.range = range;
  plot.y = layout.body.y + top;
  plot.height = std::max(10.0, layout.body.height - top - bottom);
  const int most = std::clamp(static_cast<int>(plot.height / 26), 2, 10);
  layout.y_ticks = yTicks(range, model.logY(), most);
  plot.x = 4 + (y.text().empty() ? 0 : title) + widest(layout.y_ticks, ruler) + gap + 2;
  plot.width = std::max(10.0, size.width - plot.x - right);
  if (!layout.titles) layout.corner_titles = cornerTitles(model, layout.transform, x, y, ruler);
  if (!is_below) layOutLegend(layout, model, ruler, place);
  // The legend may have made the plot narrower.
  if (!layout.titles) layout.corner_titles = cornerTitles(model, layout.transform, x, y, ruler);
  layout.x_ticks = fittingTicks(range.x0, range.x1, plot.width, ruler, model.logX(),
                                !model.logX() && model.wholeX());
  if (const std::optional<double> x_of_all = model.loneX();
      x_of_all && model.plottedX(*x_of_all) >= range.x0 && model.plottedX(*x_of_all) <= range.x1)
    layout.x_ticks = {{model.plottedX(*x_of_all), textOfX(*x_of_all)}};
  return layout;
}

std::string textOfX(double x) {
  const bool whole = x == std::floor(x) && std::abs(x) < 1e6;
  return short_number(x, whole ? 1 : 4);
}

std::optional<ChartHit> nearestPoint(const ChartModel& model, const ChartTransform& transform,
                                     PointPx at, double reach) {
  std::optional<ChartHit> hit;
  double nearest = reach;
  for (const ChartSeries& series : model.series())
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      if (!model.drawable(series, i)) continue;
      const PointPx p =
          transform.toDisplay(model.plottedX(series.xs[i]), model.plotted(series.ys[i]));
      if (!transform.plot.grown(2).contains(p.x, p.y)) continue;
      const double distance = std::hypot(p.x - at.x, p.y - at.y);
      if (distance > nearest) continue;
      nearest = distance;
      hit = ChartHit{series.id, i, series.xs[i], series.ys[i]};
    }
  return hit;
}

}  // namespace gantry
