#include "app/start_timer.hpp"

#include "gui/main_window.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/start/start_page.hpp"
#include "gui/views/slice_view.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QFile>
#include <QTimer>

#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace gantry {

double process_age_s() {
  QFile stat(QStringLiteral("/proc/self/stat"));
  if (!stat.open(QIODevice::ReadOnly)) return 0;
  const QByteArray text = stat.readAll();
  // Field 22; the name of the program, field 2, may contain blanks and ends with a parenthesis.
  const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
  constexpr qsizetype start = 22 - 3;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
         fields.value(start).toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
}

StartTimer::StartTimer(MainWindow& window) : QObject(&window), window_(window) {
  report(tr("window made"));
  // A card, because the page itself is hidden by what it holds.
  window_.startPage().findChild<QWidget*>(QStringLiteral("takeDemo"))->installEventFilter(this);
  connect(&window_.controller(), &RunController::updatesEmitted, this, &StartTimer::lookAtTiles);
}

bool StartTimer::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Paint) {
    object->removeEventFilter(this);
    // Its neighbours are painted in the same pass.
    QTimer::singleShot(0, this, [this] {
      report(tr("start page painted"));
      QCoreApplication::quit();
    });
  }
  return false;
}

/// Waits for the next frame of a tile that has a picture.
void StartTimer::lookAtTiles() {
  for (SliceTile* tile : window_.board().tiles()) {
    const bool is_run = tile->id() != SliceTile::referenceId;
    const auto plane = tile->plane();
    if (window_.board().slice(tile->id(), plane.axis, plane.index) == nullptr) continue;
    connect(
        &tile->view(), &VtkView::painted, this,
        [this, is_run] {
          if (!hasPicture_) report(tr("first picture painted"));
          hasPicture_ = true;
          if (!is_run) return;
          report(tr("first estimate of a run painted"));
          disconnect(&window_.controller(), nullptr, this, nullptr);
          QCoreApplication::quit();
        },
        Qt::SingleShotConnection);
  }
}

void StartTimer::report(const QString& what) {
  std::printf("%6.2f s  %s\n", process_age_s(), what.toUtf8().constData());
  std::fflush(stdout);
}

}  // namespace gantry
