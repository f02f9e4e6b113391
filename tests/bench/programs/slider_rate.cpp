// How fast reduced reconstructions follow a slider.
//
//   tests/support/with_display.sh build/tests/slider_rate [MOVES]
//
// Opens the window with the ready experiment (512 x 512, SART and SIRT, a few iterations each),
// lets both runs end, and moves every slider of the forms MOVES times. Prints, for each slider, the
// time from a move until a view shows a picture of the new value. A move waits for the picture of
// the one before.
#include "app/thread_policy.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/knob.hpp"
#include "tests/gui/window_fixture.hpp"

#include <QSurfaceFormat>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace gantry {
namespace {

constexpr int most_wait_ms = 20000;

class Bench {
 public:
  explicit Bench(int moves) : moves_(moves) {
    wait([this] { return fixture_.window->isVisible(); });
    Experiment experiment = ready_experiment();
    for (RunSpec& run : experiment.runs) run.iterations = 5;
    fixture_.open(experiment);
    wait([this] { return fixture_.isReady(); });
    for (const int id : ids()) fixture_.controller().start(id);
    for (const int id : ids()) wait([=, this] { return fixture_.state(id) == RunState::finished; });
    window().runs().selectRun(ids().front());
  }

  void run() {
    std::set<const Knob*> measured;
    for (const char* step : {"data", "scan", "runs"}) {
      window().panels().open(QLatin1String(step));
      QCoreApplication::processEvents();
      for (Knob* knob : window().findChildren<Knob*>())
        if (knob->isVisible() && knob->isEnabled() && measured.insert(knob).second) measure(*knob);
    }
  }

 private:
  MainWindow& window() { return *fixture_.window; }
  std::vector<int> ids() { return fixture_.model().runIds(); }

  static bool wait(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, most_wait_ms);
  }

  /// The pictures that the views of all runs show.
  std::vector<std::shared_ptr<const SliceImage>> shown() {
    std::vector<std::shared_ptr<const SliceImage>> all;
    for (const int id : ids()) all.push_back(window().board().tile(id)->view().slice().image());
    return all;
  }

  void measure(Knob& knob) {
    std::vector<double> times_ms;
    const int start = knob.value();
    knob.setSliderDown(true);
    for (int i = 0; i < moves_; ++i) {
      const auto before = shown();
      const auto moved = std::chrono::steady_clock::now();
      // Forth and back, so that every move reaches another value.
      const int part = i % 2 == 0 ? 1 + i : 2 * moves_ - i;
      knob.setSliderPosition(knob.maximum() * part / (2 * moves_ + 1));
      if (!wait([&] { return shown() != before; })) break;
      times_ms.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - moved)
              .count());
    }
    knob.setSliderPosition(start);
    knob.setSliderDown(false);
    QTest::qWait(500);
    std::ranges::sort(times_ms);
    const auto at = [&](double part) {
      return times_ms.empty() ? NAN
                              : times_ms[static_cast<std::size_t>(
                                    part * static_cast<double>(times_ms.size() - 1))];
    };
    std::printf("%-24s %8zu %10.0f %10.0f %10.0f\n", qPrintable(knob.objectName()), times_ms.size(),
                at(0.5), at(0.95), at(1));
    std::fflush(stdout);
  }

  const int moves_;
  test::WindowFixture fixture_;
};

}  // namespace
}  // namespace gantry

int main(int argc, char** argv) {
  gantry::wait_without_spinning(argv);
  QSurfaceFormat::setDefaultFormat(gantry::VtkView::surfaceFormat());
  QApplication application(argc, argv);
  double load = 0;
  if (getloadavg(&load, 1) != 1) load = NAN;
  std::printf("%u processor cores, load %.1f before\n", std::thread::hardware_concurrency(), load);
  std::printf("%-24s %8s %10s %10s %10s\n", "", "pictures", "median ms", "95 % ms", "most ms");
  gantry::Bench(argc > 1 ? std::atoi(argv[1]) : 10).run();
  return 0;
}
