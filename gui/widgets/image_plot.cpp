#include "gui/widgets/image_plot.hpp"

#include "core/base/nice_numbers.hpp"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double tickPx = 4, gapPx = 3;

/// Returns the label of a tick. Counts of pixels and rays are written as whole numbers, not as
/// powers of ten.
QString textOf(const Tick& tick) {
  constexpr double longest = 1e7;
  return std::abs(tick.value) >= 1000 && std::abs(tick.value) < longest
             ? QString::number(tick.value, 'f', 0)
             : QString::fromStdString(tick.label);
}

std::vector<Tick> ticksOf(const PlotAxis& axis, double room_px, double label_px) {
  const int most = std::max(2, static_cast<int>(room_px / (1.6 * label_px)));
  return linear_ticks(std::min(axis.first, axis.last), std::max(axis.first, axis.last), most);
}

/// Returns the relative position of a value along an axis: 0 at the first value, 1 at the last.
double partOf(const PlotAxis& axis, double value) {
  return (value - axis.first) / (axis.last - axis.first);
}

double widest(const PlotAxis& axis, const QFontMetricsF& metrics, double room_px) {
  double width = 0;
  for (const Tick& tick : ticksOf(axis, room_px, metrics.height()))
    width = std::max(width, metrics.horizontalAdvance(textOf(tick)));
  return width;
}

}  // namespace

PlotAxis indexAxis(const QString& title, int count) { return {title, -0.5, count - 0.5}; }

int nearestIndex(double value, int count) {
  return std::clamp(static_cast<int>(std::lround(value)), 0, count - 1);
}

ImagePlot::ImagePlot(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ImagePlot::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
  update();
}

void ImagePlot::setAxes(const PlotAxis& across, const PlotAxis& down) {
  if (across == across_ && down == down_) return;
  across_ = across;
  down_ = down;
  changed();
}

void ImagePlot::setTrueToScale(bool on) {
  true_to_scale_ = on;
  changed();
}

void ImagePlot::setImage(const QImage& image) {
  image_ = image;
  update();
}

void ImagePlot::setHint(const QString& hint) {
  hint_ = hint;
  update();
}

void ImagePlot::setMarks(std::vector<PlotMark> marks) {
  marks_ = std::move(marks);
  update();
}

QFont ImagePlot::axisFont() const {
  QFont smaller = font();
  smaller.setPointSizeF(0.85 * smaller.pointSizeF());
  return smaller;
}

QRectF ImagePlot::frame() const {
  const QFontMetricsF metrics(axisFont());
  const double top = fontMetrics().height() + 2 * gapPx,
               bottom = 2 * metrics.height() + tickPx + gapPx,
               left = metrics.height() + widest(down_, metrics, height() - top - bottom) + tickPx +
                      2 * gapPx,
               right = 0.5 * metrics.horizontalAdvance(QStringLiteral("00000"));
  QRectF all(left, top, std::max(1.0, width() - left - right),
             std::max(1.0, height() - top - bottom));
  if (!true_to_scale_) return all;
  const double shape = std::abs((across_.last - across_.first) / (down_.last - down_.first));
  const QPointF centre = all.center();
  all.setSize(
      {std::min(all.width(), all.height() * shape), std::min(all.height(), all.width() / shape)});
  all.moveCenter(centre);
  return all;
}

QSize ImagePlot::dots() const {
  const QRectF place = frame();
  return {std::max(1, static_cast<int>(place.width() * devicePixelRatioF())),
          std::max(1, static_cast<int>(place.height() * devicePixelRatioF()))};
}

QPointF ImagePlot::toWidget(QPointF value) const {
  const QRectF place = frame();
  return {place.left() + partOf(across_, value.x()) * place.width(),
          place.top() + partOf(down_, value.y()) * place.height()};
}

QPointF ImagePlot::valueAt(QPointF position) const {
  const QRectF place = frame();
  return {across_.first +
              (position.x() - place.left()) / place.width() * (across_.last - across_.first),
          down_.first + (position.y() - place.top()) / place.height() * (down_.last - down_.first)};
}

void ImagePlot::changed() {
  update();
  if (dots() == reported_dots_) return;
  reported_dots_ = dots();
  emit dotsChanged();
}

void ImagePlot::resizeEvent(QResizeEvent*) { changed(); }

void ImagePlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF place = frame();
  painter.fillRect(place, palette().color(QPalette::Base));
  painter.setPen(palette().color(QPalette::Text));
  if (image_.isNull())
    painter.drawText(place, static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, hint_);
  else
    painter.drawImage(place, image_);
  drawMarks(painter, place);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(QRectF(0, 0, width(), place.top() - gapPx), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(title_, Qt::ElideRight, width()));
  painter.drawRect(place);
  painter.setFont(axisFont());
  // An axis without a title has not been set yet: its numbers would have no meaning.
  if (!across_.title.isEmpty()) drawAcross(painter, place);
  if (!down_.title.isEmpty()) drawDown(painter, place);
}

void ImagePlot::drawAcross(QPainter& painter, const QRectF& place) const {
  const QFontMetricsF metrics(painter.font());
  const double label = widest(across_, metrics, place.width());
  for (const Tick& tick : ticksOf(across_, place.width(), label)) {
    const double x = place.left() + partOf(across_, tick.value) * place.width();
    painter.drawLine(QPointF(x, place.bottom()), QPointF(x, place.bottom() + tickPx));
    painter.drawText(QRectF(x - label, place.bottom() + tickPx, 2 * label, metrics.height()),
                     Qt::AlignCenter, textOf(tick));
  }
  painter.drawText(QRectF(0, place.bottom() + tickPx + metrics.height(), width(), metrics.height()),
                   Qt::AlignCenter, across_.title);
}

void ImagePlot::drawDown(QPainter& painter, const QRectF& place) const {
  const QFontMetricsF metrics(painter.font());
  const double label = widest(down_, metrics, place.height());
  for (const Tick& tick : ticksOf(down_, place.height(), metrics.height())) {
    const double y = place.top() + partOf(down_, tick.value) * place.height();
    painter.drawLine(QPointF(place.left() - tickPx, y), QPointF(place.left(), y));
    painter.drawText(QRectF(place.left() - tickPx - gapPx - label, y - metrics.height(), label,
                            2 * metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, textOf(tick));
  }
  painter.save();
  painter.translate(place.left() - tickPx - 2 * gapPx - label - metrics.height(),
                    place.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-0.5 * height(), 0, height(), metrics.height()), Qt::AlignCenter,
                   down_.title);
  painter.restore();
}

void ImagePlot::drawMarks(QPainter& painter, const QRectF& place) const {
  painter.save();
  painter.setClipRect(place);
  painter.setRenderHint(QPainter::Antialiasing);
  constexpr double radius = 6;
  for (const PlotMark& mark : marks_) {
    painter.setPen(QPen(mark.colour, 1.5));
    const QPointF at = toWidget(mark.at);
    if (mark.kind == PlotMark::Kind::point)
      painter.drawEllipse(at, radius, radius);
    else
      painter.drawLine(QPointF(place.left(), at.y()), QPointF(place.right(), at.y()));
  }
  painter.restore();
}

void ImagePlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && frame().contains(event->position()))
    emit clicked(valueAt(event->position()));
}

void ImagePlot::mouseMoveEvent(QMouseEvent* event) {
  if (!frame().contains(event->position())) return emit left();
  emit hovered(valueAt(event->position()));
}

void ImagePlot::leaveEvent(QEvent*) { emit left(); }

}  // namespace gantry
