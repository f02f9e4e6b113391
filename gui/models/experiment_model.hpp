#pragma once

#include "core/job/experiment.hpp"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gantry {

/// The experiment that the window edits, with undo. Every run has an id that edits do not change,
/// so that the results of the run can be found again. This class starts no computation.
class ExperimentModel : public QObject {
  Q_OBJECT
 public:
  explicit ExperimentModel(QObject* parent = nullptr);

  const Experiment& experiment() const { return state_.experiment; }
  const std::vector<int>& runIds() const { return state_.runIds; }
  /// Returns the run of an id; null if the run was removed.
  const RunSpec* run(int id) const;
  std::optional<std::size_t> indexOf(int id) const;

  /// Replaces the experiment, as on opening a file, and clears the undo stack.
  void reset(const Experiment& experiment, const QString& path);
  /// Applies one edit. Consecutive edits of the same name are one step of undo.
  void edit(const QString& name, const std::function<void(Experiment&)>& change);
  void editRun(int id, const QString& name, const std::function<void(RunSpec&)>& change);

  /// Tells what the experiment would be with an edit that is under way, as while a slider is
  /// dragged. Changes nothing. The edit itself, when the slider is released, emits trialSet().
  void tryOut(const std::function<void(Experiment&)>& change);
  void tryOutRun(int id, const std::function<void(RunSpec&)>& change);

  int addRun(const RunSpec& run);
  int duplicateRun(int id);
  void removeRun(int id);
  /// Returns the index of the palette colour that the fewest runs use.
  int freeColour() const;

  QUndoStack& undoStack() { return undo_; }
  /// Pushes a command that the last edit has caused, as the restart of a run. One step of undo
  /// takes back both, unless something else was done in between.
  void pushWithEdit(std::unique_ptr<QUndoCommand> caused);
  /// Like editRun(), for a change of a run that the last edit has caused.
  void editRunWithEdit(int id, const QString& name, const std::function<void(RunSpec&)>& change);
  const QString& path() const { return path_; }
  void markSaved(const QString& path) { markSaved(path, experiment()); }
  /// Declares that a file holds `saved`, which may be the experiment as it was a moment ago.
  void markSaved(const QString& path, const Experiment& saved);
  /// Declares that no file holds the present experiment, wherever the experiment came from.
  void markUnsaved();
  /// Returns whether the experiment differs from what was opened or saved last.
  bool isModified() const { return !saved_ || state_.experiment != *saved_; }

 signals:
  void aboutToBeReplaced();  ///< by reset()
  void changed();
  void triedOut(
      const gantry::Experiment& experiment);  ///< by tryOut(); the runs are as in runIds()
  /// Emitted after changed() by an edit that sets what was tried out last, with the runs whose
  /// results the edit concerns.
  void trialSet(const std::vector<int>& runs);

 private:
  struct State {
    Experiment experiment;
    std::vector<int> runIds;
  };
  class Edit;
  void push(const QString& name, State next);
  std::vector<int> changedRuns(const Experiment& next) const;
  void apply(const State& state);

  State state_;
  std::optional<Experiment> tried_;  // by tryOut(), since the last edit
  std::optional<Experiment> saved_;  // none after markUnsaved()
  int nextId_ = 1;
  QUndoStack undo_;
  QString path_;
};

}  // namespace gantry
