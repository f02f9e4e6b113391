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

void ElidingLabel::setKeptEnd(int characters) {
  keptEnd_ = characters;
  setMinimumWidth(fontMetrics().horizontalAdvance(text().right(characters)) + 1);
}

QString ElidingLabel::shortened(const QString& line, int width) const {
  const int whole = fontMetrics().horizontalAdvance(line);
  if (keptEnd_ <= 0 || whole <= width) return fontMetrics().elidedText(line, Qt::ElideRight, width);
  const QString end = line.right(keptEnd_);
  const int room = width - fontMetrics().horizontalAdvance(end);
  return fontMetrics().elidedText(line.chopped(end.size()), Qt::ElideRight, std::max(0, room)) +
         end;
}

/// Returns a part of the text as one line, which may break off at its end.
ElidingLabel::Line ElidingLabel::lineOf(int start, int length, int width) const {
  const QString all = text();
  while (length > 0 && all[start].isSpace()) ++start, --length;
  while (length > 0 && all[start + length - 1].isSpace()) --length;
  Line line;
  for (int place = start; place < start + length; ++place) {
    const QString shown =
        all[place] == QLatin1Char('\n') ? QStringLiteral(" | ") : QString(all[place]);
    line.shown += shown;
    line.places.insert(line.places.end(), static_cast<std::size_t>(shown.size()), place);
  }
  line.shown = shortened(line.shown, width);
  line.places.resize(static_cast<std::size_t>(line.shown.size()), start + length);
  line.places.push_back(start + length);
  return line;
}

std::vector<ElidingLabel::Line> ElidingLabel::layOut(int width) const {
  QString all = text();
  // QTextLayout begins a line after this character alone.
  all.replace(QLatin1Char('\n'), QChar::LineSeparator);
  QTextLayout layout(all, font());
  layout.beginLayout();
  std::vector<Line> lines;
  while (static_cast<int>(lines.size()) < mostLines_) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(width);
    const bool is_last = static_cast<int>(lines.size()) + 1 == mostLines_;
    const int start = line.textStart();
    lines.push_back(
        lineOf(start, is_last ? static_cast<int>(all.size()) - start : line.textLength(), width));
  }
  layout.endLayout();
  return lines;
}

QStringList ElidingLabel::linesFor(int width) const {
  QStringList lines;
  for (const Line& line : layOut(width)) lines << line.shown;
  return lines;
}

bool ElidingLabel::isCut() const {
  constexpr QChar ellipsis(0x2026);
  return linesFor(contentsRect().width()).join(QString()).count(ellipsis) > text().count(ellipsis);
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
