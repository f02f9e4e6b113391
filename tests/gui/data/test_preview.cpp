// The quick reconstruction that fills the views of runs that have not been started.
#include "core/geometry/default_scan.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/worker/preview/reduced_run.hpp"
#include "core/worker/preview/slice_preview.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/rail.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/worker/preview.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/job/gated_projector.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestPreview : public QObject {
  Q_OBJECT
  Gate gate_;  // outlives the runs of the window
  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  void open(const Experiment& experiment) {
    w_->model().reset(experiment, {});
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
  }
  /// Opens an experiment whose first run waits in its first product until the gate opens.
  void openGated() {
    gate_.close();
    w_ = std::make_unique<WindowFixture>([this](Program& program) {
      program.catalog.projectors.add(
          {.key = "gated", .label = "Gated"}, "cpu",
          [&](Backend& cpu, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
              const Params&) -> std::unique_ptr<Projector> {
            return std::make_unique<GatedProjector>(gate_, program.catalog, cpu,
                                                    std::move(geometry), grid);
          });
    });
    Experiment slow = WindowFixture::small();
    slow.runs[0].projector = "gated";
    slow.runs[0].backend = "cpu";
    open(slow);
  }
  const std::shared_ptr<const SliceImage>& shown(int id) {
    return window().board().tile(id)->view().slice().image();
  }
  /// A slice of the present data with the settings of an experiment.
  std::shared_ptr<const ReducedImage> sliceBy(const Experiment& tried, int index) {
    CorrectedRows corrected(w_->program.catalog, w_->program.backends);
    const PresentData present{w_->controller().experimentAsComputed(), w_->controller().data()};
    return reconstruct_slice(tried, present, index, SliceHaste::at_rest, corrected,
                             w_->program.catalog, w_->program.backends, Interrupt());
  }

 private slots:
  /// Runs that began as soon as the data came, and were paused, leave no quick reconstruction; a
  /// run that is added to them gets one.
  void anAddedRunIsNotBlack() {
    Experiment endless = WindowFixture::small();
    for (RunSpec& run : endless.runs) run.iterations = 1000000;
    w_->model().reset(endless, {});
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->iterations(id) > 0);
    for (const int id : w_->model().runIds()) w_->controller().pause(id);
    WAIT_FOR(!w_->controller().anyActive());
    w_->model().addRun(endless.runs.front());
    WAIT_FOR(shown(w_->run(2)) != nullptr);
    const auto zoom = [this](std::size_t run) {
      return window().board().tile(w_->run(run))->view().slice().view().mm_per_pixel;
    };
    WAIT_FOR(std::abs(zoom(2) / zoom(0) - 1) < 0.01);
  }

  /// Of a stack of 300 slices, every second one is left, with its rays and at its height.
  void tallStacksAreThinned() {
    ScanSpec scan;
    scan.beam = Beam::parallel;
    scan.detector_columns = 8;
    scan.detector_rows = 300;
    scan.column_pitch_mm = scan.row_pitch_mm = 1;
    scan.central_column = 3.5;
    scan.central_row = 140.25;
    scan.view_angles_rad = angles_from_degrees(0, 45, 4);
    auto data = std::make_shared<ExperimentData>();
    data->geometry = std::make_shared<const ScanGeometry>(scan);
    data->grid = default_grid(*data->geometry);
    for (std::size_t i = 0; i < data->geometry->rays(); ++i)
      data->line_integrals.push_back(static_cast<float>(i));
    const auto thin = coarsened(data, Reduction::for_direct_method, Interrupt());
    QCOMPARE(thin->geometry->rows(), 150);
    QCOMPARE(thin->grid.nz, 150);
    for (const int view : {0, 3})
      for (const int row : {0, 77, 149}) {
        const auto index = [&](const ScanGeometry& g, int r) {
          return static_cast<std::size_t>((view * g.rows() + r) * g.columns() + 5);
        };
        QCOMPARE(thin->line_integrals[index(*thin->geometry, row)],
                 data->line_integrals[index(*data->geometry, 2 * row)]);
        QCOMPARE(thin->geometry->ray(view, 5, row).origin_mm.z,
                 data->geometry->ray(view, 5, 2 * row).origin_mm.z);
        QCOMPARE(thin->grid.voxel_center_mm(0, 0, row).z,
                 data->grid.voxel_center_mm(0, 0, 2 * row).z);
      }
  }

  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void itFillsViewsUntilTheirRunsStart() {
    open(WindowFixture::small());
    const int first = w_->run(0), second = w_->run(1);
    WAIT_FOR(shown(first) != nullptr && shown(second) != nullptr);
    QCOMPARE(shown(first), window().preview().slice(Axis::axial, 0));
    QCOMPARE(window().preview().text(first), QStringLiteral("Preview: FBP, 64 x 64"));
    // It looks like the truth.
    const std::vector<float>& truth = w_->controller().reference()->mu();
    double error = 0, size = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      error += std::pow(shown(first)->values[i] - truth[i], 2);
      size += std::pow(truth[i], 2);
    }
    QVERIFY2(error < 0.1 * size, qPrintable(QString::number(error / size)));
    // No estimate: neither profiles nor metrics count it.
    QVERIFY(window().board().slice(first, Axis::axial, 0) == nullptr);

    w_->controller().start(first);
    WAIT_FOR(w_->iterations(first) > 1);
    WAIT_FOR(shown(first) != nullptr && shown(first) != window().preview().slice(Axis::axial, 0));
    QCOMPARE(shown(second), window().preview().slice(Axis::axial, 0));
  }

  /// A run under way without an estimate leaves the picture, and is no result.
  void theyStayUntilTheFirstEstimate() {
    openGated();
    const int id = w_->run(0);
    WAIT_FOR(shown(id) != nullptr);
    w_->controller().start(id);
    WAIT_FOR(gate_.waiting() && w_->controller().status(id).isActive());
    WAIT_FOR(window().board().tile(id)->status().startsWith(QStringLiteral("it 0")));
    QCOMPARE(shown(id), window().preview().slice(Axis::axial, 0));
    QCOMPARE(window().preview().text(id), QStringLiteral("Preview: FBP, 64 x 64"));
    const auto results = [this] {
      return window().panels().rail().step(QStringLiteral("results"))->summary();
    };
    WAIT_FOR(results() == QStringLiteral("no result yet"));
    gate_.open();
    WAIT_FOR(shown(id) != nullptr && shown(id) != window().preview().slice(Axis::axial, 0));
    QCOMPARE(window().preview().text(id), QString());
    WAIT_FOR(results() == QStringLiteral("1 result"));
  }

  /// So it is when the run is paused before it has a picture of its own.
  void aPausedRunKeepsThem() {
    openGated();
    const int id = w_->run(0);
    WAIT_FOR(shown(id) != nullptr);
    w_->controller().start(id);
    WAIT_FOR(gate_.waiting() && w_->controller().status(id).isActive());
    w_->controller().pause(id);
    gate_.open();
    WAIT_FOR(w_->state(id) == RunState::paused);
    QTest::qWait(100);  // for its updates
    QVERIFY(!w_->controller().status(id).hasPicture());
    QCOMPARE(shown(id), window().preview().slice(Axis::axial, 0));
    QCOMPARE(window().preview().text(id), QStringLiteral("Preview: FBP, 64 x 64"));
  }

  /// The time grows with the voxels: by eight for half the edge of a voxel, by four in a section.
  void aPictureGetsAsFineAsTimeAllows() {
    const auto grid = [](int across, int slices) {
      return VolumeGrid::centered(across, across, slices, {1, 1, 1});
    };
    const auto across = [](const std::optional<Reduction>& found) {
      return found ? found->most_in_space : 0;
    };
    QCOMPARE(across(finer_reduction(grid(160, 160), grid(80, 80), 0.24, 2)), 160);
    QCOMPARE(across(finer_reduction(grid(160, 160), grid(80, 80), 0.26, 2)), 0);
    QCOMPARE(across(finer_reduction(grid(512, 512), grid(128, 128), 0.1, 2)), 256);
    QCOMPARE(across(finer_reduction(grid(512, 1), grid(256, 1), 0.49, 2)), 512);
    QCOMPARE(across(finer_reduction(grid(512, 1), grid(256, 1), 0.51, 2)), 0);
    QCOMPARE(across(finer_reduction(grid(256, 1), grid(256, 1), 0.01, 2)), 0);
  }

  void slicesOfAVolumeAreShownNearby() {
    Experiment spatial = WindowFixture::small();
    spatial.source.phantom = "forbild_head_3d";
    spatial.geometry = default_scan(128, 40, 32);
    spatial.grid = VolumeGrid::centered(160, 160, 12, {1.4, 1.4, 18});
    open(spatial);
    // After the quick picture of 80 x 80, all voxels follow.
    WAIT_FOR(window().preview().text(w_->run(0)) == QStringLiteral("Preview: FDK, 160 x 160"));
    const auto slice = window().preview().slice(Axis::axial, 7);
    QVERIFY(slice != nullptr);
    QVERIFY(std::abs(slice->position_mm - slice_position_mm(*spatial.grid, Axis::axial, 7)) <= 18);
  }

  /// Of a large stack, only the slice that is looked at has all voxels, and it follows the axis of
  /// rotation: each slice is that of its row alone.
  void aSliceOfAStackIsMadeByItself() {
    ScanSpec scan;
    scan.beam = Beam::parallel;
    scan.detector_columns = 256;
    scan.detector_rows = 140;
    scan.column_pitch_mm = scan.row_pitch_mm = 1;
    scan.central_column = 127.5;
    scan.central_row = 69.5;
    scan.view_angles_rad = angles_from_degrees(0, 180.0 / 128, 128);
    const ScanGeometry geometry(scan);
    std::vector<float> values(geometry.rays());
    for (std::size_t i = 0; i < values.size(); ++i) {  // discs that grow with the row
      const double column = static_cast<double>(i % 256) - 127.5,
                   radius = 20 + static_cast<double>(i / 256 % 140) / 2;
      values[i] =
          static_cast<float>(0.04 * std::sqrt(std::max(0.0, radius * radius - column * column)));
    }
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("stack.scan.json"));
    write_scan(path.toStdString(), geometry, values, "discs");
    window().open(path);
    const QString whole = QStringLiteral("Preview: FBP, 256 x 256");
    const auto slice_now = [&](int index) { return window().preview().slice(Axis::axial, index); };
    const auto is_whole = [&](int index) {
      const auto slice = slice_now(index);
      return slice != nullptr && slice->width == 256 && window().preview().text() == whole;
    };
    for (const int index : {70, 20}) {
      WAIT_FOR(is_whole(index));
      const auto slice = slice_now(index);
      const double radius = 20 + index / 2.0;
      EXPECT_NEAR(slice->value_at(radius - 4, 0), 0.02, 0.002);
      EXPECT_NEAR(slice->value_at(radius + 4, 0), 0, 0.002);
      const auto alone = sliceBy(w_->model().experiment(), index);
      QCOMPARE(alone->grid.nz, 1);
      EXPECT_NEAR(alone->grid.origin_mm.z, index - 69.5, 1e-12);
      QVERIFY(slice->values == alone->mu);
    }
    window().applyLayout(WindowLayout::data);  // which shows the quick reconstruction
    Experiment moved = w_->model().experiment();
    moved.geometry = w_->controller().data()->geometry->spec();
    moved.geometry->central_column += 5;
    w_->model().tryOut([&](Experiment& tried) { tried.geometry = moved.geometry; });
    const auto alone = sliceBy(moved, 70);
    WAIT_FOR(slice_now(70) != nullptr && slice_now(70)->values == alone->mu);
    QCOMPARE(window().preview().text(), whole);
  }
};

GANTRY_TEST(TestPreview)
#include "test_preview.moc"
