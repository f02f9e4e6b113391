#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace gantry {

class ExperimentModel;
class RunController;

/// A button that finds the axis of rotation from the prepared data by a chosen method, and a line
/// that says what was found, or why nothing was. Large data take seconds, on another thread.
class AxisFinder : public QWidget {
  Q_OBJECT

 public:
  AxisFinder(ExperimentModel& model, RunController& controller, QWidget* parent = nullptr);

 signals:
  void found(double column);  ///< the fractional column of the ray through the axis

 private:
  void find();
  void forget();
  void showData();
  void say(const QString& text);

  const ExperimentModel& model_;
  RunController& controller_;
  QComboBox* method_;
  QPushButton* button_;
  QLabel* result_;
  int source_ = 0;  // counts what has been opened
};

}  // namespace gantry
