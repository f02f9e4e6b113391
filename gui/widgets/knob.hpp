#pragma once

#include "core/job/value_range.hpp"

#include <QSlider>
#include <QString>

class QAbstractSpinBox;
class QToolButton;

namespace gantry {

/// A slider beside a number's field, over the values that are worth trying. While it is dragged,
/// or moved by keys, the field follows and dragged() is emitted; when the mouse or the key is
/// released, the value is set as if it had been typed.
class Knob : public QSlider {
  Q_OBJECT
 public:
  /// `box` is a QDoubleSpinBox or a QSpinBox, which must outlive the knob. `name` is what the
  /// number is called.
  Knob(QAbstractSpinBox* box, const QString& name, QWidget* parent = nullptr);

  /// Sets the range, widened to the value of the field. Without a range the knob is hidden.
  void setValues(const std::optional<ValueRange>& range);
  /// Leaves the width of the field as it is, for a slider in a row of its own.
  void leaveBox();
  /// Moves to the value of the field. To be called after the field was set without signals.
  void follow();
  /// Returns the value at the knob's position.
  double number() const { return range_.at(static_cast<double>(value()) / maximum()); }

 signals:
  void dragged(double value);

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void fitBox();
  void move();
  void commit();
  double boxValue() const;
  void setBoxValue(double value);

  QAbstractSpinBox* box_;
  ValueRange range_;
  bool is_under_way_ = false, isBesideBox_ = true;
  double before_ = 0;  // of the field, when the knob began to move
};

/// Returns a small button that stands for a sweep of a number; `name` is what it is called.
QToolButton* makeSweepButton(const QString& name, QWidget* parent);

/// Returns a row with a knob, the field that it belongs to, and further widgets, without margins.
QWidget* knobRow(Knob* knob, QAbstractSpinBox* box, const QList<QWidget*>& more, QWidget* parent);
/// Returns a field and further widgets in a row, and below them a knob of the same width, for
/// narrow forms.
QWidget* knobBelow(Knob* knob, QAbstractSpinBox* box, const QList<QWidget*>& more, QWidget* parent);

}  // namespace gantry
