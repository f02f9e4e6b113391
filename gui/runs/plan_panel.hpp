#pragma once

#include "gui/worker/run_controller.hpp"

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace gantry {

/// What the selected run needs: device, memory by name, and time, before it starts and while it
/// computes.
class PlanPanel : public QWidget {
  Q_OBJECT
 public:
  PlanPanel(ExperimentModel& model, RunController& controller, QWidget* parent = nullptr);

  void setRun(int id);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void showMemory(const MemoryEstimate& memory);
  QString seconds() const;

  ExperimentModel& model_;
  RunController& controller_;
  int run_ = -1;
  QLabel* device_;
  QTreeWidget* memory_;
  QLabel* time_;
};

}  // namespace gantry
