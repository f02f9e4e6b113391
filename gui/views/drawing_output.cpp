#include "gui/views/drawing_output.hpp"

#include <QBuffer>
#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <variant>

namespace gantry {

namespace {

// The font of the views, and what takes its place elsewhere.
const QString family = QStringLiteral("DejaVu Sans"),
              families = QStringLiteral("DejaVu Sans, Verdana, sans-serif");
constexpr double halo_px = 1;  // on either side of a letter

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
    if (line.dash.off_px > 0)  // in units of the width
      pen.setDashPattern({line.dash.on_px / line.width_px, line.dash.off_px / line.width_px});
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

QString number(double value) { return QString::number(value, 'g', 6); }

/// Returns ` fill="#204060" fill-opacity="0.5"`.
QString ink(const char* what, Rgb colour, double opacity = 1) {
  const QString name = QLatin1String(what);
  QString text = QStringLiteral(" %1=\"%2\"").arg(name, colour_of(colour).name());
  if (opacity < 1) text += QStringLiteral(" %1-opacity=\"%2\"").arg(name, number(opacity));
  return text;
}

QString points_text(const std::vector<PointPx>& points) {
  QStringList all;
  for (const PointPx& p : points) all << number(p.x) + QLatin1Char(',') + number(p.y);
  return all.join(QLatin1Char(' '));
}

QString place_text(const RectPx& r) {
  return QStringLiteral("x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"")
      .arg(number(r.x), number(r.y), number(r.width), number(r.height));
}

/// Writes the items of a drawing as elements of SVG.
class SvgWriter {
 public:
  explicit SvgWriter(int& gradients) : gradients_(gradients) {}

  QString operator()(const DrawnArea& area) const {
    return QStringLiteral("<polygon points=\"%1\"%2/>\n")
        .arg(points_text(area.corners), ink("fill", area.colour, area.opacity));
  }
  QString operator()(const DrawnLine& line) const {
    QString dash;
    if (line.dash.off_px > 0)
      dash = QStringLiteral(" stroke-dasharray=\"%1 %2\"")
                 .arg(number(line.dash.on_px), number(line.dash.off_px));
    return QStringLiteral("<polyline points=\"%1\" fill=\"none\"%2 stroke-width=\"%3\"%4/>\n")
        .arg(points_text(line.points), ink("stroke", line.colour, line.opacity),
             number(line.width_px), dash);
  }
  QString operator()(const DrawnDisc& disc) const {
    return QStringLiteral("<circle cx=\"%1\" cy=\"%2\" r=\"%3\"%4/>\n")
        .arg(number(disc.centre.x), number(disc.centre.y), number(disc.radius_px),
             ink("fill", disc.colour, disc.opacity));
  }
  QString operator()(const DrawnGradient& gradient) const {
    const QString name = QStringLiteral("scale%1").arg(++gradients_);
    const auto last = static_cast<double>(std::max<std::size_t>(gradient.colours.size(), 2) - 1);
    QString stops;
    for (std::size_t i = 0; i < gradient.colours.size(); ++i)
      stops +=
          QStringLiteral("<stop offset=\"%1\"%2/>")
              .arg(number(static_cast<double>(i) / last), ink("stop-color", gradient.colours[i]));
    return QStringLiteral(
               "<linearGradient id=\"%1\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">%2"
               "</linearGradient>\n<rect %3 fill=\"url(#%1)\"/>\n")
        .arg(name, stops, place_text(gradient.place));
  }
  QString operator()(const DrawnText& text) const {
    const char* const anchor = text.ax == AlignX::left     ? "start"
                               : text.ax == AlignX::centre ? "middle"
                                                           : "end";
    QString more = ink("fill", text.style.colour);
    if (text.style.bold) more += QStringLiteral(" font-weight=\"bold\"");
    if (text.style.halo)
      more += ink("stroke", *text.style.halo) +
              QStringLiteral(" stroke-width=\"%1\" paint-order=\"stroke\"").arg(2 * halo_px);
    if (text.style.upwards)
      more += QStringLiteral(" transform=\"rotate(-90 %1 %2)\"")
                  .arg(number(text.at.x), number(text.at.y));
    return QStringLiteral(
               "<text x=\"%1\" y=\"%2\" font-family=\"%3\" font-size=\"%4\" "
               "text-anchor=\"%5\"%6>%7</text>\n")
        .arg(number(text.at.x), number(text.at.y), families, number(text.style.size_px),
             QLatin1String(anchor), more, QString::fromStdString(text.text).toHtmlEscaped());
  }
  QString operator()(const DrawnPicture& picture) const {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    qt_image(*picture.image).save(&buffer, "PNG");
    return QStringLiteral(
               "<image %1 preserveAspectRatio=\"none\" "
               "xlink:href=\"data:image/png;base64,%2\"/>\n")
        .arg(place_text(picture.place), QString::fromLatin1(png.toBase64()));
  }
  /// An inner <svg> element clips to its viewport.
  QString operator()(const DrawnPart& part) const {
    return QStringLiteral("<svg %1 viewBox=\"%2 %3 %4 %5\">\n%6</svg>\n")
        .arg(place_text(part.place), number(part.origin.x), number(part.origin.y),
             number(part.place.width), number(part.place.height), all(*part.drawing));
  }
  QString all(const Drawing& drawing) const {
    QString text;
    for (const Drawing::Item& item : drawing.items) text += std::visit(*this, item);
    return text;
  }

 private:
  int& gradients_;  // so that every one has its own name
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

QString svg_elements(const Drawing& drawing) {
  int gradients = 0;
  return SvgWriter(gradients).all(drawing);
}

}  // namespace gantry
