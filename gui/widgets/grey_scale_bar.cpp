#include "gui/widgets/grey_scale_bar.hpp"

#include <QKeyEvent>
#include <QLinearGradient>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace gantry {

namespace {

constexpr int margin_px = 4;         // of the texts
constexpr double end_share = 0.3;    // of the width, at each end
constexpr double key_level = 0.02;   // of the window, by a key
constexpr double key_window = 0.05;  // of the window, by a key
// The window cannot be made narrower in one drag than this share of what it was.
constexpr double least_share = 0.01;

}  // namespace

GreyScaleBar::GreyScaleBar(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setAccessibleName(tr("Grey scale"));
  setToolTip(
      tr("The values that are black and white. Drag an end to move its value, the middle to move "
         "both; arrow keys do the same"));
}

void GreyScaleBar::setLimits(double low, double high, const QString& low_text,
                             const QString& high_text) {
  low_ = low;
  high_ = high;
  lowText_ = low_text;
  highText_ = high_text;
  setAccessibleDescription(tr("black at %1, white at %2").arg(low_text, high_text));
  update();
}

QSize GreyScaleBar::sizeHint() const { return {220, fontMetrics().height() + 8}; }
QSize GreyScaleBar::minimumSizeHint() const { return {60, sizeHint().height()}; }

void GreyScaleBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRect bar = rect().adjusted(1, 1, -1, -1);
  QLinearGradient grey(bar.topLeft(), bar.topRight());
  // The ends are nearly black and nearly white, so that the texts on them can be read.
  grey.setColorAt(0, Qt::black);
  grey.setColorAt(0.4, QColor(60, 60, 60));
  grey.setColorAt(0.6, QColor(195, 195, 195));
  grey.setColorAt(1, Qt::white);
  painter.fillRect(bar, grey);
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawRect(bar.adjusted(0, 0, -1, -1));
  const QRect texts = bar.adjusted(margin_px, 0, -margin_px, 0);
  const double room = 0.5 * bar.width() - 2 * margin_px;
  const auto fits = [&](const QString& text) {
    return fontMetrics().horizontalAdvance(text) <= room;
  };
  if (fits(lowText_) && fits(highText_)) {
    painter.setPen(Qt::white);
    painter.drawText(texts, Qt::AlignLeft | Qt::AlignVCenter, lowText_);
    painter.setPen(Qt::black);
    painter.drawText(texts, Qt::AlignRight | Qt::AlignVCenter, highText_);
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
  painter.drawRect(bar);
}

GreyScaleBar::Part GreyScaleBar::partAt(double x) const {
  if (x < end_share * width()) return Part::low;
  return x > (1 - end_share) * width() ? Part::high : Part::both;
}

void GreyScaleBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  pressedAt_ = event->position().x();
  part_ = partAt(pressedAt_);
  pressedLow_ = low_;
  pressedHigh_ = high_;
}

/// A drag over the whole width moves a value by the window that there was at the press.
void GreyScaleBar::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (!(event->buttons() & Qt::LeftButton))
    return setCursor(partAt(x) == Part::both ? Qt::SizeAllCursor : Qt::SizeHorCursor);
  const double window = pressedHigh_ - pressedLow_;
  const double moved = (x - pressedAt_) / std::max(1, width()) * window;
  const double least = least_share * window;
  if (part_ == Part::low)
    change(std::min(pressedLow_ + moved, pressedHigh_ - least), pressedHigh_);
  else if (part_ == Part::high)
    change(pressedLow_, std::max(pressedHigh_ + moved, pressedLow_ + least));
  else
    change(pressedLow_ + moved, pressedHigh_ + moved);
}

void GreyScaleBar::keyPressEvent(QKeyEvent* event) {
  const double window = high_ - low_;
  switch (event->key()) {
    case Qt::Key_Left:
      return change(low_ - key_level * window, high_ - key_level * window);
    case Qt::Key_Right:
      return change(low_ + key_level * window, high_ + key_level * window);
    case Qt::Key_Up:
      return change(low_ - key_window * window / 2, high_ + key_window * window / 2);
    case Qt::Key_Down:
      return change(low_ + key_window * window / 2, high_ - key_window * window / 2);
    default:
      QWidget::keyPressEvent(event);
  }
}

void GreyScaleBar::change(double low, double high) {
  if (low < high) emit limitsChanged(low, high);
}

}  // namespace gantry
