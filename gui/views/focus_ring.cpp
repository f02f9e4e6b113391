#include "gui/views/focus_ring.hpp"

#include <QFocusEvent>
#include <QPainter>

namespace gantry {

FocusRing::FocusRing(QWidget* of) : QWidget(of) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
  of->installEventFilter(this);
}

bool FocusRing::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::FocusIn) {
    const auto reason = static_cast<QFocusEvent*>(event)->reason();
    const bool by_key = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
    setGeometry(parentWidget()->rect());
    raise();
    setVisible(by_key);
  }
  if (event->type() == QEvent::FocusOut) hide();
  if (event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(object, event);
}

/// Draws a light line within a line in the colour of selections: one of them is seen on any ground.
void FocusRing::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
  painter.drawRect(rect().adjusted(1, 1, -1, -1));
  painter.setPen(QPen(Qt::white, 1));
  painter.drawRect(rect().adjusted(2, 2, -3, -3));
}

}  // namespace gantry
