#pragma once

#include "core/job/experiment.hpp"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <functional>
#include <optional>
#include <vector>

namespace gantry {

/// The experiment that the window edits, with undo. Every run has an id that stays with it through
/// edits, so that what it has computed can be found again. Nothing here starts a computation.
class ExperimentModel : public QObject {
  Q_OBJECT
 public:
  explicit ExperimentModel(QObject* parent = nullptr);

  const Experiment& experiment() const { return state_.experiment; }
  const std::vector<int>& runIds() const { return state_.runIds; }
  /// The run of an id; null when it was removed.
  const RunSpec* run(int id) const;
  std::optional<std::size_t> indexOf(int id) const;

  /// Replaces everything, as on opening a file; forgets undo.
  void reset(const Experiment& experiment, const QString& path);
  /// One edit. Further edits of the same name in a row become one step of undo.
  void edit(const QString& name, const std::function<void(Experiment&)>& change);
  void editRun(int id, const QString& name, const std::function<void(RunSpec&)>& change);

  int addRun(const RunSpec& run);
  int duplicateRun(int id);
  void removeRun(int id);
  /// Palette index that the fewest runs use.
  int freeColour() const;

  QUndoStack& undoStack() { return undo_; }
  const QString& path() const { return path_; }
  void markSaved(const QString& path);
  /// The experiment is in no file as it is now, wherever it came from.
  void markUnsaved();
  /// Whether the experiment differs from what was opened, or saved last.
  bool isModified() const { return !saved_ || state_.experiment != *saved_; }

 signals:
  void aboutToBeReplaced();  ///< by reset()
  void changed();

 private:
  struct State {
    Experiment experiment;
    std::vector<int> runIds;
  };
  class Edit;
  void push(const QString& name, State next);
  void apply(const State& state);

  State state_;
  std::optional<Experiment> saved_;  // none: marked as unsaved
  int nextId_ = 1;
  QUndoStack undo_;
  QString path_;
};

}  // namespace gantry
