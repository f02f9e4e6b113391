#include "gui/widgets/figure.hpp"

#include "core/base/error.hpp"

#include <QBuffer>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QObject>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <algorithm>

namespace gantry {

QImage figure_with_caption(const QImage& picture, const QString& caption) {
  if (picture.isNull() || caption.isEmpty()) return picture;
  QFont font;
  constexpr int smallest_px = 12, largest_px = 26;  // figures have two pixels for one on the screen
  font.setPixelSize(std::clamp(picture.width() / 45, smallest_px, largest_px));
  const QFontMetrics metrics(font);
  const int margin = metrics.height() / 2;
  const QRect room(margin, 0, picture.width() - 2 * margin, 10 * picture.height());
  const QRect text = metrics.boundingRect(room, Qt::TextWordWrap | Qt::AlignLeft, caption);
  QImage figure(picture.width(), picture.height() + text.height() + 2 * margin,
                QImage::Format_RGB32);
  figure.fill(Qt::white);
  QPainter painter(&figure);
  painter.drawImage(QRect(0, 0, picture.width(), picture.height()), picture);
  painter.setFont(font);
  painter.setPen(Qt::black);
  painter.drawText(QRect(margin, picture.height() + margin, room.width(), text.height()),
                   Qt::TextWordWrap | Qt::AlignLeft, caption);
  painter.end();
  figure.setText(QStringLiteral("Description"), caption);
  return figure;
}

namespace {

constexpr double points_per_pixel = 0.5;  // figures have two pixels for one on the screen
constexpr double caption_points = 9;

/// Returns a PNG file; nothing for a picture without pixels.
QByteArray png_of(const QImage& picture) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  picture.save(&buffer, "PNG");
  return bytes;
}

QFont caption_font() {
  QFont font;
  font.setPointSizeF(caption_points);
  return font;
}

/// Returns the caption in lines of at most this width, in points.
QStringList lines_of(const QString& caption, double width) {
  QFont font = caption_font();
  font.setPixelSize(static_cast<int>(caption_points));  // measured at a pixel for a point
  const QFontMetricsF metrics(font);
  QStringList lines{QString()};
  for (const QString& word : caption.split(QLatin1Char(' '))) {
    const QString longer = lines.back().isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
    if (metrics.horizontalAdvance(longer) <= width || lines.back().isEmpty())
      lines.back() = longer;
    else
      lines << word;
  }
  return lines;
}

QByteArray pdf_of(const QImage& picture, const QString& caption) {
  const QSizeF size = points_per_pixel * QSizeF(picture.size());
  const QStringList lines = lines_of(caption, size.width());
  const double line = 1.4 * caption_points;
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(72);  // a unit of the painter is a point
  writer.setPageMargins(QMarginsF());
  writer.setPageSize(
      QPageSize(size + QSizeF(0, line * static_cast<double>(lines.size() + 1)), QPageSize::Point));
  writer.setTitle(caption);
  QPainter painter(&writer);
  painter.drawImage(QRectF(QPointF(), size), picture);
  painter.setFont(caption_font());
  double y = size.height() + line;
  for (const QString& text : lines) {
    painter.drawText(QPointF(0, y), text);
    y += line;
  }
  painter.end();
  return bytes;
}

QByteArray svg_of(const QImage& picture, const QString& caption) {
  const QSizeF size = points_per_pixel * QSizeF(picture.size());
  const QStringList lines = lines_of(caption, size.width());
  const double line = 1.4 * caption_points;
  QString text;
  double y = size.height() + line;
  for (const QString& one : lines) {
    text += QStringLiteral("<text x=\"0\" y=\"%1\">%2</text>\n").arg(y).arg(one.toHtmlEscaped());
    y += line;
  }
  return QStringLiteral(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" "
             "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%1pt\" height=\"%2pt\" "
             "viewBox=\"0 0 %1 %2\">\n<desc>%3</desc>\n<image width=\"%1\" height=\"%4\" "
             "xlink:href=\"data:image/png;base64,%5\"/>\n"
             "<g font-family=\"sans-serif\" font-size=\"%6\">\n%7</g>\n</svg>\n")
      .arg(QString::number(size.width()), QString::number(y), caption.toHtmlEscaped(),
           QString::number(size.height()), QString::fromLatin1(png_of(picture).toBase64()),
           QString::number(caption_points), text)
      .toUtf8();
}

}  // namespace

QString figure_filters() {
  return QObject::tr("PNG picture (*.png);;PDF document (*.pdf);;SVG drawing (*.svg)");
}

QString save_figure(const QImage& picture, const QString& caption, const QString& path,
                    FileAccess access) {
  if (picture.isNull())
    throw OutputError("there is no picture to write", path.toStdString(), "show the view first");
  const QString ending = QFileInfo(path).suffix().toLower();
  if (ending == QLatin1String("pdf")) {
    save_bytes(pdf_of(picture, caption), path, access);
    return path;
  }
  if (ending == QLatin1String("svg")) {
    save_bytes(svg_of(picture, caption), path, access);
    return path;
  }
  const QString png = ending == QLatin1String("png") ? path : path + QStringLiteral(".png");
  save_png(figure_with_caption(picture, caption), png, access);
  return png;
}

void save_png(const QImage& image, const QString& path, FileAccess access) {
  const QByteArray bytes = png_of(image);
  if (bytes.isEmpty())
    throw OutputError("there is no picture to write", path.toStdString(), "show the view first");
  save_bytes(bytes, path, access);
}

void save_bytes(const QByteArray& bytes, const QString& path, FileAccess access) {
  write_file_atomically(
      path.toStdString(),
      std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))), access);
}

void save_text(const QString& text, const QString& path, FileAccess access) {
  save_bytes(text.toUtf8(), path, access);
}

}  // namespace gantry
