// Writes pictures of the window in its states, to be looked at.
//
//   tests/support/with_display.sh build/tests/window_states FOLDER WIDTHxHEIGHT light|dark [SCAN]
//
// One PNG per state: the start page, every workspace while two runs compute, every step and panel,
// a sweep and a race, a volume in three planes, an edit that waits, a refused file, and, where SCAN
// is given, a measured scan. QT_SCALE_FACTOR=2 shows them as a screen of twice the density does.
// The pictures are those of the display, so that another window in front would be on them too.
#include "app/thread_policy.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/sweep/race_board.hpp"
#include "gui/views/vtk_view.hpp"
#include "gui/widgets/window_style.hpp"
#include "tests/gui/window_fixture.hpp"

#include <QDir>
#include <QDockWidget>
#include <QPushButton>
#include <QScreen>
#include <QTabWidget>

#include <cstdio>

namespace gantry::test {
namespace {

constexpr int settle_ms = 700, compute_ms = 40000;

void wait(int ms = settle_ms) { QTest::qWait(ms); }

QPalette dark_palette() {
  QPalette palette;
  palette.setColor(QPalette::Window, QColor(45, 45, 48));
  palette.setColor(QPalette::Base, QColor(30, 30, 30));
  palette.setColor(QPalette::AlternateBase, QColor(38, 38, 41));
  palette.setColor(QPalette::Button, QColor(60, 60, 64));
  palette.setColor(QPalette::ToolTipBase, QColor(60, 60, 64));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                          QPalette::ToolTipText, QPalette::PlaceholderText})
    palette.setColor(role, QColor(235, 235, 235));
  return palette;
}

/// The window, and the folder that receives its pictures.
class States {
 public:
  States(QString folder, QSize size) : folder_(std::move(folder)) {
    w_.window->resize(size);
    w_.window->move(0, 0);
    if (!QTest::qWaitForWindowExposed(w_.window.get())) qFatal("the window did not open");
  }

  void start() {
    window().showStartPage();
    take("start");
  }

  void headIn2d() {
    window().openReadyExperiment();
    wait(3000);
    take("compare-running");
    for (const PanelSpec& panel : panel_list()) {
      window().panels().open(panel.key);
      take("panel-" + panel.key);
    }
    for (const PanelSpec& panel : panel_list())
      if (auto* dock = window().findChild<QDockWidget*>(panel.key);
          dock != nullptr && panel.place == PanelPlace::inspector)
        dock->hide();
    workspace(WindowLayout::data, "data-phantom");
    workspace(WindowLayout::present, "present");
    workspace(WindowLayout::single, "single");
    workspace(WindowLayout::compare, "compare");
  }

  void smallHead() {
    w_.openSmall();
    ready();
    for (const int id : w_.model().runIds()) w_.controller().start(id);
    computed();
    window().runs().selectRun(w_.run(1));
    w_.model().editRun(w_.run(1), QStringLiteral("relaxation"),
                       [](RunSpec& run) { run.solver_params.set("relaxation", 0.4); });
    take("edit-waits");
    workspace(WindowLayout::sweep, "sweep-before");
    press("startSweep");
    wait(6000);
    take("sweep");
    for (auto* tabs : window().findChildren<QTabWidget*>())
      if (tabs->indexOf(&window().race()) >= 0) tabs->setCurrentWidget(&window().race());
    take("race-before");
    press("startRace");
    wait(6000);
    take("race");
    window().open(QStringLiteral("/no such folder/scan.json"));
    workspace(WindowLayout::compare, "file-refused");
  }

  void headInSpace() {
    w_.openSpatial();
    ready();
    for (const int id : w_.model().runIds()) w_.controller().start(id);
    computed();
    workspace(WindowLayout::space, "space");
    workspace(WindowLayout::data, "data-cone");
    workspace(WindowLayout::compare, "compare-cone");
  }

  void measured(const QString& path) {
    window().open(path);
    wait(3000);
    ready();
    take("data-measured");
    for (const char* step : {"scan", "data"}) {
      window().panels().open(QLatin1String(step));
      take(QStringLiteral("data-measured-") + QLatin1String(step));
    }
    workspace(WindowLayout::compare, "compare-measured");
    if (w_.controller().data()->grid.nz > 1) workspace(WindowLayout::space, "space-measured");
  }

 private:
  MainWindow& window() { return *w_.window; }
  void ready() {
    if (!QTest::qWaitFor([this] { return w_.isReady(); }, compute_ms)) qFatal("no data came");
  }
  void computed() {
    const auto all_ended = [this] { return !w_.controller().anyActive(); };
    if (!QTest::qWaitFor(all_ended, compute_ms)) qFatal("the runs do not end");
  }
  void press(const char* button) {
    if (auto* found = window().findChild<QPushButton*>(QLatin1String(button)))
      found->click();
    else
      std::printf("no button %s\n", button);
  }
  void workspace(WindowLayout layout, const char* name) {
    window().applyLayout(layout);
    take(name);
  }
  void take(const QString& name) {
    wait();
    const QString file = QStringLiteral("%1/%2-%3.png")
                             .arg(folder_)
                             .arg(++taken_, 2, 10, QLatin1Char('0'))
                             .arg(name);
    if (!window().screen()->grabWindow(window().winId()).save(file))
      qFatal("%s: not written", qPrintable(file));
    std::printf("%s, %d x %d\n", qPrintable(file), window().width(), window().height());
  }

  QString folder_;
  WindowFixture w_;
  int taken_ = 0;
};

int run(int argc, char** argv) {
  wait_without_spinning(argv);
  QSurfaceFormat::setDefaultFormat(VtkView::surfaceFormat());
  const QApplication application(argc, argv);
  QApplication::setStyle(new WindowStyle);
  const QStringList arguments = QApplication::arguments();
  const QStringList size = arguments.value(2).split(QLatin1Char('x'));
  if (arguments.size() < 4 || size.size() != 2 || !QDir().mkpath(arguments[1])) {
    std::fprintf(stderr, "window_states FOLDER WIDTHxHEIGHT light|dark [SCAN]\n");
    return 2;
  }
  if (arguments[3] == QLatin1String("dark")) QApplication::setPalette(dark_palette());
  States states(arguments[1], {size[0].toInt(), size[1].toInt()});
  states.start();
  states.headIn2d();
  states.smallHead();
  states.headInSpace();
  if (arguments.size() > 4) states.measured(arguments[4]);
  return 0;
}

}  // namespace
}  // namespace gantry::test

int main(int argc, char** argv) { return gantry::test::run(argc, argv); }
