#pragma once

#include "core/data/slice.hpp"
#include "gui/stage/view_state.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QGridLayout;

namespace gantry {

struct Cell;
class ChartView;
class DrawnMarks;
class IndexSlider;
class Measurements;
class Preview;
class Selection;
class SliceView;

/// The measured or simulated rays and what a quick reconstruction makes of them: a projection (of a
/// scan with a single detector row, a curve), the sinogram of a detector row, and a slice of the
/// preview. Lines mark the chosen view and row; the mouse over one picture is marked in the others;
/// projection and sinogram have one window, the slice has that of all views of the window. In the
/// slice can be measured.
class ProjectionBoard : public QWidget {
  Q_OBJECT
 public:
  ProjectionBoard(RunController& controller, ViewState& state, Selection& selection,
                  Preview& preview, Measurements& measurements, QWidget* parent = nullptr);

  int view() const;
  int row() const;
  /// Choose what is shown; beyond the ends, the first or the last one.
  void setView(int view);
  void setRow(int row);
  SliceView& projection() const { return *projection_; }
  ChartView& curve() const { return *curve_; }
  SliceView& sinogram() const { return *sinogram_; }
  SliceView& slice() const { return *slice_; }

 signals:
  void readoutChanged(const QString& text);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void arrange();
  void connectViews();
  void connectRays(SliceView& view);
  void connectSlice();
  void showPlaneToDrawIn();
  void adoptData();
  void showView();
  void showRow();
  void showSlice();
  void showCurve();
  void fill(QWidget* alone);
  void followSlice();
  void stepSlice(int steps);
  void pointAt(const std::optional<Cell>& cell, int view);
  void pointAtProjection(const PointMm& at);
  void pointAtSinogram(const PointMm& at);
  void pointAtSlice(const PointMm& at);
  void readAgain();
  void leave();
  int sliceIndex() const;
  bool isVolume() const;
  QString angleOf(int view) const;
  QString valueAt(int view, int row, int column) const;

  RunController& controller_;
  ViewState& state_;
  Selection& selection_;
  Preview& preview_;
  std::shared_ptr<const ExperimentData> data_;
  QGridLayout* grid_;
  SliceView* projection_;
  ChartView* curve_;
  SliceView* sinogram_;
  SliceView* slice_;
  DrawnMarks* marks_;
  IndexSlider* viewChoice_;
  IndexSlider* rowChoice_;
  IndexSlider* sliceChoice_;
  std::function<void()> pointed_;  ///< points at what is under the mouse; null: nothing is
  QWidget* alone_ = nullptr;       ///< fills the board; null: all are shown
};

}  // namespace gantry
