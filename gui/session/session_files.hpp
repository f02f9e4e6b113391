#pragma once

#include "gui/session/session_collector.hpp"

#include <QObject>
#include <QString>

namespace gantry {

class MainWindow;

/// Saves what the window has open as one file, and opens such files: see session_file.hpp. Files
/// are written and read in the background. Failures are reported as one line by
/// FileActions::failed().
class SessionFiles : public QObject {
  Q_OBJECT
 public:
  explicit SessionFiles(MainWindow& window);

  /// Saves everything, also of runs that are computing. Returns at once.
  void save(const QString& path);
  /// Opens a session, after a question about unsaved work.
  void open(const QString& path);

 signals:
  void saved(const QString& path);
  void opened();  ///< when runs and views are restored

 private:
  void write(const QString& path, const std::shared_ptr<SessionBatch>& batch);
  void written(const QString& path, const SessionBatch& batch);
  void fail(const QString& act, const QString& path, const QString& message, bool isOpening);

  MainWindow& window_;
  SessionCollector collector_;
  std::shared_ptr<SessionBatch> batch_;  // that is being collected
  int experiment_ = 0;                   // counts those that replaced another
};

}  // namespace gantry
