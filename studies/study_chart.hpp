#pragma once

#include "charts/chart_layout.hpp"
#include "charts/theme.hpp"
#include "studies/study.hpp"

#include <string>

namespace gantry {

/// Returns the curves of a chart as the window and the report show them on the ground of `theme`:
/// no two look the same, and curves of few values have a dot at each.
ChartModel chart_model(const StudyChart& chart, const Theme& theme);

/// Returns the titles of a chart, with the legend below its axes.
ChartAnnotations chart_annotations(const StudyChart& chart);

/// Returns a chart as SVG on white paper, without external references.
std::string svg_chart(const StudyChart& chart);

/// Returns rules of CSS that give the charts of svg_chart() inside a page the colours that texts
/// and lines have on another ground.
std::string chart_rules_on(Rgb ground);

}  // namespace gantry
