#pragma once

#include "gui/stage/slice_board.hpp"

#include <QWidget>

namespace gantry {

class ChartView;

/// A chart of the values of the reference, of every run and of the preview along the profile line.
class ProfilePanel : public QWidget {
  Q_OBJECT
 public:
  ProfilePanel(SliceBoard& board, ViewState& state, QWidget* parent = nullptr);
  ChartView& chart() { return *chart_; }
  QString caption() const;
  /// Returns the curves as CSV, a column for each image.
  QString csv() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct Curve {
    int id;
    std::string label;
    Rgb colour;
    LineProfile profile;
  };
  std::vector<Curve> curves() const;
  std::string hint() const;
  void redraw();

  SliceBoard& board_;
  ViewState& state_;
  ChartView* chart_;
};

/// A histogram of the values of the active view, with the limits of the window, which can be
/// dragged.
class HistogramPanel : public QWidget {
  Q_OBJECT
 public:
  HistogramPanel(SliceBoard& board, ViewState& state, QWidget* parent = nullptr);
  ChartView& chart() { return *chart_; }
  QString caption() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void redraw();

  SliceBoard& board_;
  ViewState& state_;
  ChartView* chart_;
  std::shared_ptr<const SliceImage> shown_;
};

}  // namespace gantry
