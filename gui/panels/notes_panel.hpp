#pragma once

#include "gui/worker/run_controller.hpp"

#include <QTextBrowser>

namespace gantry {

/// What the data are, how they were made, and what the user should know about them.
class NotesPanel : public QTextBrowser {
  Q_OBJECT
 public:
  NotesPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
             QWidget* parent = nullptr);

 private:
  void refresh();
  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  QString html_;
};

}  // namespace gantry
