#include "gui/widgets/eliding_label.hpp"

#include "gui/widgets/palette.hpp"

#include <QPainter>
#include <QStyle>
#include <QTextLayout>

#include <algorithm>

namespace gantry {

ElidingLabel::ElidingLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // the text never widens the window
}

void ElidingLabel::setLines(int most) {
  mostLines_ = most;
  updateGeometry();
}

QStringList ElidingLabel::linesFor(int width) const {
  QTextLayout layout(text(), font());
  layout.beginLayout();
  QStringList lines;
  while (lines.size() < mostLines_) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(width);
    const bool is_last = lines.size() + 1 == mostLines_;
    const QString rest = text().mid(line.textStart(), is_last ? -1 : line.textLength()).trimmed();
    lines << fontMetrics().elidedText(rest, mode_, width);
  }
  layout.endLayout();
  return lines;
}

int ElidingLabel::heightForWidth(int width) const {
  if (mostLines_ == 1) return -1;
  const QMargins margins = contentsMargins();
  const auto lines = linesFor(width - margins.left() - margins.right()).size();
  return static_cast<int>(std::max<qsizetype>(lines, 1)) * fontMetrics().lineSpacing() +
         margins.top() + margins.bottom();
}

void ElidingLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QPalette colours = palette();
  if (muted_) colours.setColor(foregroundRole(), mutedText(colours));
  const QString shown = linesFor(contentsRect().width()).join(QLatin1Char('\n'));
  style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), colours,
                        isEnabled(), shown, foregroundRole());
}

}  // namespace gantry
