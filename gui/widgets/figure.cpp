#include "gui/widgets/figure.hpp"

#include "core/base/error.hpp"

#include <QBuffer>
#include <QPainter>

namespace gantry {

QImage figure_with_caption(const QImage& picture, const QString& caption) {
  if (picture.isNull() || caption.isEmpty()) return picture;
  QFont font;
  font.setPixelSize(std::max(12, picture.width() / 45));
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

void save_png(const QImage& image, const QString& path, FileAccess access) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (image.isNull() || !image.save(&buffer, "PNG"))
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
