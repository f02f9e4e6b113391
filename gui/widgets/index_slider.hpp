#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QLabel;
class QSlider;
class QSpinBox;

namespace gantry {

/// A row that chooses one of several things by its number, from 0: a name, a slider, the number as
/// text, and what the chosen one is.
class IndexSlider : public QWidget {
  Q_OBJECT
 public:
  /// `widest` is the longest text that setText() will get: the slider keeps its place under the
  /// mouse while the text changes.
  IndexSlider(const QString& name, const QString& tip, const QString& widest,
              QWidget* parent = nullptr);

  int value() const;
  int count() const;
  /// Sets the number of things; with fewer than two, the row is hidden.
  void setCount(int count);
  /// Chooses one; beyond the ends, the first or the last one.
  void setValue(int value);
  void setText(const QString& text);

 signals:
  void changed(int value);

 private:
  QSlider* slider_;
  QSpinBox* number_;
  QLabel* text_;
};

/// Returns a bar of sliders, which wraps where it is too narrow for all of them.
QWidget* barOfSliders(const QList<IndexSlider*>& sliders, QWidget* parent);

}  // namespace gantry
