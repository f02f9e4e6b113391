#pragma once

#include "gui/worker/run_controller.hpp"

#include <QAction>
#include <QObject>

#include <functional>
#include <vector>

class QToolBar;

namespace gantry {

/// Start, pause, step, stop and keep, continue: as actions on the selected run or on all, each of
/// which says why when it cannot be used. Discard means the selected run alone.
class RunActions : public QObject {
  Q_OBJECT
 public:
  RunActions(ExperimentModel& model, RunController& controller, QObject* parent = nullptr);

  /// The run that "selected" means.
  void setSelectedRun(int id);
  void setAllRuns(bool all);
  bool allRuns() const { return all_; }

  QAction* run() { return run_; }  ///< start, or resume
  QAction* pause() { return pause_; }
  QAction* toggle() { return toggle_; }  ///< pause or run: the space bar
  QAction* stepIteration() { return stepIteration_; }
  QAction* stepSubset() { return stepSubset_; }
  QAction* stopAndKeep() { return stop_; }
  QAction* discard() { return discard_; }
  QAction* extend() { return extend_; }

  /// Those that Run would start anew; none where it would go on with any.
  std::vector<int> startsAnew() const;
  /// Why what would start anew cannot run, one line; empty: nothing is known against it.
  void setRefusal(const QString& why);

 signals:
  void enabledAnew();

 private:
  using Test = std::function<bool(const RunStatus&)>;
  QAction* add(const QString& text, const QString& tip, const QKeySequence& key);
  std::vector<int> targets() const;
  std::vector<int> targetsWhere(const Test& test) const;
  bool canRun(int id) const;
  bool canResume(int id) const;
  void startOrResume();
  void enable();
  void enable(QAction* action, bool on, const QString& tip, const QString& why);

  ExperimentModel& model_;
  RunController& controller_;
  int selected_ = -1;
  bool all_ = true;
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
