#pragma once

#include "core/base/nice_numbers.hpp"
#include "gui/render/chart_model.hpp"
#include "gui/render/painting/painter.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gantry {

struct AxisTitle {
  std::string name, unit;
  /// Returns name and unit as one text, e.g. "RMSE (HU)".
  std::string text() const {
    return unit.empty() || name.empty() ? name + unit : name + " (" + unit + ")";
  }
};

/// A point of a curve under the mouse: the point of index `index` of the series `id`. x and y are
/// values, not plotted units (ChartRange).
struct ChartHit {
  std::string id;
  std::size_t index = 0;
  double x = 0, y = 0;
  friend bool operator==(const ChartHit&, const ChartHit&) = default;
};

/// Converts plotted units (ChartRange) to logical pixels and back.
struct ChartTransform {
  ChartRange range;
  RectPx plot;

  PointPx toDisplay(double plotted_x, double plotted_y) const {
    return {plot.x + (plotted_x - range.x0) / (range.x1 - range.x0) * plot.width,
            plot.bottom() - (plotted_y - range.y0) / (range.y1 - range.y0) * plot.height};
  }
  double xAt(double x_px) const {
    return range.x0 + (x_px - plot.x) / plot.width * (range.x1 - range.x0);
  }
  double yAt(double y_px) const {
    return range.y0 + (plot.bottom() - y_px) / plot.height * (range.y1 - range.y0);
  }
};

/// Positions of the parts of a chart, and the texts of its axes and legend. Sizes in logical
/// pixels.
struct ChartLayout {
  ChartTransform transform;
  std::vector<Tick> x_ticks, y_ticks;  ///< in plotted units
  bool titles = true;  ///< beside the axes; false: there is no room, and they stand in corners
  /// The title of an axis in a corner of the plot: that of y at the top left, that of x at the
  /// bottom right.
  struct CornerTitle {
    std::string text;
    RectPx at;
  };
  std::vector<CornerTitle> corner_titles;
  RectPx legend;  ///< empty without a legend
  struct LegendRow {
    std::size_t series = 0;
    std::string text;
    PointPx at = {};  ///< left end of its line, and middle of its height
  };
  std::vector<LegendRow> legend_rows;
};

/// Positions that the legend may have, in order of preference.
enum class LegendPosition {
  top_right,
  bottom_right,
  top_left,
  bottom_left,
  top_centre,
  bottom_centre,
  beside  ///< at the right of the plot, which gives the room
};

/// Computes the layout of a chart of width_px x height_px logical pixels; `scale` is device pixels
/// per logical pixel. `place` is the present position of the legend; layoutChart changes `place`
/// only when a curve or a title runs under the legend: to a free position, or beside the plot where
/// there is none. The legend holds every curve, in columns where the chart is low.
ChartLayout layoutChart(const ChartModel& model, const ChartRange& range, const AxisTitle& x,
                        const AxisTitle& y, double width_px, double height_px, double scale,
                        LegendPosition& place);

/// Returns the drawable point of any curve nearest to the pixel `at`; none beyond `reach_px`.
std::optional<ChartHit> nearestPoint(const ChartModel& model, const ChartTransform& transform,
                                     PointPx at, double reach_px);

}  // namespace gantry
