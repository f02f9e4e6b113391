#pragma once

#include <QObject>
#include <QString>

namespace gantry {

class MainWindow;

/// Lets the window do its work with nobody there: waits for the data, runs everything for some
/// iterations, writes screenshot.png, a volume per run, curves.csv and experiment.json to a folder,
/// says where, and quits the program.
class Unattended : public QObject {
  Q_OBJECT
 public:
  Unattended(MainWindow& window, int iterations, QString folder);

 private:
  void startRuns();
  void look();
  void writeAll();
  void finish(int exit_code);

  MainWindow& window_;
  int iterations_;
  QString folder_;
  int pending_ = 0;
  bool started_ = false, writing_ = false;
};

}  // namespace gantry
