#include "gui/widgets/window_style.hpp"

#include "gui/widgets/palette.hpp"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace gantry {

WindowStyle::WindowStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

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
