#pragma once

#include "gui/worker/run_controller.hpp"

#include <QStringList>
#include <QWidget>

class QPlainTextEdit;
class QTextBrowser;

namespace gantry {

/// Notes of the user about what is open, to be written and read here; below them what the data are,
/// how they were made, and notes about them for the user; then earlier messages.
class NotesPanel : public QWidget {
  Q_OBJECT
 public:
  NotesPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
             QWidget* parent = nullptr);

  /// Returns the notes of the user, for a saved session; they are cleared when something else is
  /// opened.
  QString text() const;
  /// Sets the notes of the user, without edited().
  void setText(const QString& text);
  /// Returns what the panel says about the data, without markup.
  QString about() const;

  /// Keeps a message that is no longer shown as a banner; of many messages the latest are kept.
  void addMessage(const QString& message);

 signals:
  void edited();  ///< the user has changed the notes

 private:
  void refresh();
  QString aboutData() const;
  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  QPlainTextEdit* text_;
  QTextBrowser* about_;
  QString html_;
  QStringList messages_;  // earlier messages, the latest first
};

}  // namespace gantry
