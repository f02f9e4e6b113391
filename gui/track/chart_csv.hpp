#pragma once

#include <QString>

namespace gantry {

class ChartScene;

/// Returns what a chart shows as comma-separated values, after a line that begins with "#" and
/// holds the caption: of curves, a line for each point with the name of its curve; of a histogram,
/// the limits and the count of each class.
QString chart_csv(const ChartScene& chart, const QString& caption);

}  // namespace gantry
