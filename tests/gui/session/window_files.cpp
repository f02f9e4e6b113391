// Writes a file as the window does, without a window, so that a test can make its calls fail:
//   window_files session|autosave|film|figure 1|2 PATH
// The number chooses between two contents. The ending of the path chooses the kind of a film or
// figure; the path of an autosave is that of its folder.
#include "charts/painting/recording_painter.hpp"
#include "core/base/error.hpp"
#include "core/job/experiment_file.hpp"
#include "core/job/session_file.hpp"
#include "gui/session/autosave_folder.hpp"
#include "gui/track/film.hpp"
#include "gui/widgets/figure.hpp"

#include <QDir>
#include <QGuiApplication>
#include <QImage>

#include <cstdio>

using namespace gantry;

namespace {

Checkpoint checkpoint_of(int version) {
  Checkpoint checkpoint;
  checkpoint.run.solver = "sirt";
  checkpoint.backend = "cpu";
  checkpoint.progress.iterations = version;
  checkpoint.progress.solver.arrays = {std::vector<float>(4096, static_cast<float>(version))};
  checkpoint.history.resize(static_cast<std::size_t>(version));
  return checkpoint;
}

SessionHead head_of(const SessionPart& part) {
  SessionHead head;
  head.experiment = format_experiment(Experiment{}, "");
  head.parts = {part};
  return head;
}

void write_session_file(const QString& path, int version) {
  write_session(path.toStdString(), head_of({SessionRole::run, version, {}}),
                [version](std::size_t) { return checkpoint_of(version); });
}

/// A checkpoint in a file of its own, whose name differs each time as in the window, then the
/// session that names it.
void write_autosave_folder(const QString& path, int version) {
  if (!QDir().mkpath(path))
    throw OutputError("the folder cannot be made", path.toStdString(), "make it writable");
  const std::string name = "part" + std::to_string(version);
  write_checkpoint(QDir(path).filePath(QString::fromStdString(name)).toStdString(),
                   checkpoint_of(version), FileAccess::owner);
  write_autosave(path, head_of({SessionRole::run, 0, name}));
}

QImage picture_of(int grey) {
  QImage picture(64, 48, QImage::Format_RGB32);
  picture.fill(qRgb(grey, grey, grey));
  return picture;
}

/// A picture with a text and an area, which SVG and PDF hold as shapes.
PanelFigure figure_of(int version) {
  const QString caption = QStringLiteral("Version %1").arg(version);
  RecordingPainter painter(64, 48, table_ruler());
  painter.fill({4, 4, 10.0 * version, 8}, rgb(0xFF0000));
  painter.text(4, 30, caption.toStdString(), {});
  return {picture_of(30 * version), caption, painter.drawing()};
}

void write(const QString& kind, int version, const QString& path) {
  if (kind == QLatin1String("session"))
    write_session_file(path, version);
  else if (kind == QLatin1String("autosave"))
    write_autosave_folder(path, version);
  else if (kind == QLatin1String("film"))
    save_bytes(film_file(path, {picture_of(200), picture_of(30 * version)}, 100), path);
  else if (kind == QLatin1String("figure"))
    save_figure(figure_of(version), path);
  else
    throw UsageError("unknown kind", kind.toStdString(), "use session, autosave, film or figure");
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QGuiApplication application(argc, argv);
  try {
    const QStringList words = QCoreApplication::arguments();
    if (words.size() != 4) throw UsageError("three arguments are needed", "", "see the source");
    write(words[1], words[2].toInt(), words[3]);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "window_files: %s\n", error.what());
    return 1;
  }
}
