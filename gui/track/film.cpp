#include "gui/track/film.hpp"

#include "core/base/error.hpp"
#include "gui/track/gif_film.hpp"
#include "gui/track/video_film.hpp"
#include "gui/widgets/background.hpp"
#include "gui/widgets/figure.hpp"

#include <QFileInfo>
#include <QPainter>
#include <QProgressDialog>
#include <QStringList>

#include <algorithm>

namespace gantry {

namespace {

constexpr int most_pictures = 100, milliseconds_each = 100;

struct Films {
  Q_DECLARE_TR_FUNCTIONS(Films)
};

using Encoder = QByteArray (*)(const std::vector<QImage>& pictures, int milliseconds);

/// Returns what encodes a film with the ending of the path. Throws UsageError for another ending.
Encoder encoder_of(const QString& path) {
  const QString ending = QFileInfo(path).suffix().toLower();
  if (ending == QLatin1String("gif")) return gif_film;
  if (ending == QLatin1String("ogv")) return video_film;
  throw UsageError("no film has the ending '" + ending.toStdString() + "'", path.toStdString(),
                   "use .gif or .ogv");
}

}  // namespace

std::vector<QImage> film_pictures(
    Playhead& playhead, const IterateList& kept, int most,
    const std::function<QImage(int iteration)>& picture,
    const std::function<bool(std::size_t done, std::size_t all)>& goes_on) {
  std::vector<QImage> pictures;
  if (kept.empty()) return pictures;
  const auto last = kept.size() - 1;
  const std::size_t count = std::min(kept.size(), static_cast<std::size_t>(std::max(1, most)));
  for (std::size_t i = 0; i < count; ++i) {
    if (goes_on && !goes_on(i, count)) {
      pictures.clear();
      break;
    }
    const KeptIterate& one = kept[count > 1 ? i * last / (count - 1) : last];
    playhead.set(ProgressAxis::iterations, one.iteration);
    pictures.push_back(picture(one.iteration));
  }
  playhead.goLive();
  return pictures;
}

std::vector<QImage> of_one_size(std::vector<QImage> pictures) {
  QSize size;
  for (const QImage& picture : pictures) size = size.expandedTo(picture.size());
  for (QImage& picture : pictures) {
    if (picture.size() == size) continue;
    QImage larger(size, QImage::Format_RGB32);
    larger.fill(Qt::white);
    picture.setDevicePixelRatio(1);
    QPainter(&larger).drawImage(0, 0, picture);
    picture = larger;
  }
  return pictures;
}

QString film_filters() {
  QStringList kinds;
  if (can_write_films()) kinds << Films::tr("GIF film (*.gif)");
  if (can_write_videos()) kinds << Films::tr("Ogg Theora video (*.ogv)");
  return kinds.join(QStringLiteral(";;"));
}

QByteArray film_file(const QString& path, const std::vector<QImage>& pictures, int milliseconds) {
  return encoder_of(path)(pictures, milliseconds);
}

/// The list of iterates is held until the pictures are made: the dialog handles events, in which
/// the run may go on or end with its experiment.
void save_film(QWidget* window, Playhead& playhead, std::shared_ptr<const IterateList> kept,
               FilmRequest request) {
  try {
    encoder_of(request.path);  // before the pictures are made, which takes long
  } catch (const Error& error) {
    return request.failed(QString::fromUtf8(error.what()));
  }
  auto* dialog = new QProgressDialog(Films::tr("Drawing the pictures of the film"),
                                     Films::tr("Cancel"), 0, 0, window);
  dialog->setObjectName(QStringLiteral("filmProgress"));
  dialog->setWindowModality(Qt::WindowModal);
  dialog->setMinimumDuration(0);
  dialog->setAutoClose(false);
  auto pictures = of_one_size(film_pictures(playhead, *kept, most_pictures, request.picture,
                                            [dialog](std::size_t done, std::size_t all) {
                                              dialog->setMaximum(static_cast<int>(all));
                                              dialog->setValue(static_cast<int>(done));
                                              return !dialog->wasCanceled();
                                            }));
  if (pictures.empty() || pictures.front().isNull()) {
    dialog->deleteLater();
    if (!pictures.empty())
      request.failed(Films::tr("No view shows an image: open one, then save the film"));
    return;
  }
  dialog->setLabelText(Films::tr("Encoding the film"));
  dialog->setRange(0, 0);
  in_background<QByteArray>(
      dialog,
      [pictures = std::move(pictures), path = request.path] {
        return film_file(path, pictures, milliseconds_each);
      },
      [dialog, request](const QByteArray& film) {
        const bool cancelled = dialog->wasCanceled();
        dialog->deleteLater();
        if (cancelled) return;
        try {
          save_bytes(film, request.path, request.access);
          request.saved();
        } catch (const Error& error) {
          request.failed(QString::fromUtf8(error.what()));
        }
      },
      [dialog, request](const QString& message) {
        dialog->deleteLater();
        request.failed(message);
      });
}

}  // namespace gantry
