#pragma once

#include "gui/render/colour.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

enum class LineStyle { solid, dashed, dotted };

struct SeriesStyle {
  std::string label;
  Rgb colour;
  LineStyle line = LineStyle::solid;
  double width_px = 1.75;
  bool points = false;  ///< a dot at every value as well
};

/// Something that happened on a curve: from its first value at or after x on.
struct ChartMark {
  double x = 0;
  std::string text;
};

/// A curve. Places that cannot be drawn (not finite; on a log axis not positive) leave a gap.
struct ChartSeries {
  std::string id;
  SeriesStyle style;
  std::vector<double> xs, ys;
  std::vector<ChartMark> marks;  ///< by rising x

  /// The mark that a value carries; null where it has none.
  const ChartMark* markAt(std::size_t i) const;
};

/// counts[i] lies between edges[i] and edges[i + 1].
struct Histogram {
  std::vector<double> edges, counts;
  Rgb colour;
};

/// Range of a chart in plotted units: log10 of the value on a log axis.
struct ChartRange {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  friend bool operator==(const ChartRange&, const ChartRange&) = default;
};

/// What a chart shows, without a way to draw it.
class ChartModel {
 public:
  /// Adds a curve, or changes the style of one.
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

  const std::vector<ChartSeries>& series() const { return series_; }
  const ChartSeries* find(const std::string& id) const;

  /// The height at which a value is drawn, or not a number; and along x.
  double plotted(double y) const { return plotted(y, log_y_); }
  double plottedX(double x) const { return plotted(x, log_x_); }
  /// The value that is drawn at a height; and along x.
  double value(double plotted_y) const { return value(plotted_y, log_y_); }
  double valueX(double plotted_x) const { return value(plotted_x, log_x_); }
  bool drawable(const ChartSeries& series, std::size_t i) const;
  /// Whether anything at all can be drawn.
  bool empty() const;
  /// A range that shows everything that can be drawn, with a little air; none when nothing can.
  std::optional<ChartRange> fullRange() const;
  /// All x are whole numbers, as iterations are.
  bool wholeX() const;

 private:
  static double plotted(double value, bool log);
  static double value(double plotted, bool log);
  ChartSeries& at(const std::string& id);

  std::vector<ChartSeries> series_;
  std::optional<Histogram> histogram_;
  bool log_x_ = false, log_y_ = false;
};

}  // namespace gantry
