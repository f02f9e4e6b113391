#include "gui/start/thumbnails.hpp"

#include "core/base/error.hpp"
#include "gui/widgets/figure.hpp"

#include <QCryptographicHash>
#include <QDir>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int scale = 2;  // pixels for each logical one, for screens of high density

QString path_of(const QString& name) {
  const QByteArray hash = QCryptographicHash::hash(name.toUtf8(), QCryptographicHash::Sha1).toHex();
  return QDir(QStandardPaths::writableLocation(QStandardPaths::CacheLocation))
      .filePath(QStringLiteral("thumbnails/%1.png").arg(QString::fromLatin1(hash)));
}

}  // namespace

QImage picture_of(const SliceImage& slice, const WindowLevel& grey, bool v_up, const QSize& size) {
  if (slice.width < 1 || slice.height < 1 || !(grey.window > 0)) return {};
  QImage picture(slice.width, slice.height, QImage::Format_Grayscale8);
  for (int y = 0; y < slice.height; ++y) {
    uchar* line = picture.scanLine(v_up ? slice.height - 1 - y : y);
    for (int x = 0; x < slice.width; ++x) {
      const float value =
          slice.values[static_cast<std::size_t>(y) * static_cast<std::size_t>(slice.width) +
                       static_cast<std::size_t>(x)];
      const double part = (value - grey.level) / grey.window + 0.5;
      line[x] = static_cast<uchar>(
          std::isfinite(part) ? std::lround(255 * std::clamp(part, 0.0, 1.0)) : 0);
    }
  }
  // Pixels need not be square.
  const QSize shape(
      std::max(1, static_cast<int>(std::lround(slice.width))),
      std::max(1, static_cast<int>(std::lround(slice.height * slice.dv_mm / slice.du_mm))));
  return picture.scaled(shape.scaled(scale * size, Qt::KeepAspectRatio), Qt::IgnoreAspectRatio,
                        Qt::SmoothTransformation);
}

QImage kept_thumbnail(const QString& name) { return QImage(path_of(name)); }

void keep_thumbnail(const QString& name, const QImage& picture) {
  const QString path = path_of(name);
  try {
    if (QDir().mkpath(QFileInfo(path).absolutePath())) save_png(picture, path, FileAccess::owner);
  } catch (const OutputError&) {  // the card then has no picture
  }
}

}  // namespace gantry
