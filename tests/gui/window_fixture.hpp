#pragma once

#include "app/composition.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/main_window.hpp"
#include "gui/runs/run_actions.hpp"
#include "gui/session/session_files.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"

#include <QCursor>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <functional>
#include <memory>

namespace gantry::test {

/// Waits long enough for a slow machine; comes back as soon as the condition holds. Where it does
/// not hold, Qt Test waits twice as long again before the row fails, and one row has 300 s.
#define WAIT_FOR(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 40000)

/// The real window, shown, with settings of its own.
class WindowFixture {
 public:
  /// `extend` may add to the program before the window is made.
  explicit WindowFixture(const std::function<void(Program&)>& extend = {}) : program(compose()) {
    program.find_devices();
    if (extend) extend(program);
    QStandardPaths::setTestModeEnabled(true);
    // A folder per process, because tests run beside each other.
    static const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    QCoreApplication::setOrganizationName(QStringLiteral("GantryTest"));
    QCoreApplication::setApplicationName(QStringLiteral("window test"));
    QSettings().clear();
    window = std::make_unique<MainWindow>(program.catalog, program.backends,
                                          QStringLiteral("Gantry test"));
    sessions = new SessionFiles(*window);
    window->files().setAsksUser(false);  // no dialog may wait for an answer
    window->resize(1280, 800);
    window->show();
    QCursor::setPos(0, 0);  // over a view, the mouse would send keys to the view
  }

  void startFirstLesson() {
    window->findChild<QMenu*>(QStringLiteral("lessons"))->actions().front()->trigger();
  }

  RunController& controller() { return window->controller(); }
  ExperimentModel& model() { return window->model(); }
  int run(std::size_t index) { return model().runIds().at(index); }
  int iterations(int id) { return static_cast<int>(controller().status(id).history.size()); }
  RunState state(int id) { return controller().status(id).state; }
  double metric(int id, const char* key) {
    return controller().status(id).history.back().metrics.at(key);
  }
  /// Whether the data of what is open are there.
  bool isReady() { return controller().data() != nullptr && !controller().isPreparing(); }
  /// Whether the view has been drawn at its present size: before, its pixels are not where they
  /// will be.
  static bool isDrawn(const SliceView& view) {
    return view.slice().pictureRect().width == view.width();
  }
  /// Returns the present estimate of a run.
  std::shared_ptr<const std::vector<float>> image(int id) {
    std::shared_ptr<const std::vector<float>> found;
    controller().requestVolume(
        id, [&](std::shared_ptr<const std::vector<float>> mu, int) { found = std::move(mu); });
    [&] { WAIT_FOR(found != nullptr); }();
    return found;
  }

  /// Returns the widget or action of this name.
  template <class Part>
  Part& part(const char* name) {
    auto* found = window->findChild<Part*>(QLatin1String(name));
    if (found == nullptr) qFatal("the window has no %s of this kind", name);
    return *found;
  }
  /// Returns the texts of the banners that can be seen.
  QStringList bannerTexts() {
    QStringList texts;
    for (const QLabel* label :
         window->banners().findChildren<QLabel*>(QStringLiteral("bannerText")))
      if (label->isVisible()) texts << label->text();
    return texts;
  }
  /// Returns all of them as one text.
  QString bannerText() { return bannerTexts().join(QLatin1Char('\n')); }
  /// Returns the button of that text in a banner; null where none can be seen.
  QToolButton* bannerButton(const QString& text) {
    QCoreApplication::processEvents();  // what is new in a layout shows itself then
    for (auto* button : window->banners().findChildren<QToolButton*>())
      if (button->text() == text && button->isVisible()) return button;
    return nullptr;
  }

  /// A small head without noise: an iteration takes milliseconds.
  static Experiment small() {
    Experiment experiment = ready_experiment();
    experiment.title = "small";
    experiment.geometry->detector_columns = 64;
    experiment.geometry->column_pitch_mm *= 8;
    experiment.geometry->central_column = 31.5;
    experiment.geometry->view_angles_rad = angles_from_degrees(1, 6, 60);
    experiment.grid = VolumeGrid::centered(64, 64, 1, {4, 4, 4});
    experiment.noise.photons_per_ray = 0;
    for (RunSpec& run : experiment.runs) {
      run.iterations = 50;
      run.solver_params = {};
    }
    return experiment;
  }
  /// Until forms know what runs need as they are now.
  void waitForEstimates() {
    QVERIFY(QTest::qWaitFor([this] { return !controller().estimates().isBusy(); }, 40000));
  }
  void openSmall() { open(small()); }
  /// Opens a head of 16 slices.
  void openSpatial() {
    Experiment spatial = small();
    spatial.source.phantom = "forbild_head_3d";
    spatial.geometry = default_scan(128, 40, 32);
    spatial.grid = VolumeGrid::centered(24, 20, 16, {9, 11, 13});
    for (RunSpec& run : spatial.runs) run.iterations = 3;
    open(spatial);
  }
  void open(const Experiment& experiment) {
    model().reset(experiment, {});
    controller().prepareData();
  }

  Program program;
  std::unique_ptr<MainWindow> window;
  SessionFiles* sessions;  // the window's
};

}  // namespace gantry::test
