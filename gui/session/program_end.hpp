#pragma once

#include <QObject>

namespace gantry {

class Autosave;
class MainWindow;

/// Saves the work when the session of the desktop or a signal, not the user, ends the program. The
/// user is asked where that is possible; otherwise everything is saved automatically and offered at
/// the next start.
class ProgramEnd : public QObject {
  Q_OBJECT
 public:
  /// `autosave` may be null; nothing can then be saved without the user.
  ProgramEnd(MainWindow& window, Autosave* autosave);

 public slots:
  /// Called when the session of the desktop ends. Returns false if the session must not end,
  /// because the user cancelled, or results are still being saved.
  bool endSession(bool mayAsk);
  /// Saves everything and closes the window without a question.
  void endBySignal(int signal);

 private:
  void keepEverything();

  MainWindow& window_;
  Autosave* autosave_;
};

}  // namespace gantry
