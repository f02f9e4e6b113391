#pragma once

#include "gui/worker/run_controller.hpp"

#include <QStringList>
#include <QTextBrowser>

namespace gantry {

/// Shows what the data are, how they were made, and notes about them for the user; then earlier
/// messages.
class NotesPanel : public QTextBrowser {
  Q_OBJECT
 public:
  NotesPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
             QWidget* parent = nullptr);

  /// Keeps a message that is no longer shown as a banner; of many messages the latest are kept.
  void addMessage(const QString& message);

 private:
  void refresh();
  QString aboutData() const;
  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  QString html_;
  QStringList messages_;  // earlier messages, the latest first
};

}  // namespace gantry
