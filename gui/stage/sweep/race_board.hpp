#pragma once

#include "core/worker/sweep/race.hpp"
#include "gui/stage/sweep/kept_for_undo.hpp"
#include "gui/worker/latest_job.hpp"
#include "gui/worker/run_controller.hpp"

#include <QJsonObject>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QDoubleSpinBox;
class QPushButton;
class QSpinBox;
class QTreeWidget;
class QTreeWidgetItem;

namespace gantry {

class ChartView;

/// The page of the workspace Sweep that lets several methods race to a level of a metric: runs of
/// the experiment and methods of the catalogue with their usual settings. A table says who was
/// there first: after which seconds, iterations and products, and with how much memory.
///
/// The GUI thread owns the page. A thread of its own (LatestJob) computes the runs one after the
/// other, so that their seconds compare, and hands each result over to the GUI thread. Runs that
/// compute are paused meanwhile.
class RaceBoard : public QWidget {
  Q_OBJECT
 public:
  RaceBoard(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
            RunController& controller, QWidget* parent = nullptr);

  bool isBusy() const { return job_.isBusy(); }
  const std::vector<TrialResult>& results() const { return shown_.results; }
  /// Return the number of methods that have raced, and a number that differs for each race.
  std::size_t done() const;
  int ticket() const { return shown_.ticket; }
  /// Returns whether the race that is shown comes back by undo after other data have replaced it.
  bool isKeptForUndo() const {
    return shown_.data == nullptr || earlier_.fits(bytes_of(*shown_.data));
  }
  /// Returns the arrivals of the results, the first one first.
  std::vector<Arrival> order() const;
  /// Writes the table: as LaTeX under a name that ends in .tex, else as comma-separated values.
  /// Errors are reported in the line below the table.
  void exportTable(const QString& path);

  /// Returns the settings of the page and the curves of the methods that have raced, for a session.
  QJsonObject toJson() const;
  /// Restores what toJson() returned. Where the results cannot be read, the line below the table
  /// says why, and the settings alone are restored.
  void restore(const QJsonObject& json);

 signals:
  void finished();  ///< all methods have raced

 private:
  /// A race that is shown.
  struct Shown {
    Race race;
    std::shared_ptr<const ExperimentData> data;
    std::vector<std::string> labels;
    std::vector<std::size_t> colours;  ///< indices of the palette
    std::vector<TrialResult> results;
    int ticket = 0;
    bool is_disturbed = false;  ///< a run computed during the race
    bool is_replaced = false;   ///< its experiment is no longer open
  };
  void makeControls();
  QWidget* makeExports();
  void arrange();
  void listEntrants();
  QString unitAfter(const Criterion& metric) const;
  void showUnit();
  void showButton();
  void start();
  void beginAlone();
  void begin();
  void resumeRuns();
  std::size_t freeColour() const;
  void forget();
  void followData();
  void keepForUndo();
  void restoreResults(const QJsonObject& json);
  void showProgress(int ticket, std::size_t run, int iteration);
  void addResult(int ticket, std::size_t run, TrialResult result);
  void showResults();
  void showRow(QTreeWidgetItem& item, const Arrival& arrival, int place) const;
  void showChart(std::optional<double> level);
  QString verdict() const;
  QString maskText() const;
  QString levelText(double level) const;
  const Criterion& criterion() const;
  void say(const QString& text);

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  const std::vector<Criterion> criteria_;
  std::vector<RunSpec> entrants_;
  Shown shown_;
  int lastTicket_ = 0;
  KeptForUndo<Shown> earlier_;  // races on data that are not the present ones
  bool waits_ = false;          // for runs that are being paused
  std::vector<int> paused_;     // runs, for the race; not those that the user then resumed or ended
  LatestJob job_;

  QTreeWidget* methods_;
  QComboBox* criterion_;
  QDoubleSpinBox* level_;
  QSpinBox* iterations_;
  QPushButton* start_;
  QTreeWidget* table_;
  QLabel* state_;
  ChartView* chart_;
};

}  // namespace gantry
