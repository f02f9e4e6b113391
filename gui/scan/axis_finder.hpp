#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace gantry {

class RunController;

/// A button that finds the axis of rotation from the prepared data by a chosen method, and what was
/// found. Large data take seconds, on another thread.
class AxisFinder : public QWidget {
  Q_OBJECT

 public:
  explicit AxisFinder(RunController& controller, QWidget* parent = nullptr);

 signals:
  void found(double column);             ///< the fractional column of the ray through the axis
  void problem(const QString& message);  ///< why none was found; empty: one was

 private:
  void find();
  void showData();

  RunController& controller_;
  QComboBox* method_;
  QPushButton* button_;
  QLabel* result_;
};

}  // namespace gantry
