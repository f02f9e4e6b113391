#pragma once

#include "gui/worker/run_controller.hpp"

#include <QObject>
#include <QString>

#include <map>
#include <set>
#include <vector>

namespace gantry {

class FileActions;

/// What would be lost if the window closed: edits of the experiment, and results of runs that
/// somebody started. Those that the program started by itself can be had again at any time.
class UnsavedWork : public QObject {
  Q_OBJECT
 public:
  UnsavedWork(const Catalog& catalog, ExperimentModel& model, RunController& controller,
              FileActions& files, QObject* parent);

  /// The present runs, as they have just been started, are the program's own.
  void excuseRuns();

  bool any() const { return edits() || !results().empty(); }
  bool edits() const;
  std::vector<int> results() const;
  /// What would be lost, one line each.
  QString description() const;

  /// Saves the experiment where it has changed or has no file, and each unsaved result into a new
  /// folder beside it; ends with saved() or given up, then FileActions::failed said why.
  void save();

 signals:
  void saved();

 private:
  /// How far a run was: its start and its iterations.
  struct Mark {
    int epoch = 0;
    std::size_t iterations = 0;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  Mark markOf(int id) const;
  void volumeSaved(int id);
  void giveUp() { pending_.clear(); }

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  FileActions& files_;
  std::map<int, Mark> saved_;
  std::map<int, int> excused_;  // run, epoch
  std::set<int> pending_;       // results under way to their files
};

}  // namespace gantry
