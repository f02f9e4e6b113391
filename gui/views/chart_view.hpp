#pragma once

#include "gui/render/chart_scene.hpp"
#include "gui/views/vtk_view.hpp"

#include <QPointF>

#include <functional>
#include <optional>

namespace gantry {

/// A chart with mouse control: hovering shows values, the wheel zooms (over an axis only that
/// axis), a drag pans, and a double click shows all data again. Where the chart chooses positions,
/// a click or drag in the plot does that instead, and the middle button pans. Over a histogram the
/// limits of the window can be dragged.
class ChartView : public VtkView {
  Q_OBJECT

 public:
  /// Where a chart stands: beside the pictures of the stage, whose light or dark ground it shares,
  /// or in a window of its own, in the palette of that.
  enum class Place { stage, window };
  explicit ChartView(QWidget* parent = nullptr, Place place = Place::stage);
  ~ChartView() override;

  const ChartScene& chart() const { return scene_; }
  /// Changes the chart and draws it once: edit([&](ChartScene& c) { c.append("run", 3, 0.1); });
  void edit(const std::function<void(ChartScene&)>& change);
  /// Shows all data again, as a double click does.
  void resetRange();
  void setChoosesPositions(bool on) { chooses_positions_ = on; }

  QSize sizeHint() const override { return {360, 240}; }

 signals:
  void pointHovered(const gantry::ChartHit& point);
  void hoverLeft();
  void pointClicked(const gantry::ChartHit& point);
  /// Emitted with the x value of a click or drag in the plot, if the chart chooses positions.
  void positionChosen(double x);
  void rangeReset();  ///< by a double click
  void menuAsked(const QPoint& global);
  /// Emitted while a window limit over a histogram is dragged.
  void windowLimitsChanged(double low, double high);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void hoverAt(QPointF at);
  void clearHover();
  void dragLimit(QPointF at);
  void choosePosition(QPointF at);

  ChartScene& scene_;
  std::optional<ChartHit> hover_;
  bool pressed_ = false, dragged_ = false, chooses_positions_ = false, chooses_now_ = false;
  LimitPart limit_ = LimitPart::none;
  QPointF pressed_at_, last_at_;
  std::pair<double, double> limits_before_;
};

}  // namespace gantry
