#include "gui/widgets/eliding_label.hpp"

#include "gui/widgets/palette.hpp"

#include <QPainter>
#include <QStyle>

namespace gantry {

ElidingLabel::ElidingLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // the text never widens the window
}

void ElidingLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
  QPalette colours = palette();
  if (muted_) colours.setColor(foregroundRole(), mutedText(colours));
  style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), colours,
                        isEnabled(), shown, foregroundRole());
}

}  // namespace gantry
