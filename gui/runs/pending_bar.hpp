#pragma once

#include "gui/worker/run_controller.hpp"

#include <QFrame>

#include <functional>
#include <utility>
#include <vector>

class QLabel;
class QPushButton;

namespace gantry {

/// The amber bar over the views: says which runs were computed with other settings or data than the
/// experiment has now, and offers to compute them from zero or to continue them with the changed
/// settings. Nothing is computed until the user chooses; undo takes the edit back, and the bar with
/// it. Where the user has dragged a slider, its release is this choice: the runs that had computed
/// start again with the value that was set, and undo brings back what they had.
class PendingBar : public QFrame {
  Q_OBJECT
 public:
  PendingBar(const Catalog& catalog, ExperimentModel& model, RunController& controller,
             QWidget* parent = nullptr);

  /// Returns the runs that have computed, or compute, with other settings or data than they have
  /// now.
  std::vector<int> pending() const;
  /// Sets what names the results beside the runs that a restart with changed data would end.
  void setTrialsAtStake(std::function<QString()> names) { trialsAtStake_ = std::move(names); }
  void refresh();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QPushButton* addButton(const QString& text, const QString& name, const QKeySequence& key);
  void tint();
  QString textOf(const std::vector<int>& runs) const;
  QString changeOf(int id) const;
  bool canContinue(int id) const;
  void goOn(int id);
  void startAgain(const std::vector<int>& runs);

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  QLabel* text_;
  std::function<QString()> trialsAtStake_ = [] { return QString(); };
  QPushButton* restart_;
  QPushButton* continue_;
};

}  // namespace gantry
