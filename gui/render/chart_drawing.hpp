#pragma once

#include "gui/render/chart_layout.hpp"
#include "gui/render/theme.hpp"

#include <optional>
#include <string>
#include <utility>

namespace gantry {

/// A vertical line at an x, with a word at its top.
struct ChartMarker {
  double x = 0;
  std::string label;
};

/// What a chart shows besides its data.
struct ChartAnnotations {
  AxisTitle x, y;
  std::string hint;  ///< shown instead of an empty frame
  std::optional<ChartMarker> marker;
  std::optional<std::pair<double, double>> limits;  ///< window limits over a histogram
  std::optional<ChartHit> hover;
};

/// Under the curves: grid and histogram.
void drawChartGround(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                     const ChartAnnotations& notes, const Theme& theme);
/// The curves themselves, without regard to the frame: the chart clips them.
void drawCurves(Painter& painter, const ChartModel& model, const ChartTransform& transform);
/// Over the curves: axes, titles, legend, marks and the value under the mouse.
void drawChartFront(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                    const ChartAnnotations& notes, const Theme& theme);

}  // namespace gantry
