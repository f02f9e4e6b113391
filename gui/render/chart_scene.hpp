#pragma once

#include "charts/chart_drawing.hpp"
#include "gui/render/scene.hpp"

#include <vtkSmartPointer.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

class vtkChartXY;
class vtkContextActor;

namespace gantry {

class CurvePlot;
class OverlayProp;

/// A part of the window that is marked over a histogram: its low or high line, or the span between
/// both lines (body).
enum class LimitPart { none, low, high, body };

/// A chart: curves over a common axis, or a histogram. A VTK chart holds and clips the curves.
/// Axes, legend and marks are drawn by chart_drawing.hpp instead of VTK, so that texts never
/// overlap at any size.
class ChartScene : public Scene {
 public:
  ChartScene();
  ~ChartScene() override;

  /// Adds a curve, or changes the style of an existing curve. Curves keep the order in which they
  /// were added.
  void setSeries(const std::string& id, const SeriesStyle& style);
  void setData(const std::string& id, std::vector<double> xs, std::vector<double> ys);
  void append(const std::string& id, double x, double y);
  void setMarks(const std::string& id, std::vector<ChartMark> marks);
  void remove(const std::string& id);
  void clear();
  /// Replaces the data and all titles and marks; the range follows the data again.
  void show(ChartModel model, ChartAnnotations notes);
  void setHistogram(std::optional<Histogram> histogram);
  const ChartModel& model() const { return model_; }

  void setAxisTitles(const AxisTitle& x, const AxisTitle& y);
  const AxisTitle& titleX() const { return notes_.x; }
  const AxisTitle& titleY() const { return notes_.y; }
  /// Sets the scale of the y axis; on a log axis values that are not positive leave a gap. A change
  /// of scale resets the range (resetRange).
  void setLogY(bool log);
  void setLogX(bool log);
  /// Sets the text that an empty chart shows instead of a frame.
  void setHint(const std::string& hint);
  const std::string& hint() const { return notes_.hint; }
  void setMarker(std::optional<ChartMarker> marker);
  const std::optional<ChartMarker>& marker() const { return notes_.marker; }
  /// Returns whether the mouse at this pixel takes hold of the marker.
  bool isOnMarker(double x_px, double y_px) const;
  /// Sets the window that is marked over a histogram, from first to second.
  void setWindowLimits(std::optional<std::pair<double, double>> limits);
  std::optional<std::pair<double, double>> windowLimits() const { return notes_.limits; }
  /// Returns the part of the window limits under a pixel.
  LimitPart limitAt(double x_px, double y_px) const;

  /// Sets the visible range. The range follows the data until it is set, zoomed or panned.
  void setRange(const ChartRange& range);
  void zoomAt(double x_px, double y_px, double factor_x, double factor_y);
  void panBy(double dx_px, double dy_px);
  /// Lets the range follow the data again.
  void resetRange();
  bool followsData() const { return !range_.has_value(); }
  ChartRange range() const;

  /// Returns the point of a curve nearest to a pixel, within reach of the mouse.
  std::optional<ChartHit> hitAt(double x_px, double y_px) const;
  void setHover(std::optional<ChartHit> hit);

  PointPx toDisplay(double x, double y) const;
  double xAt(double x_px) const;
  double yAt(double y_px) const;
  RectPx plotRect() const;
  const ChartLayout& layout() const;

  void prepare() override;
  Drawing shapes() const override;
  bool hasPictures() const override { return false; }

 protected:
  void onResize() override { stale_layout_ = true; }

 private:
  void placeChart();
  void forgetRange();

  ChartModel model_;
  ChartAnnotations notes_;
  std::optional<ChartRange> range_;
  mutable ChartLayout layout_;
  mutable LegendPosition legend_position_ = LegendPosition::top_right;
  mutable bool stale_layout_ = true;
  vtkSmartPointer<OverlayProp> ground_, front_;
  vtkSmartPointer<vtkContextActor> actor_;
  vtkSmartPointer<vtkChartXY> chart_;
  vtkSmartPointer<CurvePlot> curves_;
};

}  // namespace gantry
