#pragma once

#include "gui/worker/run_controller.hpp"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace gantry {

class RunCard;

/// The runs as cards, one below the other, of which one is selected, and a button that adds a run.
class RunsPanel : public QWidget {
  Q_OBJECT
 public:
  RunsPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
            QWidget* parent = nullptr);

  int selectedRun() const { return selected_; }
  void selectRun(int id);
  RunCard* card(int id) const;

 signals:
  void selectionChanged(int id);
  void menuRequested(int id, const QPoint& global);
  void shownChanged(int id, bool shown);  ///< the user hides a run on the stage, or shows it

 private:
  RunSpec newRun() const;
  RunCard* addCard(int id);
  void rebuild();
  void showState(int id);

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  int selected_ = -1;
  std::vector<RunCard*> cards_;
  QVBoxLayout* column_;
};

}  // namespace gantry
