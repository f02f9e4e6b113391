#pragma once

#include "gui/render/chart_drawing.hpp"
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

/// One of the two lines that mark the window over a histogram; body is the span between them.
enum class LimitPart { none, low, high, body };

/// Curves over a common axis, or a histogram. A VTK chart holds and clips the curves; axes, legend
/// and marks are our own, so that texts never collide at any size.
class ChartScene : public Scene {
 public:
  ChartScene();
  ~ChartScene() override;

  /// Adds a curve, or changes the style of one. Curves keep the order in which they came.
  void setSeries(const std::string& id, const SeriesStyle& style);
  void setData(const std::string& id, std::vector<double> xs, std::vector<double> ys);
  void append(const std::string& id, double x, double y);
  void setMarks(const std::string& id, std::vector<ChartMark> marks);
  void remove(const std::string& id);
  void clear();
  void setHistogram(std::optional<Histogram> histogram);
  const ChartModel& model() const { return model_; }

  void setAxisTitles(const AxisTitle& x, const AxisTitle& y);
  /// Values that are not positive leave a gap then.
  void setLogY(bool log);
  void setLogX(bool log);
  /// What an empty chart says instead of drawing an empty frame.
  void setHint(const std::string& hint);
  void setMarker(std::optional<ChartMarker> marker);
  /// The window over a histogram: from first to second.
  void setWindowLimits(std::optional<std::pair<double, double>> limits);
  std::optional<std::pair<double, double>> windowLimits() const { return notes_.limits; }
  LimitPart limitAt(double x_px, double y_px) const;

  /// The range follows the data until it is set, zoomed or panned.
  void setRange(const ChartRange& range);
  void zoomAt(double x_px, double y_px, double factor_x, double factor_y);
  void panBy(double dx_px, double dy_px);
  void resetRange();
  bool followsData() const { return !range_.has_value(); }
  ChartRange range() const;

  /// The point of a curve nearest to a pixel, within reach of the mouse.
  std::optional<ChartHit> hitAt(double x_px, double y_px) const;
  void setHover(std::optional<ChartHit> hit);

  PointPx toDisplay(double x, double y) const;
  double xAt(double x_px) const;
  double yAt(double y_px) const;
  RectPx plotRect() const;
  const ChartLayout& layout() const;

  void prepare() override;

 protected:
  void onResize() override { stale_layout_ = true; }

 private:
  void placeChart();
  void forgetRange();

  ChartModel model_;
  ChartAnnotations notes_;
  std::optional<ChartRange> range_;
  mutable ChartLayout layout_;
  mutable LegendPlace legend_place_ = LegendPlace::top_right;
  mutable bool stale_layout_ = true;
  vtkSmartPointer<OverlayProp> ground_, front_;
  vtkSmartPointer<vtkContextActor> actor_;
  vtkSmartPointer<vtkChartXY> chart_;
  vtkSmartPointer<CurvePlot> curves_;
};

}  // namespace gantry
