#include "app/unattended.hpp"

#include "core/base/error.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/main_window.hpp"
#include "gui/track/film.hpp"
#include "gui/track/gif_film.hpp"
#include "gui/widgets/figure.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QPixmap>
#include <QTimer>

#include <cstdio>

namespace gantry {

namespace {

bool at_rest(const RunStatus& status) {
  return status.state == RunState::finished || status.state == RunState::failed ||
         status.state == RunState::stopped;
}

}  // namespace

Unattended::Unattended(MainWindow& window, int iterations, QString folder)
    : QObject(&window), window_(window), iterations_(iterations), folder_(std::move(folder)) {
  window_.files().setAsksUser(false);
  connect(&window_.controller(), &RunController::dataChanged, this, &Unattended::startRuns);
  connect(&window_.controller(), &RunController::dataFailed, this, [this](const QString& message) {
    std::fprintf(stderr, "gantry: %s\n", message.toUtf8().constData());
    finish(1);
  });
  connect(&window_.files(), &FileActions::failed, this,
          [this](const QString& what, const QString& message) {
            std::fprintf(stderr, "gantry: %s: %s\n", what.toUtf8().constData(),
                         message.toUtf8().constData());
            finish(1);
          });
  connect(&window_.controller(), &RunController::updatesEmitted, this, &Unattended::checkProgress);
}

void Unattended::startRuns() {
  if (started_) return;
  started_ = true;
  window_.model().edit(tr("Iterations"), [this](Experiment& experiment) {
    for (RunSpec& run : experiment.runs) run.iterations = iterations_;
  });
  for (const int id : window_.model().runIds()) window_.controller().start(id);
}

void Unattended::checkProgress() {
  if (!started_ || writing_ || window_.model().runIds().empty()) return;
  for (const int id : window_.model().runIds()) {
    const RunStatus& status = window_.controller().status(id);
    if (!status.wasStarted() || !at_rest(status)) return;
  }
  writing_ = true;
  QTimer::singleShot(500, this, &Unattended::writeAll);  // after the last update of the window
}

void Unattended::writeAll() {
  try {
    if (!QDir().mkpath(folder_))
      throw OutputError("the folder cannot be made", folder_.toStdString(), "choose another");
    const QDir folder(folder_);
    save_png(window_.grab().toImage(), folder.filePath(QStringLiteral("screenshot.png")),
             window_.files().access());
    if (can_write_films()) writeFilm(folder.filePath(QStringLiteral("film.gif")));
    window_.files().saveCurves(folder.filePath(QStringLiteral("curves.csv")));
    window_.files().saveExperiment(folder.filePath(QStringLiteral("experiment.json")));
    std::printf("screenshot: %s\ncurves: %s\nexperiment: %s\n",
                folder.filePath(QStringLiteral("screenshot.png")).toUtf8().constData(),
                folder.filePath(QStringLiteral("curves.csv")).toUtf8().constData(),
                folder.filePath(QStringLiteral("experiment.json")).toUtf8().constData());
    int index = 0;
    for (const int id : window_.model().runIds()) {
      if (window_.controller().status(id).state == RunState::failed) continue;
      const QString path = folder.filePath(
          volume_file_name(index++, QString::fromStdString(window_.model().run(id)->solver)));
      ++pending_;
      window_.files().saveVolume(id, path);
      std::printf("volume: %s\n", path.toUtf8().constData());
    }
    connect(&window_.files(), &FileActions::done, this, [this] {
      if (--pending_ <= 0) finish(0);
    });
    if (pending_ == 0) finish(1);
  } catch (const Error& error) {
    std::fprintf(stderr, "gantry: %s\n", error.what());
    finish(1);
  }
}

void Unattended::writeFilm(const QString& path) {
  constexpr int most_pictures = 60, milliseconds = 250, width = 1000;
  const int first = window_.model().runIds().front();
  // Held until the pictures are made: the run may go on.
  const std::shared_ptr<const IterateList> kept = window_.controller().status(first).iterates;
  if (kept == nullptr) return;
  const auto pictures = film_pictures(window_.playhead(), *kept, most_pictures, [this](int) {
    return window_.grab().toImage().scaledToWidth(width, Qt::SmoothTransformation);
  });
  if (pictures.empty()) return;
  save_bytes(gif_film(pictures, milliseconds), path, window_.files().access());
  std::printf("film: %s\n", path.toUtf8().constData());
}

void Unattended::finish(int exit_code) {
  started_ = writing_ = true;  // no further message starts anything
  // If opening a file fails before the event loop runs, exit() has no effect yet; therefore it is
  // called from the event loop.
  QTimer::singleShot(0, this, [exit_code] { QCoreApplication::exit(exit_code); });
}

}  // namespace gantry
