// The window with a second device: its choice, where runs compute, the same run on both, and
// metrics that are taken less often. The device is host memory that passes for a GPU.
#include "core/job/curves_csv.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/job/second_device.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QThread>
#include <QToolBar>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <utility>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Keeps threads waiting while it is closed.
class DeviceGate {
 public:
  /// Closes a gate for as long as this object lives, or until open().
  class Closed {
   public:
    explicit Closed(std::shared_ptr<DeviceGate> gate) : gate_(std::move(gate)) {
      gate_->set(false);
    }
    ~Closed() { gate_->open(); }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

   private:
    std::shared_ptr<DeviceGate> gate_;
  };

  void open() { set(true); }
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.wait(lock, [this] { return isOpen_; });
    --waiting_;
  }
  int waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  void set(bool is_open) {
    const std::lock_guard lock(mutex_);
    isOpen_ = is_open;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool isOpen_ = true;
  int waiting_ = 0;
};

}  // namespace

class TestDevices : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  void open(const std::function<void(Program&)>& extend) {
    w_ = std::make_unique<WindowFixture>(extend);
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    Experiment experiment = WindowFixture::small();
    RunSpec run;
    run.projector = "siddon";
    run.iterations = 8;
    experiment.runs = {run};
    w_->model().reset(experiment, {});
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().runs().selectRun(w_->run(0));
    w_->waitForEstimates();
  }
  static void withDevice(Program& program) { add_device(program); }
  static bool isGuiThread() { return QThread::currentThread() == qApp->thread(); }
  /// Adds "watched": the entry `key` of a registry, whose maker calls `seen` first.
  template <class Registry>
  static void watch(Registry& registry, const char* key, const std::function<void()>& seen) {
    const auto& entry = registry.at(key);
    const std::string backend = entry.makers.front().backend;
    AlgorithmInfo info = entry;
    info.key = "watched";
    const auto maker = [seen, make = entry.makers.front().make](auto&&... args) {
      seen();
      return make(std::forward<decltype(args)>(args)...);
    };
    registry.add(info, backend, maker, entry.traits);
  }
  /// A small cone scan; run 0 has the projector "watched".
  void openCone() {
    Experiment experiment = WindowFixture::small();
    experiment.geometry->beam = Beam::cone;
    experiment.geometry->detector_rows = 8;
    experiment.geometry->row_pitch_mm = experiment.geometry->column_pitch_mm;
    experiment.geometry->central_row = 3.5;
    experiment.grid = VolumeGrid::centered(32, 32, 8, {8, 8, 8});
    experiment.runs.resize(1);
    experiment.runs.front().projector = "watched";
    w_->model().reset(experiment, {});
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
    window().runs().selectRun(w_->run(0));
    w_->waitForEstimates();
  }

 private slots:
  /// The only device is the one that is put in: a real one is not seen.
  void initTestCase() { qputenv("CUDA_VISIBLE_DEVICES", "-1"); }
  void cleanup() { w_.reset(); }

  void methodsKeptForComparisonAreOfferedOnRequest() {
    open({});
    auto& formats = w_->part<QComboBox>("matrix");
    auto& studies = w_->part<QAction>("showStudyMethods");
    const auto offers = [&](const char* key) { return formats.findData(QString(key)) >= 0; };
    QVERIFY(offers("csr") && offers("scsr") && !offers("csr5") && !offers("brc"));
    // A run that has one shows it, with its parameters.
    w_->model().editRun(w_->run(0), {}, [](RunSpec& run) { run.format = "csr5"; });
    QCOMPARE(formats.currentData().toString(), QString("csr5"));
    QVERIFY(!offers("brc"));
    w_->model().editRun(w_->run(0), {}, [](RunSpec& run) { run.format = "csr"; });
    QVERIFY(!offers("csr5"));
    studies.trigger();
    QVERIFY(offers("csr5") && offers("brc"));
    QCOMPARE(formats.currentData().toString(), QString("csr"));
    QCOMPARE(formats.count(),
             1 + static_cast<int>(w_->program.catalog.matrix_formats.entries().size()));
    // Until it is taken back, in the next window as well.
    w_.reset();
    QVERIFY(QSettings().value(QStringLiteral("showStudyMethods")).toBool());
  }

  void choicesKeptForComparisonAreOfferedOnRequest() {
    open({});
    auto& studies = w_->part<QAction>("showStudyMethods");
    studies.setChecked(false);
    const auto set = [&](const Params& params) {
      w_->model().editRun(w_->run(0), {}, [&](RunSpec& run) {
        run.format = "scsr";
        run.format_params = params;
      });
    };
    set({});
    auto& transpose = w_->part<QComboBox>("param_transpose");
    auto& residual = w_->part<QComboBox>("param_residual");
    const auto offers = [&](const char* choice) { return transpose.findText(choice) >= 0; };
    QVERIFY(offers("gather") && offers("atomics") && !offers("colouring") && !offers("unsafe"));
    QVERIFY(residual.isHidden());
    // A value that the run has is shown, and no other.
    set({{"transpose", std::string("unsafe")}, {"residual", std::string("fused")}});
    QCOMPARE(transpose.currentText(), QString("unsafe"));
    QCOMPARE(residual.currentText(), QString("fused"));
    QVERIFY(!offers("colouring") && !residual.isHidden());
    set({});
    QVERIFY(!offers("unsafe") && residual.isHidden());
    studies.trigger();
    QVERIFY(offers("colouring") && offers("unsafe") && !residual.isHidden());
    QCOMPARE(transpose.currentText(), QString("gather"));
    QVERIFY(w_->model().run(w_->run(0))->format_params.values().empty());
    studies.trigger();
    QVERIFY(!offers("unsafe") && residual.isHidden());
  }

  /// Said where runs are started, at the edit, before any data are made.
  void whatCannotHaveRoomIsRefusedAtTheRunButton() {
    open({});
    auto& refusal = w_->part<QLabel>("runRefusal");
    QAction* run = window().runActions().run();
    QVERIFY(run->isEnabled() && !refusal.isVisibleTo(&window()));
    w_->model().edit(QStringLiteral("grid"), [](Experiment& e) {
      e.grid = VolumeGrid::centered(30000, 30000, 30000, {1, 1, 1});
    });
    WAIT_FOR(!run->isEnabled());
    QVERIFY(refusal.isVisibleTo(&window()));
    QVERIFY2(refusal.text().contains(QStringLiteral(" needs ")) &&
                 refusal.text().contains(QStringLiteral("use a smaller grid")),
             qPrintable(refusal.text()));
    QVERIFY(run->toolTip().startsWith(refusal.text()));
    QVERIFY(!w_->controller().isPreparing());
    w_->model().undoStack().undo();
    WAIT_FOR(run->isEnabled());
    QVERIFY(!refusal.isVisibleTo(&window()));
  }

  void whereOnlyTheCpuIsNothingIsOffered() {
    open({});
    QVERIFY(w_->program.backends.devices().empty());
    QVERIFY(w_->part<QLabel>("onlyDevice").isVisibleTo(&window()));
    QCOMPARE(w_->part<QLabel>("onlyDevice").text(), QStringLiteral("CPU"));
    QVERIFY(!w_->part<QComboBox>("device").isVisibleTo(&window()));
    QVERIFY(!w_->part<QAction>("compareDevices").isVisible());
    // An experiment that asks for what is not here can be changed.
    w_->model().editRun(w_->run(0), QStringLiteral("elsewhere"),
                        [](RunSpec& run) { run.backend = "cuda"; });
    QVERIFY(w_->part<QComboBox>("device").isVisibleTo(&window()));
  }

  void theDeviceOfTheSelectedRunIsTold() {
    open(withDevice);
    const auto* bar = &w_->part<QLabel>("statusDevice");
    auto& choice = w_->part<QComboBox>("device");
    QVERIFY(choice.isVisibleTo(&window()));
    QCOMPARE(choice.currentText(), QStringLiteral("auto: measured"));
    QVERIFY2(bar->text().startsWith(QStringLiteral("measured (auto: the run fits on it): needs ")),
             qPrintable(bar->text()));
    QVERIFY(bar->text().endsWith(QStringLiteral(" free")));
    window().runActions().run()->trigger();
    WAIT_FOR(w_->state(w_->run(0)) == RunState::finished);
    QVERIFY(w_->part<QLabel>("statusRuns").text().contains(QStringLiteral(" an iteration")));
    // Another projector, which only the CPU has: the reason is told in both places.
    w_->model().editRun(w_->run(0), QStringLiteral("projector"),
                        [](RunSpec& run) { run.projector = "joseph"; });
    w_->waitForEstimates();
    QVERIFY2(bar->text().contains(QStringLiteral("(auto: measured does not run the projector jo")),
             qPrintable(bar->text()));
    QVERIFY2(w_->part<QLabel>("deviceNeeds")
                 .text()
                 .contains(QStringLiteral("because measured does not run the projector joseph")),
             qPrintable(w_->part<QLabel>("deviceNeeds").text()));
  }

  /// Whatever was shown before: other texts, of other runs, of other heights.
  void theTextOfTheDeviceIsShownWhole() {
    open(withDevice);
    window().resize(1280, 800);
    window().panels().open(QStringLiteral("runs"));
    const auto& needs = w_->part<QLabel>("deviceNeeds");
    const auto is_whole = [&] {
      w_->waitForEstimates();
      QTest::qWait(200);  // for the layouts, which follow
      return needs.isVisible() && !needs.text().isEmpty() &&
             needs.height() >= needs.heightForWidth(needs.width());
    };
    const int first = w_->run(0);
    w_->model().editRun(first, QStringLiteral("format"), [](RunSpec& run) { run.format = "csr"; });
    WAIT_FOR(is_whole());
    window().runs().selectRun(w_->model().addRun(RunSpec{}));
    WAIT_FOR(is_whole());
    window().runs().selectRun(first);
    WAIT_FOR(is_whole());
    w_->controller().start(first);
    WAIT_FOR(w_->state(first) == RunState::finished);
    WAIT_FOR(is_whole());
  }

  void aRunIsComparedWithItselfOnTheOtherDevice() {
    open(withDevice);
    const int first = w_->run(0);
    w_->model().editRun(first, QStringLiteral("device"),
                        [](RunSpec& run) { run.backend = "board"; });
    auto& compare = w_->part<QAction>("compareDevices");
    w_->waitForEstimates();
    QCOMPARE(compare.text(), QStringLiteral("Compare with CPU"));
    QTest::mouseClick(w_->part<QToolBar>("toolbar").widgetForAction(&compare), Qt::LeftButton);
    QCOMPARE(w_->model().runIds().size(), std::size_t{2});
    const int second = w_->run(1);
    QCOMPARE(window().runs().selectedRun(), second);
    RunSpec copy = *w_->model().run(second);
    QCOMPARE(copy.name, run_label(*w_->model().run(first), w_->program.catalog) + ", CPU");
    QCOMPARE(copy.backend, std::string("cpu"));
    copy.name = w_->model().run(first)->name;
    copy.colour = w_->model().run(first)->colour;
    copy.backend = "board";
    QVERIFY(copy == *w_->model().run(first));
    WAIT_FOR(w_->state(first) == RunState::finished && w_->state(second) == RunState::finished);
    const double here = w_->metric(second, "rmse"), there = w_->metric(first, "rmse");
    QVERIFY(std::abs(here - there) < 1e-4 * here);
    showTheDifference(first, second);
    // Once is enough.
    window().runs().selectRun(first);
    w_->waitForEstimates();
    QVERIFY(compare.isVisible() && !compare.isEnabled());
    QVERIFY2(compare.toolTip().contains(QStringLiteral("is already this run on that device")),
             qPrintable(compare.toolTip()));
  }
  void showTheDifference(int first, int second) {
    SliceTile* tile = window().board().tile(second);
    tile->showDifferenceTo(first);
    const auto shown = tile->view().slice().image();
    QVERIFY(shown != nullptr && tile->showsDifference());
    for (const float value : shown->values) QVERIFY(std::abs(value) < 1e-5F);
  }

  void whatTheOtherDeviceCannotDoIsSaid() {
    open(withDevice);
    w_->model().editRun(w_->run(0), QStringLiteral("projector"), [](RunSpec& run) {
      run.backend = "cpu";
      run.projector = "joseph";
    });
    const auto& compare = w_->part<QAction>("compareDevices");
    w_->waitForEstimates();
    QCOMPARE(compare.text(), QStringLiteral("Compare with GPU"));
    QVERIFY(!compare.isEnabled());
    QVERIFY2(compare.toolTip().contains(QStringLiteral("joseph does not run on backend board")),
             qPrintable(compare.toolTip()));
  }

  /// At an edit, forms say what they know; what takes a projector, a matrix format or a solver is
  /// found out elsewhere.
  void formsMakeNothingOnTheGuiThread() {
    std::atomic<int> here = 0, elsewhere = 0;
    const auto count = [&] { ++(isGuiThread() ? here : elsewhere); };
    open([&](Program& program) {
      add_device(program);
      watch(program.catalog.projectors, "siddon", count);
      watch(program.catalog.matrix_formats, "csr", count);
      watch(program.catalog.solvers, "cgls", count);
    });
    const auto edit = [&](const std::function<void(RunSpec&)>& change) {
      const int before = elsewhere;
      w_->model().editRun(w_->run(0), QStringLiteral("edit"), change);
      QVERIFY(w_->controller().estimates().isBusy());
      w_->waitForEstimates();
      QVERIFY(elsewhere > before);
    };
    edit([](RunSpec& run) { run.projector = "watched"; });
    edit([](RunSpec& run) { run.format = "watched"; });
    edit([](RunSpec& run) { run.solver = "watched"; });
    edit([](RunSpec& run) { run.solver_params = {{"damping", 2.0}}; });
    edit([](RunSpec& run) { run.weights = RayWeights::statistical; });
    QCOMPARE(here.load(), 0);
    QVERIFY(w_->part<QLabel>("deviceNeeds").text().contains(QStringLiteral("matrix")));
  }

  /// Metrics that compute A x of every iterate hold one ray vector more.
  void theEstimateIncludesTheExactResidual() {
    open(withDevice);
    const RunSpec run = *w_->model().run(w_->run(0));
    const auto needed = [&] {
      w_->waitForEstimates();
      const auto* answer = w_->controller().memoryOf(run);
      return answer != nullptr && answer->memory ? answer->memory->needed_bytes : 0;
    };
    const std::size_t without = needed();
    QVERIFY(without > 0);
    w_->model().edit(QStringLiteral("metrics"),
                     [](Experiment& e) { e.metrics.exact_residual = true; });
    const std::size_t rays = w_->controller().data()->geometry->rays();
    WAIT_FOR(needed() == without + rays * sizeof(float));
    w_->model().undoStack().undo();
    WAIT_FOR(needed() == without);
  }

  /// Every other thread that makes a projector waits until the test lets it go on: the edit is over
  /// and events are handled before any estimate is there.
  void anEditWaitsForNoEstimate() {
    const auto gate = std::make_shared<DeviceGate>();
    std::atomic<int> here = 0;
    open([&](Program& program) {
      watch(program.catalog.projectors, "siddon", [&here, gate] {
        if (isGuiThread()) return void(++here);
        gate->pass();
      });
    });
    openCone();
    const auto& needs = w_->part<QLabel>("deviceNeeds");
    QVERIFY(needs.isEnabled() && !needs.text().isEmpty());
    QSignalSpy answers(&w_->controller().estimates(), &RunEstimates::changed);
    const DeviceGate::Closed closed(gate);
    w_->model().edit(QStringLiteral("grid"), [](Experiment& e) {
      e.grid = VolumeGrid::centered(1024, 1024, 1024, {0.25, 0.25, 0.25});
    });
    WAIT_FOR(gate->waiting() > 0);  // the event loop goes on meanwhile
    QVERIFY(w_->controller().estimates().isBusy());
    QCOMPARE(answers.count(), 0);
    QCOMPARE(here.load(), 0);
    gate->open();
    w_->waitForEstimates();
    QVERIFY(answers.count() > 0);
    QVERIFY(needs.isEnabled() && !needs.text().isEmpty());
    QCOMPARE(here.load(), 0);
  }

  void fewerPointsAreSaid() {
    open([](Program& program) {
      add_device(program);
      add_slow_metric(program.catalog, std::chrono::milliseconds(100));
    });
    const int id = w_->run(0);
    w_->model().editRun(id, QStringLiteral("device"), [](RunSpec& run) { run.backend = "board"; });
    const auto& fewer = w_->part<QLabel>("fewerPoints");
    QVERIFY(!fewer.isVisibleTo(&window()));
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    QCOMPARE(w_->iterations(id), 8);
    const std::string few = describe_measured(w_->controller().status(id).history);
    QVERIFY(!few.empty());
    WAIT_FOR(fewer.isVisibleTo(&window()));
    QVERIFY2(fewer.text().contains(QString::fromStdString(few)), qPrintable(fewer.text()));
    QVERIFY(window().convergence().caption().contains(QString::fromStdString(few)));
    const auto& curve = window().convergence().chart().chart().model().series().front();
    QVERIFY(curve.xs.size() < 8 && curve.xs.front() == 1 && curve.xs.back() == 8);
    QVERIFY(curve.style.points);
    // What every iteration has is shown of every one.
    auto& quantity = w_->part<QComboBox>("quantity");
    quantity.setCurrentIndex(quantity.findText(QStringLiteral("Residual")));
    QCOMPARE(window().convergence().chart().chart().model().series().front().xs.size(),
             std::size_t{8});
    QVERIFY(!fewer.isVisibleTo(&window()));
  }
};

GANTRY_TEST(TestDevices)
#include "test_devices.moc"
