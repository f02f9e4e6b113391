#pragma once

#include <QObject>
#include <QString>

namespace gantry {

class MainWindow;

/// Controls the window without a user: waits for the data, runs all runs for a number of
/// iterations, writes screenshot.png, film.gif (the window through all iterations), a volume per
/// run, curves.csv and experiment.json to a folder, prints their paths, and quits the program.
class Unattended : public QObject {
  Q_OBJECT
 public:
  Unattended(MainWindow& window, int iterations, QString folder);

 private:
  void startRuns();
  void checkProgress();
  void writeAll();
  void writeFilm(const QString& path);
  void finish(int exit_code);

  MainWindow& window_;
  int iterations_;
  QString folder_;
  int pending_ = 0;
  bool started_ = false, writing_ = false;
};

}  // namespace gantry
