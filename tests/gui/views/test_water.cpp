// A region of a measured scan that is taken as water: HU are relative to it from then on.
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/stage/measurements.hpp"
#include "gui/stage/region_stats.hpp"
#include "gui/stage/slice_tile.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

using namespace gantry;
using namespace gantry::test;

class TestWater : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<QTemporaryDir> folder_;
  int run_ = -1;

  MainWindow& window() { return *w_->window; }
  QString path(const char* name) const { return folder_->filePath(QLatin1String(name)); }
  QToolButton& button() { return w_->part<QToolButton>("regionIsWater"); }
  Measurements& measurements() { return window().board().measurements(); }
  /// Opens the scan of the small head as a measured one, and reconstructs it.
  void openMeasured() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    window().files().saveScan(path("head.scan.json"));
    window().open(path("head.scan.json"));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    run_ = w_->run(0);
    w_->model().editRun(run_, QStringLiteral("fewer"), [](RunSpec& run) { run.iterations = 3; });
    w_->controller().start(run_);
    WAIT_FOR(w_->state(run_) == RunState::finished);
    window().panels().open(QStringLiteral("measure"));
  }
  void select(const Region& region) {
    const int id = measurements().addRegion(region);
    measurements().select(id);
  }
  double meanOf(const Region& region) {
    const auto image = window().board().slice(run_, Axis::axial, 0);
    return region_stats(*image, region)->values.mean;
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    w_ = std::make_unique<WindowFixture>();
  }
  void cleanup() { w_.reset(); }

  /// The results stay those of the present data: nothing is read or computed anew.
  void hounsfieldUnitsAreRelativeToTheRegion() {
    openMeasured();
    const Region brain = Region::circle(10, -20, 15);
    select(brain);
    WAIT_FOR(window().board().slice(run_, Axis::axial, 0) != nullptr);
    window().board().focusTile(run_);
    const auto data = w_->controller().data();
    const double mean = meanOf(brain);
    QVERIFY(button().isEnabled());
    button().click();
    EXPECT_NEAR(w_->model().experiment().source.mu_water, mean, 1e-12);
    const QString said = w_->part<QLabel>("measureProblem").text();
    QVERIFY2(said.startsWith(QStringLiteral("Water is now")), qPrintable(said));
    QVERIFY(w_->controller().data() == data);
    QVERIFY(!w_->controller().isPreparing() && w_->controller().isCurrent(run_));
    EXPECT_NEAR(window().viewState().muWater(), mean, 1e-12);
    window().files().saveScan(path("again.scan.json"));
    EXPECT_NEAR(read_scan(path("again.scan.json").toStdString()).mu_water, mean, 1e-12);
    const QSignalSpy saved(&window().files(), &FileActions::volumeSaved);
    window().files().saveVolume(run_, path("series"));
    WAIT_FOR(saved.size() == 1);
    const LoadedVolume series = load_volume(path("series").toStdString(), {.mu_water = 1});
    const auto slice = extract_slice(series.grid, series.mu, Axis::axial, 0);
    EXPECT_NEAR(region_stats(slice, brain)->values.mean, 1, 1e-3);  // 0 HU
    w_->model().undoStack().undo();
    QCOMPARE(window().viewState().muWater(), default_mu_water);
    QVERIFY(w_->controller().isCurrent(run_));
  }

  void aRegionOfAirIsNoWater() {
    openMeasured();
    select(Region::circle(120, 120, 5));
    window().board().focusTile(run_);
    button().click();
    QCOMPARE(w_->model().experiment().source.mu_water, default_mu_water);
    const QString said = w_->part<QLabel>("measureProblem").text();
    QVERIFY2(said.contains(QStringLiteral("select a region inside water")), qPrintable(said));
  }

  void simulatedDataHaveTheirWater() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    window().panels().open(QStringLiteral("measure"));
    select(Region::circle(0, 0, 20));
    QVERIFY(!button().isEnabled());
    QVERIFY2(button().toolTip().contains(QStringLiteral("For measured scans")),
             qPrintable(button().toolTip()));
  }
};

GANTRY_TEST(TestWater)
#include "test_water.moc"
