#pragma once

#include <QWidget>

namespace gantry {

/// A bar from black to white that shows which values are black and which are white. A drag at one
/// end changes the value of that end, a drag in the middle both; the arrow keys do the same.
class GreyScaleBar : public QWidget {
  Q_OBJECT
 public:
  explicit GreyScaleBar(QWidget* parent = nullptr);

  /// Shows two values, and how they are written.
  void setLimits(double low, double high, const QString& low_text, const QString& high_text);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// Emitted while the user changes the values; the first is always below the second.
  void limitsChanged(double low, double high);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Part { low, both, high };
  Part partAt(double x) const;
  void change(double low, double high);

  double low_ = 0, high_ = 1;
  QString lowText_, highText_;
  // At the press of a drag:
  Part part_ = Part::both;
  double pressedAt_ = 0, pressedLow_ = 0, pressedHigh_ = 1;
};

}  // namespace gantry
