// How fast the window follows the mouse while two runs compute.
//
//   tests/support/with_display.sh build/tests/window_rate [SECONDS [PART OF A GESTURE'S NAME]]
//
// Opens the window, 1920 x 1080, with the ready experiment (512 x 512, SART and SIRT), and then a
// small scan in space, and moves a mouse 60 times a second from a thread of its own, as a display
// server does: moves that the window has not handled yet are merged. Prints, for each gesture, the
// pictures a second, and the time from a move until the window has handed over the picture that
// shows it (of merged moves: from the first); the display server's own work is not included.
#include "app/thread_policy.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/volume_view.hpp"
#include "tests/gui/window_fixture.hpp"

#include <QEventLoop>
#include <QMouseEvent>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace gantry {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds between_moves{16667};
constexpr int many_iterations = 1000000;

double ms_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

/// The application, which knows when the window has drawn.
class MeasuringApplication : public QApplication {
 public:
  using QApplication::QApplication;

  const QWidget* window = nullptr;
  std::function<void()> pictureDone;

  bool notify(QObject* receiver, QEvent* event) override {
    // The event may be deleted by the time it has been handled.
    const bool draws = event->type() == QEvent::UpdateRequest && receiver == window;
    const bool handled = QApplication::notify(receiver, event);
    if (draws && pictureDone) pictureDone();
    return handled;
  }
};

/// One gesture: what the i-th move does, and the views in which it is seen.
struct Gesture {
  const char* name;
  std::function<void(int i)> move;
  std::vector<const VtkView*> views;
};

/// Moves the mouse and measures.
class Measurement {
 public:
  Measurement(MeasuringApplication& application, Gesture gesture)
      : application_(application), gesture_(std::move(gesture)) {
    painted_ = paintCounts();
    application_.pictureDone = [this] { pictureDone(); };
  }
  ~Measurement() { application_.pictureDone = {}; }

  void run(double seconds) {
    const auto start = Clock::now();
    std::jthread mouse([this](const std::stop_token& stop) { moveMouse(stop); });
    QEventLoop loop;
    QTimer::singleShot(static_cast<int>(1000 * seconds), &loop, &QEventLoop::quit);
    loop.exec();
    mouse.request_stop();
    mouse.join();
    seconds_ = ms_between(start, Clock::now()) / 1000;
    QCoreApplication::processEvents();
  }

  void print() {
    std::ranges::sort(reactions_ms_);
    const auto at = [this](double share) {
      return reactions_ms_.empty() ? NAN
                                   : reactions_ms_[static_cast<std::size_t>(
                                         share * static_cast<double>(reactions_ms_.size() - 1))];
    };
    std::printf("%-34s %10.1f %10.1f %10.1f %10.1f\n", gesture_.name,
                static_cast<double>(reactions_ms_.size()) / seconds_, at(0.5), at(0.95), at(1));
    std::fflush(stdout);
  }

 private:
  int paintCounts() const {
    int sum = 0;
    for (const VtkView* view : gesture_.views) sum += view->paintCount();
    return sum;
  }

  void moveMouse(const std::stop_token& stop) {
    auto next = Clock::now();
    for (int i = 0; !stop.stop_requested(); ++i) {
      next += between_moves;
      std::this_thread::sleep_until(next);
      bool posts = false;
      {
        const std::scoped_lock lock(mutex_);
        latest_ = i;
        posts = !waitingSince_;
        if (posts) waitingSince_ = Clock::now();
      }
      if (posts)
        QMetaObject::invokeMethod(
            &application_, [this] { handle(); }, Qt::QueuedConnection);
    }
  }

  void handle() {
    int i = 0;
    {
      const std::scoped_lock lock(mutex_);
      i = latest_;
      if (!handledSince_) handledSince_ = waitingSince_;
      waitingSince_.reset();
    }
    gesture_.move(i);
  }

  void pictureDone() {
    const int painted = paintCounts();
    if (painted == painted_ || !handledSince_) return;
    painted_ = painted;
    reactions_ms_.push_back(ms_between(*handledSince_, Clock::now()));
    handledSince_.reset();
  }

  MeasuringApplication& application_;
  Gesture gesture_;
  int painted_ = 0;
  double seconds_ = 0;
  std::vector<double> reactions_ms_;
  std::optional<Clock::time_point> handledSince_;  // the first move that no picture shows yet
  std::mutex mutex_;                               // of the two below
  int latest_ = 0;
  std::optional<Clock::time_point> waitingSince_;
};

void sendMouse(QWidget& view, QEvent::Type type, QPointF at, Qt::MouseButton button,
               Qt::MouseButtons buttons) {
  QMouseEvent event(type, at, view.mapToGlobal(at), button, buttons, Qt::NoModifier);
  QCoreApplication::sendEvent(&view, &event);
}

void turnWheel(QWidget& view, int notch, Qt::KeyboardModifiers modifiers) {
  const QPointF middle = QRectF(view.rect()).center();
  QWheelEvent event(middle, view.mapToGlobal(middle), {}, {0, notch}, Qt::NoButton, modifiers,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&view, &event);
}

/// A point that goes round about the middle of a view, once in two seconds.
QPointF roundabout(const QWidget& view, int i, double radius_px) {
  const double angle = 2 * M_PI * i / 120;
  return QRectF(view.rect()).center() + radius_px * QPointF(std::cos(angle), std::sin(angle));
}

/// A drag with the left button, round about the middle of a view.
Gesture drag(const char* name, VtkView& view, double radius_px, std::vector<const VtkView*> views) {
  return {name,
          [&view, radius_px](int i) {
            sendMouse(view, QEvent::MouseMove, roundabout(view, i, radius_px), Qt::NoButton,
                      Qt::LeftButton);
          },
          std::move(views)};
}

/// Presses the left button at a point that is not on a cross-hair in the middle.
void press(QWidget& view) {
  sendMouse(view, QEvent::MouseButtonPress, QRectF(view.rect()).center() + QPointF(40, 40),
            Qt::LeftButton, Qt::LeftButton);
}

void release(QWidget& view) {
  sendMouse(view, QEvent::MouseButtonRelease, QRectF(view.rect()).center(), Qt::LeftButton,
            Qt::NoButton);
}

class Bench {
 public:
  Bench(MeasuringApplication& application, double seconds, std::string wanted)
      : application_(application), seconds_(seconds), wanted_(std::move(wanted)) {
    window().resize(1920, 1080);
    application_.window = &window();
    wait([this] {
      return window().windowHandle() != nullptr && window().windowHandle()->isExposed();
    });
  }

  void compare() {
    start(ready_experiment());
    const auto tiles = window().board().tiles();
    std::vector<const VtkView*> views;
    for (SliceTile* tile : tiles) views.push_back(&tile->view());
    SliceView& view = tiles.back()->view();
    press(view);
    measure(drag("window and level, 3 tiles", view, 40, views));
    release(view);
    measure({"zoom, 3 tiles",
             [&view](int i) { turnWheel(view, i / 20 % 2 ? -120 : 120, Qt::ControlModifier); },
             views});
    measure({"cursor, 3 tiles",
             [&view](int i) {
               sendMouse(view, QEvent::MouseMove, roundabout(view, i, 120), Qt::NoButton,
                         Qt::NoButton);
             },
             views});
    wait([this] { return fixture_.iterations(fixture_.run(0)) > 20; });
    ChartView& chart = window().convergence().chart();
    // Every move reaches another iterate; one that shows nothing new would wait for the next
    // picture.
    const auto along = [&chart](int i) {
      return QPointF(chart.chart().toDisplay(1 + 7 * i % 20, 1).x,
                     chart.chart().plotRect().centre().y);
    };
    sendMouse(chart, QEvent::MouseButtonPress, along(0), Qt::LeftButton, Qt::LeftButton);
    measure({"playhead, 3 tiles",
             [&chart, along](int i) {
               sendMouse(chart, QEvent::MouseMove, along(i), Qt::NoButton, Qt::LeftButton);
             },
             views});
    sendMouse(chart, QEvent::MouseButtonRelease, along(0), Qt::LeftButton, Qt::NoButton);
  }

  void space() {
    Experiment spatial = ready_experiment();
    spatial.source.phantom = "forbild_head_3d";
    spatial.geometry = default_scan(128, 100, 96);
    spatial.grid = VolumeGrid::centered(128, 128, 96, {2, 2, 2});
    start(spatial);
    window().applyLayout(WindowLayout::space);
    SpaceBoard& space = window().space();
    wait([&space] { return space.plane(Axis::axial).slice().image() != nullptr; });
    std::vector<const VtkView*> views;
    for (const Axis axis : {Axis::axial, Axis::coronal, Axis::sagittal})
      views.push_back(&space.plane(axis));
    SliceView& axial = space.plane(Axis::axial);
    measure({"cross-hair, 3 planes",
             [&space](int i) {
               const double angle = 2 * M_PI * i / 120;
               space.setVoxel({64 + static_cast<int>(30 * std::cos(angle)),
                               64 + static_cast<int>(30 * std::sin(angle)), 48 + i % 20});
             },
             views});
    space.setVoxel({64, 64, 48});
    press(axial);
    measure(drag("window and level, planes and volume", axial, 40, views));
    release(axial);
    press(space.volume());
    measure(drag("volume, turned", space.volume(), 40, {&space.volume()}));
    release(space.volume());
  }

 private:
  MainWindow& window() { return *fixture_.window; }

  static void wait(const std::function<bool()>& condition) {
    if (QTest::qWaitFor(condition, 120000)) return;
    std::fputs("window_rate: the window does not come into the state to be measured\n", stderr);
    std::exit(1);
  }

  /// Starts both runs, without end.
  void start(Experiment experiment) {
    for (RunSpec& run : experiment.runs) run.iterations = many_iterations;
    fixture_.model().reset(experiment, {});
    for (const int id : fixture_.model().runIds()) fixture_.controller().start(id);
    for (const int id : fixture_.model().runIds())
      wait([&, id] { return fixture_.iterations(id) >= 3; });
  }

  void measure(Gesture gesture) {
    if (std::string(gesture.name).find(wanted_) == std::string::npos) return;
    Measurement measurement(application_, std::move(gesture));
    measurement.run(seconds_);
    measurement.print();
  }

  MeasuringApplication& application_;
  double seconds_;
  std::string wanted_;  // part of the names of the gestures to measure
  test::WindowFixture fixture_;
};

}  // namespace
}  // namespace gantry

int main(int argc, char** argv) {
  gantry::wait_without_spinning(argv);
  QSurfaceFormat::setDefaultFormat(gantry::VtkView::surfaceFormat());
  gantry::MeasuringApplication application(argc, argv);
  const double seconds = argc > 1 ? std::atof(argv[1]) : 5;
  double load = 0;
  if (getloadavg(&load, 1) != 1) load = NAN;
  std::printf("%s OpenGL, %u processor cores, load %.1f before; two runs compute\n",
              gantry::VtkView::drawsInSoftware() ? "software" : "hardware",
              std::thread::hardware_concurrency(), load);
  std::printf("%-34s %10s %10s %10s %10s\n", "", "pictures/s", "median ms", "95 % ms", "most ms");
  gantry::Bench bench(application, seconds, argc > 2 ? argv[2] : "");
  bench.compare();
  bench.space();
  return 0;
}
