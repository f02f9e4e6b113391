#include "studies/study_chart.hpp"

#include "charts/chart_drawing.hpp"
#include "charts/painting/svg_writer.hpp"
#include "charts/run_colours.hpp"

#include <array>

namespace gantry {

namespace {

constexpr Rgb paper = rgb(0xFFFFFF);
constexpr double width = 860, height_above_legend = 450;
/// Curves of so few values have a dot at each.
constexpr std::size_t few = 12;
/// How the curves beyond the colours are told from those before.
constexpr std::array lines = {LineStyle::solid, LineStyle::dashed, LineStyle::dotted,
                              LineStyle::dash_dotted};

SeriesStyle style_of(const StudyCurve& curve, std::size_t index, const Theme& theme) {
  return {.label = curve.name,
          .colour = readableOn(runColour(index), theme.background),
          .line = lines[index / run_palette.size() % lines.size()],
          .points = curve.x.size() <= few};
}

}  // namespace

ChartModel chart_model(const StudyChart& chart, const Theme& theme) {
  ChartModel model;
  model.setLogX(chart.log_x);
  model.setLogY(chart.log_y);
  model.setTop(chart.top);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const StudyCurve& curve = chart.curves[i];
    const std::string id = std::to_string(i);  // two curves may have the same name
    model.setSeries(id, style_of(curve, i, theme));
    model.setData(id, curve.x, curve.y);
  }
  return model;
}

ChartAnnotations chart_annotations(const StudyChart& chart) {
  return {.x = {chart.x_label, ""},
          .y = {chart.y_label, ""},
          .hint = "No values",
          .title = chart.title,
          .legend_below = true,
          .marker = {},
          .limits = {},
          .hover = {}};
}

std::string svg_chart(const StudyChart& chart) {
  const Theme theme = Theme::on(paper);
  const TextRuler ruler = table_ruler();
  const ChartModel model = chart_model(chart, theme);
  const ChartAnnotations notes = chart_annotations(chart);
  const SizePx size{width, height_above_legend + heightOfLegendBelow(model, width, ruler)};
  LegendPosition place = LegendPosition::top_right;
  const ChartLayout layout =
      layoutChart(model, model.fullRange().value_or(ChartRange{}), notes, size, ruler, place);
  return svg_document(drawnChart(model, layout, notes, theme, size, ruler));
}

std::string chart_rules_on(Rgb ground) {
  const Theme before = Theme::on(paper), after = Theme::on(ground);
  std::string rules;
  const auto exchange = [&](Rgb from, Rgb to) {
    for (const std::string what : {"fill", "stroke"})
      rules += "  svg [" + what + "=\"" + svg_colour(from) + "\"] { " + what + ": " +
               svg_colour(to) + "; }\n";
  };
  exchange(before.background, after.background);
  exchange(before.text, after.text);
  exchange(before.muted, after.muted);
  exchange(before.grid, after.grid);
  exchange(chartLabelColour(before), chartLabelColour(after));
  return rules;
}

}  // namespace gantry
