#pragma once

#include "charts/chart_model.hpp"
#include "core/worker/sweep/criterion.hpp"
#include "gui/models/playhead.hpp"
#include "gui/models/selection.hpp"
#include "gui/track/level_race.hpp"
#include "gui/worker/run_controller.hpp"

#include <QComboBox>
#include <QWidget>

#include <string>
#include <vector>

class QAction;
class QCheckBox;
class QLabel;
class QToolButton;

namespace gantry {

class ChartView;

/// A chart of the convergence of all runs: one quantity over iterations, projector applications or
/// seconds.
class ConvergencePanel : public QWidget {
  Q_OBJECT
 public:
  ConvergencePanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                   Playhead& playhead, const Selection& selection, QWidget* parent = nullptr);

  ChartView& chart() { return *chart_; }
  /// Shows a button for the film of the kept iterates, beside the playhead.
  void offerFilm(QAction* film);
  /// Returns what the chart shows, as a caption: quantity, mask, range.
  QString caption() const;

 private:
  void rebuild();
  void followReference();
  void append(int id);
  LevelCurve curveOf(int id) const;
  void showLevel();
  void showNoise();
  int residualIndex() const;
  QString describeRace(const LevelRace& race, const std::vector<LevelCurve>& curves) const;
  void showAxes();
  void showUnmeasured();
  void showPlayhead();
  ProgressAxis axis() const { return static_cast<ProgressAxis>(xAxis_->currentIndex()); }
  bool isMeasured(const HistoryEntry& entry) const;
  bool shows(int id, const HistoryEntry& entry) const;
  bool leavesOut(int id) const;
  QStringList fewer() const;
  std::vector<ChartMark> marksOf(int id) const;
  QString hint() const;
  double xOf(const HistoryEntry& entry) const;
  const Criterion& quantity() const;
  QString named(const Criterion& q) const;

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  Playhead& playhead_;
  std::vector<Criterion> quantities_;
  QComboBox* quantity_;
  // Index of the quantity that the residual replaces while there is no truth; -1: none.
  int quantityWithTruth_ = -1;
  QComboBox* xAxis_;
  QCheckBox* log_;
  QCheckBox* level_;
  QComboBox* mask_;
  QCheckBox* exact_;
  QToolButton* film_;
  QLabel* fewer_;
  QLabel* race_;
  qsizetype unmeasuredRuns_ = 0;  // number of runs that show fewer points than iterations
  ChartView* chart_;
};

}  // namespace gantry
