#pragma once

#include "charts/painting/colour.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

enum class LineStyle { solid, dashed, dotted, dash_dotted };

struct SeriesStyle {
  std::string label;
  Rgb colour;
  LineStyle line = LineStyle::solid;
  double width_px = 1.75;
  bool points = false;  ///< also draws a dot at every value, with a short line at a lone one
};

/// An event on a curve; drawn at the first value of the curve at or after x.
struct ChartMark {
  double x = 0;
  std::string text;
  bool is_labelled = false;  ///< writes the text beside the mark, not only under the pointer
};

/// A curve. A value that cannot be drawn (not finite, or not positive on a log axis) leaves a gap.
struct ChartSeries {
  std::string id;
  SeriesStyle style;
  std::vector<double> xs, ys;
  std::vector<ChartMark> marks;  ///< by rising x

  /// Returns the mark that is drawn at value i (xs[i - 1] < mark x <= xs[i]); null without one.
  const ChartMark* markAt(std::size_t i) const;
};

/// A histogram: counts[i] values lie between edges[i] and edges[i + 1].
struct Histogram {
  std::vector<double> edges, counts;
  Rgb colour;
};

/// Range of a chart in plotted units: log10 of the value on a log axis.
struct ChartRange {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  friend bool operator==(const ChartRange&, const ChartRange&) = default;
};

/// The data of a chart, independent of how they are drawn.
class ChartModel {
 public:
  /// Adds a curve, or changes the style of an existing curve.
  void setSeries(const std::string& id, const SeriesStyle& style);
  /// Replaces a curve's values; xs and ys are cut to the shorter of the two.
  void setData(const std::string& id, std::vector<double> xs, std::vector<double> ys);
  void append(const std::string& id, double x, double y);
  void setMarks(const std::string& id, std::vector<ChartMark> marks);
  void remove(const std::string& id);
  void clear();

  void setHistogram(std::optional<Histogram> histogram);
  const std::optional<Histogram>& histogram() const { return histogram_; }
  void setLogY(bool log) { log_y_ = log; }
  bool logY() const { return log_y_; }
  void setLogX(bool log) { log_x_ = log; }
  bool logX() const { return log_x_; }
  /// Sets where the y axis of fullRange() ends although curves go further, as those of methods that
  /// diverge do; infinity, as at first, shows all.
  void setTop(double top) { top_ = top; }

  const std::vector<ChartSeries>& series() const { return series_; }
  const ChartSeries* find(const std::string& id) const;

  /// Returns the plotted coordinate of a value: the value, or its log10 on a log axis; not a number
  /// where the value cannot be drawn. plotted is for the y axis, plottedX for the x axis.
  double plotted(double y) const { return plotted(y, log_y_); }
  double plottedX(double x) const { return plotted(x, log_x_); }
  /// Returns the value of a plotted coordinate: value for the y axis, valueX for the x axis.
  double value(double plotted_y) const { return value(plotted_y, log_y_); }
  double valueX(double plotted_x) const { return value(plotted_x, log_x_); }
  /// Returns whether value i of a curve can be drawn: x and y are finite, and positive on log axes.
  bool drawable(const ChartSeries& series, std::size_t i) const;
  /// Returns whether neither a curve nor the histogram has anything that can be drawn.
  bool empty() const;
  /// Returns a range that shows everything that can be drawn, with a small margin; none when
  /// nothing can be drawn.
  std::optional<ChartRange> fullRange() const;
  /// Returns the x that all values have, as of a study of one size; none where there are several.
  std::optional<double> loneX() const;
  /// Returns whether all x are whole numbers, as iterations are; false with a histogram.
  bool wholeX() const;

 private:
  static double plotted(double value, bool log);
  static double value(double plotted, bool log);
  ChartSeries& at(const std::string& id);

  std::vector<ChartSeries> series_;
  std::optional<Histogram> histogram_;
  bool log_x_ = false, log_y_ = false;
  double top_ = std::numeric_limits<double>::infinity();
};

}  // namespace gantry
