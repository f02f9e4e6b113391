#pragma once

#include "charts/chart_model.hpp"
#include "charts/painting/painter.hpp"
#include "core/base/nice_numbers.hpp"

#include <optional>
#include <string>
#include <utility>
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

/// A vertical line at a value of x, with a label at the top.
struct ChartMarker {
  double x = 0;
  std::string label;
};

/// Titles and marks of a chart: everything that a chart shows besides its data.
struct ChartAnnotations {
  AxisTitle x, y;
  std::string hint;           ///< text of an empty chart
  std::string title;          ///< over the plot; may be empty
  bool legend_below = false;  ///< below the axes, with whole names, where the chart has the height
  std::optional<ChartMarker> marker;
  std::optional<std::pair<double, double>> limits;  ///< window over a histogram
  std::optional<ChartHit> hover;
};

/// Size of the title of a chart.
inline constexpr double chart_title_size = 14;

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
  RectPx body;  ///< plot, axes and their titles: all but the chart's title and a legend below
  bool titles = true;  ///< beside the axes; false: there is no room, and they stand in corners
  /// The title of an axis in a corner of the plot: that of y at the top left, that of x at the
  /// bottom right.
  struct CornerTitle {
    std::string text;
    RectPx at;
  };
  std::vector<CornerTitle> corner_titles;
  std::vector<std::string> title_lines;  ///< of the chart, from its top
  RectPx legend;                         ///< empty without a legend
  double legend_sample = 18;             ///< length of the line before a name
  bool legend_in_frame = true;
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

/// Computes the layout of a chart of `size` logical pixels, whose texts `ruler` measures. `place`
/// is the present position of the legend; layoutChart changes `place` only when a curve or a title
/// runs under the legend: to a free position, or beside the plot where there is none. The legend
/// holds every curve, in columns where the chart is low.
ChartLayout layoutChart(const ChartModel& model, const ChartRange& range,
                        const ChartAnnotations& notes, SizePx size, const TextRuler& ruler,
                        LegendPosition& place);

/// Returns the height of a legend below a chart of this width.
double heightOfLegendBelow(const ChartModel& model, double width_px, const TextRuler& ruler);

/// Returns a value of x as marks and lone ticks show it: whole numbers with all their digits.
std::string textOfX(double x);

/// Returns the drawable point of any curve nearest to the pixel `at`; none beyond `reach_px`.
std::optional<ChartHit> nearestPoint(const ChartModel& model, const ChartTransform& transform,
                                     PointPx at, double reach_px);

}  // namespace gantry
