#include "gui/widgets/window_style.hpp"

#include "gui/widgets/palette.hpp"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace gantry {

WindowStyle::WindowStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void WindowStyle::polish(QPalette& palette) {
  QProxyStyle::polish(palette);
  palette = readablePalette(palette);
}

void WindowStyle::polish(QApplication* program) {
  QProxyStyle::polish(program);
  program->installEventFilter(this);
}

void WindowStyle::unpolish(QApplication* program) {
  program->removeEventFilter(this);
  QProxyStyle::unpolish(program);
}

/// A palette that is set for the program passes by polish().
bool WindowStyle::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ApplicationPaletteChange && watched == qApp) {
    const QPalette now = QApplication::palette(), readable = readablePalette(now);
    if (readable != now) QApplication::setPalette(readable);
  }
  return QProxyStyle::eventFilter(watched, event);
}

/// Fusion draws the boxes of lists and menus as PE_IndicatorCheckBox, too. Its frame of the box
/// that has the focus stays, because it tells where the focus is.
void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                QPainter* painter, const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  const bool marks_focus =
      (option->state & State_HasFocus) != 0 && (option->state & State_KeyboardFocusChange) != 0;
  if (element != PE_IndicatorCheckBox || marks_focus) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing, false);
  painter->setPen(frameColour(option->palette));
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
  painter->restore();
}

}  // namespace gantry
