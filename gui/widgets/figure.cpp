#include "gui/widgets/figure.hpp"

#include "charts/painting/svg_writer.hpp"
#include "core/base/error.hpp"
#include "gui/views/drawing_output.hpp"

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

QByteArray pdf_of(const Drawing& drawing, const QString& caption) {
  const QStringList lines = lines_of(caption, drawing.width_px);
  const double line = 1.4 * caption_points;
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setResolution(72);  // a unit of the painter is a point
  writer.setPageMargins(QMarginsF());
  writer.setPageSize(QPageSize(
      QSizeF(drawing.width_px, drawing.height_px + line * static_cast<double>(lines.size() + 1)),
      QPageSize::Point));
  writer.setTitle(caption);
  QPainter painter(&writer);
  paint(painter, drawing);
  painter.setFont(caption_font());
  painter.setPen(Qt::black);
  double y = drawing.height_px + line;
  for (const QString& text : lines) {
    painter.drawText(QPointF(0, y), text);
    y += line;
  }
  painter.end();
  return bytes;
}

QByteArray svg_of(const Drawing& drawing, const QString& caption) {
  const QStringList lines = lines_of(caption, drawing.width_px);
  const double line = 1.4 * caption_points;
  QString text;
  double y = drawing.height_px + line;
  for (const QString& one : lines) {
    text += QStringLiteral("<text x=\"0\" y=\"%1\">%2</text>\n").arg(y).arg(one.toHtmlEscaped());
    y += line;
  }
  return QStringLiteral(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" "
             "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%1pt\" height=\"%2pt\" "
             "viewBox=\"0 0 %1 %2\">\n<desc>%3</desc>\n%4"
             "<g font-family=\"sans-serif\" font-size=\"%5\">\n%6</g>\n</svg>\n")
      .arg(QString::number(drawing.width_px), QString::number(y), caption.toHtmlEscaped(),
           QString::fromStdString(svg_elements(drawing, base64_png)),
           QString::number(caption_points), text)
      .toUtf8();
}

/// Returns the figure as shapes, or as the picture alone where it has no shapes.
Drawing drawing_of(const PanelFigure& figure) {
  if (!figure.drawing.items.empty()) return figure.drawing;
  const QSizeF size = QSizeF(figure.picture.size()) / figureScale;
  Drawing alone{size.width(), size.height(), {}};
  alone.items.emplace_back(
      DrawnPicture{{0, 0, size.width(), size.height()}, rgb_image(figure.picture)});
  return alone;
}

}  // namespace

QString figure_filters() {
  return QObject::tr("PNG picture (*.png);;PDF document (*.pdf);;SVG drawing (*.svg)");
}

QString save_figure(const PanelFigure& figure, const QString& path, FileAccess access) {
  if (figure.picture.isNull())
    throw OutputError("there is no picture to write", path.toStdString(), "show the view first");
  const QString ending = QFileInfo(path).suffix().toLower();
  if (ending == QLatin1String("pdf") || ending == QLatin1String("svg")) {
    const auto write = ending == QLatin1String("pdf") ? pdf_of : svg_of;
    save_bytes(write(drawing_of(figure), figure.caption), path, access);
    return path;
  }
  const QString png = ending == QLatin1String("png") ? path : path + QStringLiteral(".png");
  save_png(figure_with_caption(figure.picture, figure.caption), png, access);
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
