#pragma once

#include "gui/render/chart_layout.hpp"
#include "gui/render/theme.hpp"

#include <optional>
#include <string>
#include <utility>

namespace gantry {

/// A vertical line at a value of x, with a label at the top.
struct ChartMarker {
  double x = 0;
  std::string label;
};

/// Axis titles and marks of a chart: everything that a chart shows besides its data.
struct ChartAnnotations {
  AxisTitle x, y;
  std::string hint;  ///< text of an empty chart
  std::optional<ChartMarker> marker;
  std::optional<std::pair<double, double>> limits;  ///< window over a histogram
  std::optional<ChartHit> hover;
};

/// Draws what lies under the curves: the grid and the histogram.
void drawChartBackground(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                         const ChartAnnotations& notes, const Theme& theme);
/// Draws the curves without clipping; the chart that holds them clips them to its frame.
void drawCurves(Painter& painter, const ChartModel& model, const ChartTransform& transform);
/// Draws what lies over the curves: axes, titles, legend, marks and the value under the mouse.
void drawChartFront(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                    const ChartAnnotations& notes, const Theme& theme);

}  // namespace gantry
