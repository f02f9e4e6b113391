#pragma once

#include <QObject>
#include <QString>

namespace gantry {

/// What the parts of the window speak about at the moment: the run that is selected, and the view
/// of the scan that the mouse is over in a panel. A part tells it through a setter, and every other
/// part follows the signal.
class Selection : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  int run() const { return run_; }  ///< -1: none
  /// Selects a run. Tells it again where the run is selected already, because its settings may have
  /// changed.
  void selectRun(int id);
  void pointAtView(int view);
  /// Asks for a sweep of a parameter of the selected run or of the scan, by SweepParam::id().
  void askForSweep(const QString& parameter);

 signals:
  void runSelected(int id);
  void viewPointedAt(int view);
  void sweepWanted(const QString& parameter);

 private:
  int run_ = -1;
};

}  // namespace gantry
