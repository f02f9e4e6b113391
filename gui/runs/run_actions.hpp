#pragma once

#include "gui/worker/run_controller.hpp"

#include <QAction>
#include <QObject>

#include <functional>
#include <vector>

class QToolBar;

namespace gantry {

/// Returns whether "Run" applies to a run: it resumes a run that is paused or stopped and
/// unchanged, and starts any other run from zero. It does not apply to a run that is computing, nor
/// to an unchanged run that has finished.
bool can_run(const RunController& controller, int id);
void start_or_resume(RunController& controller, int id);

/// The actions that start, pause, step, stop and extend all runs, and the one that discards the
/// results of the selected run. The tool tip of a disabled action says why it is disabled.
class RunActions : public QObject {
  Q_OBJECT
 public:
  RunActions(ExperimentModel& model, RunController& controller, QObject* parent = nullptr);

  /// Sets the selected run.
  void setSelectedRun(int id);

  QAction* run() { return run_; }  ///< start, or resume
  QAction* pause() { return pause_; }
  QAction* toggle() { return toggle_; }  ///< pause or run: the space bar
  QAction* stepIteration() { return stepIteration_; }
  QAction* stepSubset() { return stepSubset_; }
  QAction* stopAndKeep() { return stop_; }
  QAction* discard() { return discard_; }
  QAction* extend() { return extend_; }

  /// Returns the runs that the action Run would start from zero; empty where any run would be
  /// resumed.
  std::vector<int> startsAnew() const;
  /// Sets the reason, in one line, why the runs of startsAnew() cannot run; empty if no reason is
  /// known.
  void setRefusal(const QString& why);

 signals:
  void enabledAnew();

 private:
  using Test = std::function<bool(const RunStatus&)>;
  QAction* add(const QString& text, const QString& tip, const QKeySequence& key);
  std::vector<int> targetsWhere(const Test& test) const;
  void startOrResume();
  void enable();
  void enable(QAction* action, bool on, const QString& tip, const QString& why);

  ExperimentModel& model_;
  RunController& controller_;
  int selected_ = -1;
  QString refusal_;
  QAction* run_;
  QAction* pause_;
  QAction* toggle_;
  QAction* stepIteration_;
  QAction* stepSubset_;
  QAction* stop_;
  QAction* discard_;
  QAction* extend_;
};

constexpr int extendBy = 10;

}  // namespace gantry
