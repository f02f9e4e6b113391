#pragma once

#include <QImage>
#include <QObject>
#include <QString>

namespace gantry {

class MainWindow;

/// Returns what the views of the window show at the moment: the selected run, else another, else
/// the reference; a null picture where nothing is shown.
QImage picture_of_window(MainWindow& window);

/// Takes the picture of a file once there is something to see of it, and again while runs compute,
/// each time their iterations have doubled. Recent files show it.
class FilePictures : public QObject {
  Q_OBJECT
 public:
  explicit FilePictures(MainWindow& window);

 private:
  void take();

  MainWindow& window_;
  QString file_;   // that is open; empty: none
  int taken_ = 0;  // iterations of the run whose picture was taken last
};

}  // namespace gantry
