#include "app/start_timer.hpp"

#include "gui/data/file_actions.hpp"
#include "gui/main_window.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/start/start_page.hpp"
#include "gui/views/slice_view.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QFile>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <unistd.h>
#include <utility>

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
  window_.files().setAsksUser(false);  // nobody waits to answer a question
  // A card, because the page itself is hidden by what it holds.
  window_.startPage().findChild<QWidget*>(QStringLiteral("takeDemo"))->installEventFilter(this);
  watchViews();
  connect(&window_.controller(), &RunController::updatesEmitted, this, &StartTimer::watchViews);
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

/// Follows the frames of all views; views are made with what they show.
void StartTimer::watchViews() {
  for (SliceView* view : window_.findChildren<SliceView*>()) {
    if (watched_.contains(view)) continue;
    watched_.insert(view);
    connect(view, &VtkView::painted, this, [this, view] { lookAt(*view); });
  }
}

/// Looks at a view that has been painted. Where no run computes, as after opening a file, the first
/// picture is all there is to wait for.
void StartTimer::lookAt(const SliceView& view) {
  if (isDone_ || view.slice().image() == nullptr) return;
  if (!std::exchange(hasPicture_, true)) report(tr("first picture painted"));
  const bool is_estimate = std::ranges::any_of(window_.board().tiles(), [&](SliceTile* tile) {
    const auto plane = tile->plane();
    return &tile->view() == &view && tile->id() != SliceTile::referenceId &&
           window_.board().slice(tile->id(), plane.axis, plane.index) != nullptr;
  });
  if (is_estimate) report(tr("first estimate of a run painted"));
  isDone_ = is_estimate || !window_.controller().anyActive();
  // Not at once: this closes the window, which is being painted.
  if (isDone_) QTimer::singleShot(0, qApp, &QCoreApplication::quit);
}

void StartTimer::report(const QString& what) {
  std::printf("%6.2f s  %s\n", process_age_s(), what.toUtf8().constData());
  std::fflush(stdout);
}

}  // namespace gantry
