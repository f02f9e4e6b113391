#pragma once

#include "core/worker/sweep.hpp"
#include "gui/stage/view_state.hpp"
#include "gui/worker/latest_job.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace gantry {

class ChartView;
class SliceView;

/// The workspace Sweep: repeats the selected run with several values of one of its parameters, and
/// shows a picture of each, the error or the residual over the parameter, and the L-curve of a
/// penalty's weight. The best value can be put into the run, which then starts with it.
///
/// The GUI thread owns the board. A thread of its own (LatestJob) computes the runs of the sweep
/// one after the other, and hands each result over to the GUI thread.
class SweepBoard : public QWidget {
  Q_OBJECT
 public:
  SweepBoard(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
             RunController& controller, ViewState& state, QWidget* parent = nullptr);

  void setRun(int id);
  const std::vector<SweepPoint>& points() const { return points_; }
  bool isBusy() const { return job_.isBusy(); }

 private:
  void makeControls();
  void listParams();
  void suggestRange();
  const SweepParam* param() const;
  bool variesWeight() const;
  void start();
  void forget();
  void addPoint(int ticket, SweepPoint point);
  void showPoints();
  void showCharts();
  void useBest();
  void say(const QString& text);

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  ViewState& state_;
  int run_ = -1;
  std::vector<SweepParam> params_;
  // Of the sweep whose points are shown.
  int sweptRun_ = -1, ticket_ = 0;
  std::optional<SweepParam> swept_;
  std::shared_ptr<const ExperimentData> data_;
  std::vector<double> values_;  // of which points_ are the first ones
  std::vector<SweepPoint> points_;
  LatestJob job_;

  QLabel* title_;
  QComboBox* param_;
  QDoubleSpinBox* from_;
  QDoubleSpinBox* to_;
  QSpinBox* count_;
  QCheckBox* logarithmic_;
  QPushButton* start_;
  QPushButton* use_;
  QLabel* state_text_;
  QWidget* stage_;  // the ground of the pictures
  QGridLayout* pictures_;
  std::vector<SliceView*> views_;
  ChartView* chart_;
  ChartView* lCurve_;
};

}  // namespace gantry
