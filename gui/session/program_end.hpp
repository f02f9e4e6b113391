#pragma once

#include <QObject>

namespace gantry {

class Autosave;
class MainWindow;

/// The window is ended by somebody other than its user: the session of the desktop, or a signal.
/// Nothing that is unsaved is lost: the user is asked where that is possible, else all is saved
/// automatically and kept for the next start.
class ProgramEnd : public QObject {
  Q_OBJECT
 public:
  /// `autosave` may be null: then there is no place to keep anything.
  ProgramEnd(MainWindow& window, Autosave* autosave);

 public slots:
  /// The session of the desktop ends. False: it shall not, since the user says so, or until the
  /// results are saved.
  bool endSession(bool mayAsk);
  /// A signal: nobody can be asked.
  void endBySignal(int signal);

 private:
  void keepEverything();

  MainWindow& window_;
  Autosave* autosave_;
};

}  // namespace gantry
