#pragma once

#include <QWidget>

namespace gantry {

/// A frame within the edges of a widget, shown while the widget has the focus from the keyboard.
class FocusRing : public QWidget {
 public:
  explicit FocusRing(QWidget* of);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace gantry
