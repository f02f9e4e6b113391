#pragma once

#include "gui/worker/run_controller.hpp"

#include <QStringList>
#include <QTextBrowser>

namespace gantry {

/// What the data are, how they were made, and what the user should know about them; then earlier
/// messages.
class NotesPanel : public QTextBrowser {
  Q_OBJECT
 public:
  NotesPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
             QWidget* parent = nullptr);

  /// Keeps a message that had to make room for later ones; of many the latest.
  void addMessage(const QString& message);

 private:
  void refresh();
  QString aboutData() const;
  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  QString html_;
  QStringList messages_;  // earlier ones, the latest first
};

}  // namespace gantry
