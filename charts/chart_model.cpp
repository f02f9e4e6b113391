#include "charts/chart_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

constexpr double same_value = 1e-12;  // relative difference of values that count as one
/// Below this relative difference, values of float32 are noise: they look equal, with labels of a
/// few digits.
constexpr double least_height = 1e-5;

struct Span {
  double low = std::numeric_limits<double>::infinity(),
         high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  bool any() const { return low <= high; }
  /// Adds a margin at both ends. The range never has zero width: a lone value lies in the middle,
  /// and so do values that differ by less than a part `least` of their size.
  void widen(double air, double least) {
    const double size = std::max(std::abs(low), std::abs(high)), width = high - low;
    double by = air * width;
    if (width <= same_value * size)
      by = low == 0 ? 1.0 : 0.1 * size;
    else
      by = std::max(by, (least * size - width) / 2);
    low -= by;
    high += by;
  }
};

}  // namespace

ChartSeries& ChartModel::at(const std::string& id) {
  const auto known = std::ranges::find(series_, id, &ChartSeries::id);
  if (known != series_.end()) return *known;
  return series_.emplace_back(ChartSeries{id, {}, {}, {}, {}});
}

const ChartSeries* ChartModel::find(const std::string& id) const {
  const auto known = std::ranges::find(series_, id, &ChartSeries::id);
  return known == series_.end() ? nullptr : &*known;
}

void ChartModel::setSeries(const std::string& id, const SeriesStyle& style) {
  at(id).style = style;
}

void ChartModel::setData(const std::string& id, std::vector<double> xs, std::vector<double> ys) {
  const std::size_t size = std::min(xs.size(), ys.size());
  xs.resize(size);
  ys.resize(size);
  ChartSeries& series = at(id);
  series.xs = std::move(xs);
  series.ys = std::move(ys);
}

void ChartModel::append(const std::string& id, double x, double y) {
  ChartSeries& series = at(id);
  series.xs.push_back(x);
  series.ys.push_back(y);
}

void ChartModel::setMarks(const std::string& id, std::vector<ChartMark> marks) {
  at(id).marks = std::move(marks);
}

const ChartMark* ChartSeries::markAt(std::size_t i) const {
  const double before = i == 0 ? -std::numeric_limits<double>::infinity() : xs[i - 1];
  for (const ChartMark& mark : marks)
    if (mark.x <= xs[i] && mark.x > before) return &mark;
  return nullptr;
}

void ChartModel::remove(const std::string& id) {
  std::erase_if(series_, [&](const ChartSeries& series) { return series.id == id; });
}

void ChartModel::clear() {
  series_.clear();
  histogram_.reset();
}

void ChartModel::setHistogram(std::optional<Histogram> histogram) {
  if (histogram && histogram->edges.size() != histogram->counts.size() + 1) histogram.reset();
  histogram_ = std::move(histogram);
}

double ChartModel::plotted(double value, bool log) {
  if (!log) return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
  return std::isfinite(value) && value > 0 ? std::log10(value)
                                           : std::numeric_limits<double>::quiet_NaN();
}

double ChartModel::value(double plotted, bool log) {
  return log ? std::pow(10.0, plotted) : plotted;
}

bool ChartModel::drawable(const ChartSeries& series, std::size_t i) const {
  return std::isfinite(plottedX(series.xs[i])) && std::isfinite(plotted(series.ys[i]));
}

bool ChartModel::empty() const { return !fullRange().has_value(); }

std::optional<ChartRange> ChartModel::fullRange() const {
  Span x, y;
  for (const ChartSeries& series : series_)
    for (std::size_t i = 0; i < series.xs.size(); ++i)
      if (drawable(series, i)) {
        x.add(plottedX(series.xs[i]));
        y.add(plotted(std::min(series.ys[i], top_)));
      }
  const bool curves = x.any();
  if (histogram_)
    for (std::size_t i = 0; i < histogram_->counts.size(); ++i)
      if (const double top = plotted(histogram_->counts[i]);
          std::isfinite(top) && std::isfinite(plottedX(histogram_->edges[i]))) {
        x.add(plottedX(histogram_->edges[i]));
        x.add(plottedX(histogram_->edges[i + 1]));
        y.add(top);
        y.add(log_y_ ? std::min(top, 0.0) : 0.0);  // bars begin at 0, or at 1 on a log axis
      }
  if (!x.any() || !y.any()) return std::nullopt;
  const bool above_zero = !log_y_ && y.low >= 0;
  x.widen(curves ? 0.02 : 0.0, same_value);
  y.widen(0.06, least_height);
  // A margin below zero would suggest that a metric can be negative.
  if (above_zero) y.low = std::max(y.low, 0.0);
  return ChartRange{x.low, x.high, y.low, y.high};
}

std::optional<double> ChartModel::loneX() const {
  if (histogram_) return std::nullopt;
  std::optional<double> lone;
  for (const ChartSeries& series : series_)
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      if (!drawable(series, i)) continue;
      if (lone && *lone != series.xs[i]) return std::nullopt;
      lone = series.xs[i];
    }
  return lone;
}

bool ChartModel::wholeX() const {
  if (histogram_) return false;
  return std::ranges::all_of(series_, [](const ChartSeries& series) {
    return std::ranges::all_of(series.xs,
                               [](double x) { return !std::isfinite(x) || x == std::floor(x); });
  });
}

}  // namespace gantry
