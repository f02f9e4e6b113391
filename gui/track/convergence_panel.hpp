#pragma once

#include "gui/render/chart_model.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;

namespace gantry {

class ChartView;

/// How every run converges: one quantity over iterations, projector applications or seconds, all
/// runs in one chart.
class ConvergencePanel : public QWidget {
  Q_OBJECT
 public:
  ConvergencePanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
                   QWidget* parent = nullptr);

  ChartView& chart() { return *chart_; }
  /// What the chart shows, for a figure: quantity, mask, range.
  QString caption() const;

 private:
  struct Quantity {
    QString label, unit, help;
    std::function<double(const HistoryEntry&)> value;
    std::optional<MetricNeeds> needs;  ///< none: of every run
  };
  void listQuantities();
  void rebuild();
  void followReference();
  void append(int id);
  void showAxes();
  void showFewer();
  bool shows(const HistoryEntry& entry) const;
  bool leavesOut(int id) const;
  QStringList fewer() const;
  std::vector<ChartMark> marksOf(int id) const;
  QString hint() const;
  double xOf(const HistoryEntry& entry) const;
  const Quantity& quantity() const;

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  std::vector<Quantity> quantities_;
  QComboBox* quantity_;
  int withTruth_ = -1;  // the quantity that gave way to the residual; -1: none
  QComboBox* xAxis_;
  QCheckBox* log_;
  QComboBox* mask_;
  QCheckBox* exact_;
  QLabel* fewer_;
  qsizetype fewerRuns_ = 0;  // that show fewer points than iterations
  ChartView* chart_;
};

}  // namespace gantry
