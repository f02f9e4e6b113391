#pragma once

#include "charts/chart_layout.hpp"
#include "charts/painting/drawing.hpp"
#include "charts/theme.hpp"

namespace gantry {

/// Returns the colour of the labels of the ticks.
Rgb chartLabelColour(const Theme& theme);

/// Draws what lies under the curves: the grid and the histogram.
void drawChartBackground(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                         const ChartAnnotations& notes, const Theme& theme);
/// Draws the curves without clipping; the chart that holds them clips them to its frame.
void drawCurves(Painter& painter, const ChartModel& model, const ChartTransform& transform);
/// Draws what lies over the curves: axes, titles, legend, marks and the value under the mouse.
void drawChartFront(Painter& painter, const ChartModel& model, const ChartLayout& layout,
                    const ChartAnnotations& notes, const Theme& theme);

/// Returns a whole chart as shapes and texts, with the curves cut at the frame of the plot.
Drawing drawnChart(const ChartModel& model, const ChartLayout& layout,
                   const ChartAnnotations& notes, const Theme& theme, SizePx size,
                   const TextRuler& ruler);

}  // namespace gantry
