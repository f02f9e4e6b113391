// The main job through the window, on real data: open, reconstruct live, pause, step, stop and
// keep, look, save, reopen.
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/operator/slice_stack.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Extent in mm of what is denser than half of `mu`, along x and y.
struct Extent {
  double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9;
};
Extent extent_of(const LoadedVolume& volume, double mu) {
  Extent e;
  for (int iy = 0; iy < volume.grid.ny; ++iy)
    for (int ix = 0; ix < volume.grid.nx; ++ix) {
      if (volume.mu[volume.grid.index(ix, iy, 0)] < 0.5 * mu) continue;
      const Vec3 p = volume.grid.voxel_center_mm(ix, iy, 0);
      if (std::hypot(p.x, p.y) > 39) continue;  // streaks at the rim of the field of view
      e = {std::min(e.x0, p.x), std::max(e.x1, p.x), std::min(e.y0, p.y), std::max(e.y1, p.y)};
    }
  return e;
}

}  // namespace

class TestMainJob : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir folder_;

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  /// What is shown of the slice that was chosen before says so, until the choice is undone.
  void aFormerChoiceOfSlicesIsCalledSo() {
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(24, 24, 3, {4, 4, 4});
    const std::vector<float> mu(volume.grid.voxels(), 0.02F);
    volume.mu = mu;
    const QString path = folder_.filePath(QStringLiteral("former.mha"));
    write_volume(path.toStdString(), volume);
    w_->window->open(path);
    WAIT_FOR(w_->model().experiment().title == "former" && !w_->controller().isPreparing());
    w_->controller().stepIteration(w_->run(0));
    WAIT_FOR(w_->iterations(w_->run(0)) == 1 && w_->state(w_->run(0)) == RunState::paused);
    const auto said = [&](int id) {
      return w_->window->board().tile(id)->status().contains(QStringLiteral("of earlier data"));
    };
    QVERIFY(!said(SliceTile::referenceId) && !said(w_->run(0)));
    auto* slices = w_->window->findChild<QComboBox*>(QStringLiteral("sourceSlices"));
    slices->setCurrentIndex(1);
    emit slices->activated(1);
    QVERIFY(said(SliceTile::referenceId) && said(w_->run(0)));
    w_->model().undoStack().undo();
    QVERIFY(!said(SliceTile::referenceId) && !said(w_->run(0)));
    w_->model().undoStack().redo();
    w_->controller().stepIteration(w_->run(0));
    WAIT_FOR(w_->iterations(w_->run(0)) == 1 && w_->controller().isCurrent(w_->run(0)));
    QVERIFY(!said(SliceTile::referenceId));
    WAIT_FOR(!said(w_->run(0)));
  }

  void aSeriesSliceBySliceAndBack() {
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(24, 24, 5, {4, 4, 4});
    const std::vector<float> mu(volume.grid.voxels(), 0.02F);
    volume.mu = mu;
    const QString path = folder_.filePath(QStringLiteral("block.mha"));
    write_volume(path.toStdString(), volume);
    w_->window->open(path);
    WAIT_FOR(w_->isReady() && w_->controller().data()->source_slices == 5);
    auto* slices = w_->window->findChild<QComboBox*>(QStringLiteral("sourceSlices"));
    auto* slice = w_->window->findChild<QSpinBox*>(QStringLiteral("sourceSlice"));
    const auto choose = [&](int which) {
      slices->setCurrentIndex(which);
      emit slices->activated(which);  // as by hand
      w_->controller().prepareData();
      WAIT_FOR(!w_->controller().isPreparing());
    };
    choose(1);
    QVERIFY(w_->controller().data()->geometry->beam() == Beam::fan);
    QCOMPARE(w_->controller().data()->geometry->rows(), 5);
    QCOMPARE(w_->controller().data()->grid.nz, 5);
    QVERIFY(slice->isHidden());
    choose(2);
    QVERIFY(w_->controller().data()->geometry->beam() == Beam::cone);
    choose(0);
    QVERIFY(!slice->isHidden());
    slice->setValue(3);
    QCOMPARE(w_->model().experiment().source.slice, 3);
    choose(1);
    choose(0);
    QCOMPARE(w_->model().experiment().source.slice, 3);  // the one that was looked at
    QCOMPARE(w_->controller().data()->grid.nz, 1);
  }

  void aHelixRebinnedToFansAndBack() {
    ScanSpec helix = fan_spec(1, 30, 4);
    helix.beam = Beam::cone;
    helix.trajectory = Trajectory::helical;
    helix.detector_rows = 8;
    helix.row_pitch_mm = 3;
    helix.central_row = 3.5;
    helix.helical_feed_mm_per_turn = 12;
    helix.view_angles_rad = angles_from_degrees(-15 * 35.5, 15, 72);
    const ScanGeometry geometry(helix);
    const QString path = folder_.filePath(QStringLiteral("helix.scan.json"));
    write_scan(path.toStdString(), geometry, random_values(geometry.rays(), 4), "a helix");
    w_->window->open(path);
    WAIT_FOR(w_->isReady() && w_->controller().data()->geometry->beam() == Beam::cone);
    const int slices = w_->controller().data()->grid.nz;
    auto* box = w_->window->findChild<QCheckBox*>(QStringLiteral("rebin"));
    const auto* trajectory = w_->window->findChild<QComboBox*>(QStringLiteral("trajectory"));
    const auto click = [&] {
      box->click();
      w_->controller().prepareData();
      WAIT_FOR(!w_->controller().isPreparing());
    };
    QVERIFY(!box->isHidden() && box->isEnabled() && !box->isChecked());
    click();
    QVERIFY(box->isChecked());
    const auto fans = w_->controller().data();
    QVERIFY(is_stack(*fans->geometry, fans->grid));
    QVERIFY(fans->grid.nz > 1 && fans->grid.nz < slices);
    QCOMPARE(trajectory->currentIndex(), 1);  // the form shows the scan as it was taken
    QVERIFY(!box->isHidden());
    click();
    QVERIFY(w_->controller().data()->geometry->spec() == helix);
    QCOMPARE(w_->controller().data()->grid.nz, slices);
  }

  void aMeasuredScanFromOpenToSave() {
    NEED_DATA("scans/htc2022_tb.scan.json");
    const std::string path = data_path("scans/htc2022_tb.scan.json");
    w_->window->open(QString::fromStdString(path));
    WAIT_FOR(w_->controller().data() != nullptr);
    QCOMPARE(w_->model().runIds().size(), std::size_t{2});
    const int sart = w_->run(0), sirt = w_->run(1);
    QCOMPARE(w_->iterations(sart), 0);  // nothing runs by itself

    w_->window->runActions().run()->trigger();
    WAIT_FOR(w_->iterations(sart) >= 2 && w_->iterations(sirt) >= 2);
    w_->window->runActions().pause()->trigger();
    WAIT_FOR(w_->state(sart) == RunState::paused && w_->state(sirt) == RunState::paused);
    const int before = w_->iterations(sart);
    w_->window->runActions().stepIteration()->trigger();
    WAIT_FOR(w_->iterations(sart) == before + 1 && w_->state(sart) == RunState::paused);
    w_->window->runActions().stopAndKeep()->trigger();
    WAIT_FOR(w_->state(sart) == RunState::stopped && w_->state(sirt) == RunState::stopped);

    drawProfileAcross(sart);
    saveAndMeasure(sart);
  }

  /// A line dragged on one view, from 45 mm left to 45 mm right of the centre: it is on every view,
  /// and the chart has both runs; SART's is dark outside the disc.
  void drawProfileAcross(int id) {
    w_->window->viewState().setProfileMode(true);
    SliceView& view = w_->window->board().tile(id)->view();
    const PointPx from = view.slice().worldToDisplay(-39, 0),
                  to = view.slice().worldToDisplay(39, 0);
    QTest::mousePress(&view, Qt::LeftButton, {},
                      QPoint(static_cast<int>(from.x), static_cast<int>(from.y)));
    QTest::mouseMove(&view,
                     QPoint(static_cast<int>(0.5 * (from.x + to.x)), static_cast<int>(from.y)));
    QTest::mouseMove(&view, QPoint(static_cast<int>(to.x), static_cast<int>(to.y)));
    QTest::mouseRelease(&view, Qt::LeftButton, {},
                        QPoint(static_cast<int>(to.x), static_cast<int>(to.y)));
    const auto line = w_->window->viewState().profile();
    QVERIFY(line.has_value());
    EXPECT_NEAR(line->length_mm(), 78, 2);
    for (SliceTile* tile : w_->window->board().tiles())
      QVERIFY(tile->view().slice().profile() == line);
    WAIT_FOR(w_->window->profile().chart().chart().model().series().size() == 2);
    const ChartSeries* curve =
        w_->window->profile().chart().chart().model().find(std::to_string(id));
    QVERIFY(curve != nullptr && curve->ys.size() > 100);
    QVERIFY(std::abs(curve->ys.front()) < 0.012 && std::abs(curve->ys.back()) < 0.012);
    QVERIFY(*std::ranges::max_element(curve->ys) > 0.025);
  }

  void saveAndMeasure(int id) {
    const QString file = folder_.filePath(QStringLiteral("disc.mha"));
    w_->window->files().saveVolume(id, file);
    WAIT_FOR(QFileInfo::exists(file));
    const LoadedVolume volume = load_volume(file.toStdString());
    const Extent disc = extent_of(volume, 0.035);
    EXPECT_NEAR(disc.x1 - disc.x0, 70, 1.5);  // the disc is about 70 mm across
    EXPECT_NEAR(disc.y1 - disc.y0, 70, 1.5);
  }

  void aDicomSliceFromOpenToDicom() {
    NEED_DATA("ct_philips_phantom_axial");
    const std::string path = data_path("ct_philips_phantom_axial");
    w_->window->open(QString::fromStdString(path));
    WAIT_FOR(w_->controller().data() != nullptr);
    const auto data = w_->controller().data();
    QVERIFY(data->radiological);
    QVERIFY(w_->model().experiment().noise.photons_per_ray > 0);
    const int sart = w_->run(0);
    w_->model().editRun(sart, QStringLiteral("fewer"), [](RunSpec& run) { run.iterations = 2; });
    w_->controller().start(sart);
    WAIT_FOR(w_->state(sart) == RunState::finished);
    QVERIFY(w_->controller().status(sart).history.front().metrics.at("rmse") >
            w_->metric(sart, "rmse"));
    QVERIFY(w_->metric(sart, "ssim") > 0.6);

    const QString target = folder_.filePath(QStringLiteral("series"));
    w_->window->files().saveVolume(sart, target);
    WAIT_FOR(QDir(target).exists());
    std::shared_ptr<const std::vector<float>> estimate;
    w_->controller().requestVolume(
        sart, [&](std::shared_ptr<const std::vector<float>> mu, int) { estimate = std::move(mu); });
    WAIT_FOR(estimate != nullptr);
    const LoadedVolume reopened = load_volume(target.toStdString(), {false, data->mu_water, {}});
    QCOMPARE(reopened.grid.nx, data->grid.nx);
    EXPECT_NEAR(reopened.grid.spacing_mm.x, data->grid.spacing_mm.x, 1e-6);
    const Vec3 there = reopened.frame->to_patient(reopened.grid.voxel_center_mm(3, 5, 0));
    const Vec3 here = data->volume->frame->to_patient(data->grid.voxel_center_mm(3, 5, 0));
    EXPECT_NEAR(norm(there - here), 0, 1e-3);
    for (std::size_t i = 0; i < estimate->size(); i += 997)
      EXPECT_NEAR(hu_from_mu(reopened.mu[i], data->mu_water),
                  hu_from_mu((*estimate)[i], data->mu_water), 0.51);
  }

  void severalSeriesAreNamedWhereNobodyCanChoose() {
    NEED_DATA("ct_bad_series");
    const QString path = QString::fromStdString(data_path("ct_bad_series"));
    QSignalSpy failed(&w_->window->files(), &FileActions::failed);
    w_->window->files().setAsksUser(false);
    w_->window->open(path);
    WAIT_FOR(failed.size() == 1);
    const QString message = failed.front().at(1).toString();
    QVERIFY2(message.contains(path) && message.contains(QStringLiteral("several series")),
             qPrintable(message));
  }

  void aParallelScanByFbpAndSirt() {
    NEED_DATA("scans/dendrite.scan.json");
    const std::string path = data_path("scans/dendrite.scan.json");
    w_->window->open(QString::fromStdString(path));
    WAIT_FOR(w_->controller().data() != nullptr);
    w_->model().edit(QStringLiteral("small"), [](Experiment& e) {
      e.grid = VolumeGrid::centered(128, 128, 1, {9.8, 9.8, 1});
      RunSpec fbp, sirt;
      fbp.solver = "fbp";
      fbp.solver_params = {{"window", std::string("hann")},
                           {"cutoff", 0.15}};  // no finer than the grid
      sirt.solver = "sirt";
      sirt.solver_params = {{"relaxation", 1.9}};
      sirt.iterations = 60;
      e.runs = {fbp, sirt};
    });
    const int fbp = w_->run(0), sirt = w_->run(1);
    w_->window->runActions().run()->trigger();
    WAIT_FOR(w_->state(fbp) == RunState::finished && w_->state(sirt) == RunState::finished);
    // Two ways to the same object: inside the tube they agree on where it is dense.
    const SliceImage a = *w_->controller().status(fbp).snapshot->slices.front(),
                     b = *w_->controller().status(sirt).snapshot->slices.front();
    double ab = 0, aa = 0, bb = 0, ma = 0, mb = 0;
    int n = 0;
    for (int iy = 0; iy < 128; ++iy)
      for (int ix = 0; ix < 128; ++ix)
        if (std::hypot(ix - 63.5, iy - 63.5) < 50) {
          const auto i = static_cast<std::size_t>(iy) * 128 + static_cast<std::size_t>(ix);
          ma += a.values[i];
          mb += b.values[i];
          ++n;
        }
    ma /= n;
    mb /= n;
    for (int iy = 0; iy < 128; ++iy)
      for (int ix = 0; ix < 128; ++ix)
        if (std::hypot(ix - 63.5, iy - 63.5) < 50) {
          const auto i = static_cast<std::size_t>(iy) * 128 + static_cast<std::size_t>(ix);
          ab += (a.values[i] - ma) * (b.values[i] - mb);
          aa += (a.values[i] - ma) * (a.values[i] - ma);
          bb += (b.values[i] - mb) * (b.values[i] - mb);
        }
    QVERIFY2(ab / std::sqrt(aa * bb) > 0.85, qPrintable(QString::number(ab / std::sqrt(aa * bb))));
    EXPECT_NEAR(ma / mb, 1, 0.02);
  }
};

GANTRY_TEST(TestMainJob)
#include "test_main_job.moc"
