#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QtTest>

/// Drags with the mouse: presses, moves in four steps and releases.
inline void drag(QWidget& widget, Qt::MouseButton button, QPoint from, QPoint to,
                 Qt::KeyboardModifiers keys = {}) {
  QTest::mousePress(&widget, button, keys, from);
  for (int i = 1; i <= 4; ++i) QTest::mouseMove(&widget, from + (to - from) * i / 4);
  QTest::mouseRelease(&widget, button, keys, to);
}

/// Moves the mouse over a widget without a button. QTest::mouseMove moves the real pointer, whose
/// event arrives later.
inline void hover(QWidget& widget, QPoint at) {
  QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(QPointF(at)), Qt::NoButton,
                    Qt::NoButton, {});
  QApplication::sendEvent(&widget, &event);
}

/// Turns the wheel over a point of the widget; 120 is one notch away from the user.
inline void turnWheel(QWidget& widget, QPoint at, int turn, Qt::KeyboardModifiers keys = {}) {
  QWheelEvent event(at, widget.mapToGlobal(QPointF(at)), {}, {0, turn}, Qt::NoButton, keys,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}
