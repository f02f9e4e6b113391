#pragma once

#include "gui/worker/run_controller.hpp"

#include <QWidget>

class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace gantry {

/// The list of runs with colour, name, iteration and state, and buttons to add, duplicate, remove
/// and pin a run. A double click renames a run.
class RunsPanel : public QWidget {
  Q_OBJECT
 public:
  RunsPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
            QWidget* parent = nullptr);

  int selectedRun() const;
  void selectRun(int id);

 signals:
  void selectionChanged(int id);
  void menuRequested(int id, const QPoint& global);

 private:
  QToolButton* addButton(const QString& text, const QString& tip);
  void rebuild();
  void showState(int id);
  QTreeWidgetItem* itemOf(int id) const;
  void renamed(QTreeWidgetItem* item, int column);
  void enableButtons();

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  QTreeWidget* list_;
  QToolButton* add_;
  QToolButton* duplicate_;
  QToolButton* remove_;
  QToolButton* pin_;
};

/// Returns the state of a run as text: "running", "paused", ...
QString stateText(const RunStatus& status);

}  // namespace gantry
