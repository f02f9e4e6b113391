#include "gui/views/drawing_output.hpp"

#include <QBuffer>
#include <QFont>
#include <QFontMetricsF>
#include <QList>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <variant>

namespace gantry {

namespace {

const QString family = QStringLiteral("DejaVu Sans");  // the font of the views

QColor colour_of(Rgb colour, double opacity = 1) {
  QColor result(colour.r, colour.g, colour.b);
  result.setAlphaF(static_cast<float>(opacity));
  return result;
}

QRectF rect_of(const RectPx& rect) { return {rect.x, rect.y, rect.width, rect.height}; }

QPolygonF polygon_of(const std::vector<PointPx>& points) {
  QPolygonF polygon;
  for (const PointPx& p : points) polygon << QPointF(p.x, p.y);
  return polygon;
}

/// Draws the items of a drawing with Qt.
class QtArtist {
 public:
  explicit QtArtist(QPainter& painter) : painter_(painter) {}

  void operator()(const DrawnArea& area) const {
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(colour_of(area.colour, area.opacity));
    painter_.drawPolygon(polygon_of(area.corners));
  }
  void operator()(const DrawnLine& line) const {
    QPen pen(colour_of(line.colour, line.opacity), line.width_px, Qt::SolidLine, Qt::FlatCap,
             Qt::MiterJoin);
    if (line.dash.off_px > 0) {
      QList<qreal> lengths;  // in units of the width
      for (const double length : line.dash.lengths()) lengths << length / line.width_px;
      pen.setDashPattern(lengths);
    }
    painter_.setPen(pen);
    painter_.setBrush(Qt::NoBrush);
    painter_.drawPolyline(polygon_of(line.points));
  }
  void operator()(const DrawnDisc& disc) const {
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(colour_of(disc.colour, disc.opacity));
    painter_.drawEllipse(QPointF(disc.centre.x, disc.centre.y), disc.radius_px, disc.radius_px);
  }
  void operator()(const DrawnGradient& gradient) const {
    const QRectF place = rect_of(gradient.place);
    QLinearGradient colours(place.bottomLeft(), place.topLeft());
    const auto last = static_cast<double>(std::max<std::size_t>(gradient.colours.size(), 2) - 1);
    for (std::size_t i = 0; i < gradient.colours.size(); ++i)
      colours.setColorAt(static_cast<double>(i) / last, colour_of(gradient.colours[i]));
    painter_.fillRect(place, colours);
  }
  void operator()(const DrawnText& text) const {
    QFont font(family);
    font.setPixelSize(std::max(1, qRound(text.style.size_px)));
    font.setBold(text.style.bold);
    const QString words = QString::fromStdString(text.text);
    painter_.save();
    painter_.setFont(font);
    painter_.translate(text.at.x, text.at.y);
    if (text.style.upwards) painter_.rotate(-90);
    const double width = QFontMetricsF(font).horizontalAdvance(words);
    const double left = text.ax == AlignX::left    ? 0
                        : text.ax == AlignX::right ? -width
                                                   : -width / 2;
    if (text.style.halo) {
      painter_.setPen(colour_of(*text.style.halo));
      for (const int i : {-1, 0, 1})
        for (const int j : {-1, 0, 1})
          if (i != 0 || j != 0) painter_.drawText(QPointF(left + i * halo_px, j * halo_px), words);
    }
    painter_.setPen(colour_of(text.style.colour));
    painter_.drawText(QPointF(left, 0), words);
    painter_.restore();
  }
  void operator()(const DrawnPicture& picture) const {
    painter_.drawImage(rect_of(picture.place), qt_image(*picture.image));
  }
  void operator()(const DrawnPart& part) const {
    painter_.save();
    painter_.setClipRect(rect_of(part.place), Qt::IntersectClip);
    painter_.translate(part.place.x - part.origin.x, part.place.y - part.origin.y);
    paint(painter_, *part.drawing);
    painter_.restore();
  }

 private:
  QPainter& painter_;
};

}  // namespace

std::shared_ptr<const RgbImage> rgb_image(const QImage& image) {
  const QImage rows = image.convertToFormat(QImage::Format_RGB888);
  auto result = std::make_shared<RgbImage>();
  result->width = rows.width();
  result->height = rows.height();
  for (int y = 0; y < rows.height(); ++y)
    result->pixels.insert(result->pixels.end(), rows.constScanLine(y),
                          rows.constScanLine(y) + qsizetype{3} * rows.width());
  return result;
}

QImage qt_image(const RgbImage& image) {
  return QImage(image.pixels.data(), image.width, image.height, qsizetype{3} * image.width,
                QImage::Format_RGB888)
      .copy();
}

void paint(QPainter& painter, const Drawing& drawing) {
  painter.setRenderHint(QPainter::Antialiasing);
  const QtArtist artist(painter);
  for (const Drawing::Item& item : drawing.items) std::visit(artist, item);
}

std::string base64_png(const RgbImage& image) {
  QByteArray png;
  QBuffer buffer(&png);
  buffer.open(QIODevice::WriteOnly);
  qt_image(image).save(&buffer, "PNG");
  return png.toBase64().toStdString();
}

}  // namespace gantry
