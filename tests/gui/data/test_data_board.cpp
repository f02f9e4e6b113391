// The workspace Data: whatever is opened is shown at once, before anything is reconstructed from
// it.
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "gui/data/source_panel.hpp"
#include "gui/models/selection.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/stage/projection_board.hpp"
#include "gui/stage/ray_images.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/stage/volume_planes.hpp"
#include "gui/track/sinogram_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/worker/preview.hpp"
#include "gui/worker/volume_look.hpp"
#include "tests/gui/counted_user.hpp"
#include "tests/support/data.hpp"
#include "tests/support/test_program.hpp"

#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestDataBoard : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir folder_;
  std::unique_ptr<CountedUser> user_;

  MainWindow& window() { return *w_->window; }
  DataBoard& data() { return window().data(); }
  ProjectionBoard& rays() { return data().projections(); }
  VolumePlanes& planes() { return data().planes(); }
  QString text() { return data().text(); }

  void openSmall() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
  }
  void openSpatial() {
    Experiment spatial = WindowFixture::small();
    spatial.source.phantom = "forbild_head_3d";
    spatial.geometry = default_scan(128, 40, 32);
    spatial.grid = VolumeGrid::centered(24, 20, 16, {9, 11, 13});
    w_->model().reset(spatial, {});
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady());
  }
  QString measuredScan() {
    openSmall();
    const auto now = w_->controller().data();
    const QString path = folder_.filePath(QStringLiteral("m.scan.json"));
    write_scan(path.toStdString(), *now->geometry, now->line_integrals, "measured");
    return path;
  }
  /// A block of 24 x 20 x 12 voxels.
  QString volume(const QString& name, std::vector<float>* values = nullptr) {
    VolumeToWrite out;
    out.grid = VolumeGrid::centered(24, 20, 12, {4, 4, 4});
    std::vector<float> mu(out.grid.voxels());
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] = 0.001F * static_cast<float>(i % 29);
    out.mu = mu;
    const QString path = folder_.filePath(name);
    write_volume(path.toStdString(), out);
    if (values != nullptr) *values = mu;
    return path;
  }
  bool shows(Axis axis, int index) {
    const auto& image = planes().plane(axis).slice().image();
    return image != nullptr && image->axis == axis && image->index == index;
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_->window.get()));
    window().activateWindow();
    window().setFocus();
    user_ = std::make_unique<CountedUser>(window());
  }
  void cleanup() { w_.reset(); }

  /// Turns that were made before the first view say nothing of it.
  void anglesAreShownWithoutWholeTurns() {
    Experiment turned = WindowFixture::small();
    turned.geometry->view_angles_rad = angles_from_degrees(16740.5, 6, 60);
    w_->open(turned);
    WAIT_FOR(w_->isReady());
    window().applyLayout(WindowLayout::data);
    const auto label = [&] {
      const ChartSeries* curve = rays().curve().chart().model().find("view");
      return curve == nullptr ? std::string() : curve->style.label;
    };
    WAIT_FOR(label() == "view 0 at 180.5°");
    emit rays().sinogram().sliceStepRequested(59);
    WAIT_FOR(label() == "view 59 at 534.5°");
  }

  void aSingleRowHasItsSinogramAndACurve() {
    openSmall();
    user_->click(QStringLiteral("Data"));
    WAIT_FOR(data().isVisible() && !window().board().isVisible());
    const auto now = w_->controller().data();
    QVERIFY(rays().sinogram().isVisible() && rays().curve().isVisible());
    QVERIFY(!rays().projection().isVisible());
    QVERIFY(rays().sinogram().slice().image()->values == now->line_integrals);
    // The wheel over the sinogram goes through the views, which the curve shows.
    emit rays().sinogram().sliceStepRequested(7);
    QCOMPARE(rays().view(), 7);
    const ChartSeries* curve = rays().curve().chart().model().find("view");
    QVERIFY(curve != nullptr && curve->ys.size() == 64);
    for (std::size_t c = 0; c < 64; ++c)
      QCOMPARE(curve->ys[c], static_cast<double>(now->line_integrals[7 * 64 + c]));
    emit rays().sinogram().sliceStepRequested(1 << 24);
    QCOMPARE(rays().view(), 59);
    emit rays().sinogram().sliceStepRequested(-(1 << 24));
    QCOMPARE(rays().view(), 0);
    WAIT_FOR(rays().slice().slice().image() != nullptr);
    QCOMPARE(rays().slice().slice().image(), window().preview().slice(Axis::axial, 0));
    QVERIFY2(text().contains(QStringLiteral("60 views")) &&
                 text().contains(QStringLiteral("axis of rotation at column 31.50")),
             qPrintable(text()));
  }

  /// Views and columns are not lengths: sinograms take the proportions of their place, in the
  /// workspace Data and below the curves.
  void sinogramsFillTheirPlaces() {
    openSmall();
    window().resize(1280, 800);
    window().applyLayout(WindowLayout::data);
    const auto fills = [](const SliceView& view) {
      const RectPx picture = view.slice().sliceRect();
      const double header = view.slice().layout().header.height;
      return header > 0 && std::abs(picture.width / view.width() - 1) < 0.03 &&
             std::abs(picture.y - header) < 3 && std::abs(picture.bottom() - view.height()) < 3;
    };
    WAIT_FOR(fills(rays().sinogram()));
    window().applyLayout(WindowLayout::compare);
    window().panels().open(QStringLiteral("sinogram"));
    WAIT_FOR(fills(window().sinogram().view()));
  }

  void aClickInTheSinogramChoosesTheView() {
    openSmall();
    window().applyLayout(WindowLayout::data);
    WAIT_FOR(rays().sinogram().paintCount() > 0);
    const auto& image = *rays().sinogram().slice().image();
    const PointPx at = rays().sinogram().slice().worldToDisplay(30, 33 * image.dv_mm);
    QTest::mouseClick(&rays().sinogram(), Qt::LeftButton, {}, QPoint(qRound(at.x), qRound(at.y)));
    QVERIFY2(std::abs(rays().view() - 33) <= 1, qPrintable(QString::number(rays().view())));
  }

  void projectionsSinogramAndSliceAreLinked() {
    openSpatial();
    window().applyLayout(WindowLayout::data);
    WAIT_FOR(rays().projection().slice().image() != nullptr);
    const auto now = w_->controller().data();
    const ScanGeometry& geometry = *now->geometry;
    QVERIFY(rays().projection().isVisible() && !rays().curve().isVisible());
    emit rays().projection().sliceStepRequested(5);
    QCOMPARE(rays().view(), 5);
    QVERIFY(rays().projection().slice().image()->values ==
            projection_image(geometry, now->line_integrals, 5).values);
    // The sinogram's wheel goes through the rows, and the slice of the preview follows.
    const int row = rays().row() + 2;
    emit rays().sinogram().sliceStepRequested(2);
    QCOMPARE(rays().row(), row);
    QVERIFY(rays().sinogram().slice().image()->values ==
            sinogram_image(geometry, now->line_integrals, row, 1).values);
    const double z = *row_height_mm(geometry, row);
    const auto distance = [&](int slice) {
      return std::abs(slice_position_mm(now->grid, Axis::axial, slice) - z);
    };
    const int slice = window().viewState().slice();
    for (int other = 0; other < now->grid.nz; ++other)
      QVERIFY(distance(slice) <= distance(other) + 1e-9);
    // The slice's wheel takes the row along.
    emit rays().slice().sliceStepRequested(-(1 << 24));
    QCOMPARE(window().viewState().slice(), 0);
    QVERIFY(rays().row() < row);
    // Projection and sinogram have one window.
    emit rays().projection().windowLevelChanged(0.7, 0.4);
    QCOMPARE(rays().sinogram().slice().window(), 0.7);
    QCOMPARE(rays().sinogram().slice().level(), 0.4);
  }

  /// R shows everything again in all pictures, whichever was zoomed.
  void everythingIsShownAgain() {
    openSpatial();
    window().applyLayout(WindowLayout::data);
    WAIT_FOR(rays().projection().slice().image() != nullptr);
    for (SliceView* view : {&rays().projection(), &rays().sinogram(), &rays().slice()}) {
      view->setView({0, 0, 0.01});
      QVERIFY(!view->slice().fitted());
      QTest::keyClick(&window(), Qt::Key_R);
      QVERIFY(view->slice().fitted());
    }
  }

  void whereThereIsNoPreviewTheReasonIsSaid() {
    openSpatial();
    w_->model().edit(QStringLiteral("helix"), [](Experiment& e) {
      e.geometry->trajectory = Trajectory::helical;
      e.geometry->helical_feed_mm_per_turn = 20;
    });
    w_->controller().prepareData();
    window().applyLayout(WindowLayout::data);
    WAIT_FOR(w_->isReady() && !window().preview().problem().isEmpty());
    QVERIFY2(window().preview().problem().contains(QStringLiteral("no direct method")),
             qPrintable(window().preview().problem()));
  }

  /// Whoever opens the workspace while runs compute sees a picture as well.
  void thePreviewComesWhileRunsCompute() {
    openSmall();
    const int run = w_->run(0);
    w_->model().editRun(run, QStringLiteral("long"),
                        [](RunSpec& spec) { spec.iterations = 1000000; });
    w_->controller().prepareData();
    w_->controller().start(run);
    WAIT_FOR(w_->isReady() && w_->state(run) == RunState::running && w_->iterations(run) > 0);
    window().applyLayout(WindowLayout::data);
    WAIT_FOR(rays().slice().slice().image() != nullptr);
    QCOMPARE(w_->state(run), RunState::running);
  }

  /// Unless the user says something else, the form shows what the file of projections states.
  void theFormShowsTheWaterInForce() {
    const QString path = measuredScan();
    window().open(path);
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    auto* panel = window().findChild<SourcePanel*>();
    auto* water = panel->findChild<QDoubleSpinBox*>(QStringLiteral("muWater"));
    QCOMPARE(water->value(), default_mu_water);
    panel->setStated(false, 0.0192, true);
    QCOMPARE(water->value(), 0.0192);
    w_->model().edit(QStringLiteral("water"), [](Experiment& e) { e.source.mu_water = 0.021; });
    QCOMPARE(water->value(), 0.021);
  }

  /// "Open a measured scan and run two solvers on it" takes three actions at most.
  void aMeasuredScanIsRunInTwoActions() {
    const QString path = measuredScan();
    user_ = std::make_unique<CountedUser>(window());
    user_->open(path);
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    WAIT_FOR(data().isVisible() && rays().sinogram().slice().image() != nullptr);
    QCOMPARE(w_->model().runIds().size(), std::size_t{2});
    for (const int id : w_->model().runIds()) QVERIFY(!w_->controller().status(id).wasStarted());
    user_->press(Qt::Key_F5);
    WAIT_FOR(w_->iterations(w_->run(0)) > 0 && w_->iterations(w_->run(1)) > 0);
    QVERIFY(w_->model().run(w_->run(0))->solver != w_->model().run(w_->run(1))->solver);
    WAIT_FOR(window().board().isVisible() && !data().isVisible());
    QVERIFY(user_->actions() <= 3);
    // Going back while runs compute is not undone by them.
    window().applyLayout(WindowLayout::data);
    WAIT_FOR(w_->state(w_->run(0)) == RunState::finished);
    QVERIFY(data().isVisible());
  }

  void aVolumeIsLookedThroughInTwoActions() {
    std::vector<float> mu;
    openSmall();
    window().viewState().setWindowLevel(1e-6, 3);  // of other data
    const QString path = volume(QStringLiteral("block.mha"), &mu);
    user_ = std::make_unique<CountedUser>(window());
    user_->open(path);
    WAIT_FOR(planes().isVisible() && shows(Axis::axial, 6) && shows(Axis::coronal, 10) &&
             shows(Axis::sagittal, 12));
    const VolumeGrid grid = *window().look().grid();
    QVERIFY(window().viewState().window() < 0.05 && window().viewState().window() > 0.01);
    for (int z = 0; z < 12; ++z) {
      planes().setVoxel({3, 4, z});
      QVERIFY(shows(Axis::axial, z) && shows(Axis::coronal, 4) && shows(Axis::sagittal, 3));
      QVERIFY(planes().plane(Axis::axial).slice().image()->values ==
              extract_slice(grid, mu, Axis::axial, z).values);
    }
    QVERIFY2(text().contains(QStringLiteral("block.mha")) &&
                 text().contains(QStringLiteral("holds no projections")),
             qPrintable(text()));
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "block");
    user_->click(QStringLiteral("Space"));
    WAIT_FOR(window().space().isVisible() &&
             window().space().plane(Axis::axial).slice().image() != nullptr);
    QVERIFY(user_->actions() <= 2);
    // Its simulated projections are shown on request.
    window().applyLayout(WindowLayout::data);
    user_->click(QStringLiteral("Projections"));
    WAIT_FOR(rays().isVisible() && rays().sinogram().slice().image() != nullptr);
    openSmall();
    QVERIFY(!window().look().isOpen());
  }

  /// A file has an origin of its own; where it is looked at, and what is reconstructed of it, have
  /// the coordinates of the scan, and one cross-hair.
  void aSliceHasOneCoordinateAndOneCrossHair() {
    VolumeToWrite out;
    out.grid = VolumeGrid::centered(24, 20, 12, {4, 4, 4});
    out.grid.origin_mm = {0, 0, 50};
    const std::vector<float> mu(out.grid.voxels(), 0.02F);
    out.mu = mu;
    const QString path = folder_.filePath(QStringLiteral("origin.mha"));
    write_volume(path.toStdString(), out);
    window().open(path);
    WAIT_FOR(planes().isVisible() && shows(Axis::coronal, 10));
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "origin");
    const auto cross = [](const SliceView& view) { return view.slice().crossHair()->at; };
    SpaceBoard& space = window().space();
    for (const bool whole : {false, true}) {
      if (whole) {
        w_->model().edit(QStringLiteral("whole"), [](Experiment& e) {
          e.source.slice = -1;
          e.geometry.reset();
          e.grid.reset();
        });
        w_->controller().prepareData();
        WAIT_FOR(w_->isReady() && w_->controller().data()->grid.nz > 1);
      }
      window().applyLayout(WindowLayout::data);
      WAIT_FOR(planes().isVisible());
      planes().setVoxel({3, 4, whole ? 8 : 7});
      QCOMPARE(cross(planes().plane(Axis::axial)).v, -22.0);
      QCOMPARE(cross(planes().plane(Axis::coronal)).v, whole ? 10.0 : 6.0);
      window().applyLayout(WindowLayout::space);
      const double side = whole ? w_->controller().data()->grid.spacing_mm.y : 0;
      WAIT_FOR(std::abs(cross(space.plane(Axis::axial)).v + 22) <= 0.5 * side + 1e-9);
      WAIT_FOR(std::abs(cross(space.plane(Axis::coronal)).v - (whole ? 10 : 6)) <=
               0.5 * side + 1e-9);
    }
    // What is chosen in Space is what Data shows.
    const std::array<int, 3> there = space.voxel();
    space.setVoxel({there[0], there[1], there[2] - 2});
    const double height = cross(space.plane(Axis::coronal)).v;
    window().applyLayout(WindowLayout::data);
    QVERIFY(std::abs(cross(planes().plane(Axis::coronal)).v - height) <= 2);
  }

  /// Values under the mouse change with the slice, although the mouse stays where it is.
  void theReadoutFollowsTheSlice() {
    openSpatial();
    window().applyLayout(WindowLayout::compare);
    SliceTile& truth = *window().board().tile(SliceTile::referenceId);
    QSignalSpy tile_says(&window().board(), &SliceBoard::readoutChanged);
    emit truth.view().cursorMoved({0, 0});
    window().viewState().setSlice(0);
    QCOMPARE(tile_says.last().at(0).toString(), truth.readout({0, 0}));
    emit truth.view().cursorLeft();
    QVERIFY(tile_says.last().at(0).toString().isEmpty());

    window().applyLayout(WindowLayout::data);
    WAIT_FOR(rays().slice().slice().image() != nullptr);
    QSignalSpy rays_say(&rays(), &ProjectionBoard::readoutChanged);
    const auto said = [&] { return rays_say.last().at(0).toString(); };
    emit rays().slice().cursorMoved({0, 0});
    const QString before = said();
    window().viewState().setSlice(9);
    QVERIFY2(said() != before, qPrintable(said()));
    emit rays().sinogram().cursorMoved({20, 0});
    rays().setRow(rays().row() + 1);
    QVERIFY2(said().contains(QStringLiteral("row %1").arg(rays().row())), qPrintable(said()));

    window().open(volume(QStringLiteral("read.mha")));
    WAIT_FOR(planes().isVisible() && shows(Axis::coronal, 10) && window().look().volume());
    QSignalSpy planes_say(&planes(), &VolumePlanes::readoutChanged);
    emit planes().plane(Axis::axial).cursorMoved({2, 2});
    const QString below = planes_say.last().at(0).toString();
    QVERIFY(below.contains(QStringLiteral("z 2.0 mm")));
    planes().setVoxel({12, 10, 7});
    QVERIFY(planes_say.last().at(0).toString().contains(QStringLiteral("z 6.0 mm")));
  }

  void aDicomSeriesIsLookedThroughInTwoActions() {
    NEED_DATA("ct_philips_phantom_axial");
    user_->open(QString::fromStdString(data_path("ct_philips_phantom_axial")));
    WAIT_FOR(planes().isVisible() && shows(Axis::axial, 14));
    QCOMPARE(window().look().grid()->nz, 28);
    emit planes().plane(Axis::axial).sliceStepRequested(-(1 << 24));
    WAIT_FOR(shows(Axis::axial, 0));
    emit planes().plane(Axis::axial).sliceStepRequested(1 << 24);
    WAIT_FOR(shows(Axis::axial, 27) && shows(Axis::coronal, 256) && shows(Axis::sagittal, 256));
    WAIT_FOR(w_->isReady());
    user_->click(QStringLiteral("Space"));
    WAIT_FOR(window().space().plane(Axis::sagittal).slice().image() != nullptr);
    QVERIFY(user_->actions() <= 2);
  }

  /// The checksum of the values is wrong: the whole file is refused, but single slices are shown.
  void slicesAreShownBeforeTheWholeFileIsRead() {
    const QString path = volume(QStringLiteral("pair.mhd"));
    QFile raw(folder_.filePath(QStringLiteral("pair.raw")));
    QVERIFY(raw.open(QIODevice::ReadWrite) && raw.seek(5) && raw.write("?", 1) == 1);
    raw.close();
    SourceSpec source;
    source.kind = SourceKind::volume;
    source.path = path.toStdString();
    window().look().setSource(source);
    window().applyLayout(WindowLayout::data);
    WAIT_FOR(shows(Axis::axial, 6));
    WAIT_FOR(!window().look().problem().isEmpty());
    QVERIFY(window().look().volume() == nullptr);
    QVERIFY2(window().look().problem().contains(QStringLiteral("pair.raw")),
             qPrintable(window().look().problem()));
    emit planes().plane(Axis::axial).sliceStepRequested(3);
    WAIT_FOR(shows(Axis::axial, 9));
  }

  /// A file that cannot be read leaves the workspace, and what was open, as they were.
  void aFileThatCannotBeReadLeavesEverything() {
    openSmall();
    const QString path = volume(QStringLiteral("short.mha"));
    QVERIFY(QFile::resize(path, 1000));
    user_->open(path);
    WAIT_FOR(!w_->controller().isPreparing() && !window().look().isOpen());
    WAIT_FOR(window().board().isVisible() && !data().isVisible());
    QCOMPARE(w_->model().experiment().title, std::string("small"));
    // From a volume that is being looked at: its slices, too.
    user_->open(volume(QStringLiteral("whole.mha")));
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "whole");
    WAIT_FOR(planes().isVisible() && shows(Axis::axial, 6));
    planes().setVoxel({3, 4, 2});
    QFile text(folder_.filePath(QStringLiteral("note.txt")));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("no image, but a note") > 0);
    text.close();
    for (const QString& bad : {path, text.fileName()}) {
      user_->open(bad);
      WAIT_FOR(w_->bannerText().contains(QFileInfo(bad).fileName()));
      WAIT_FOR(!w_->controller().isPreparing());
      WAIT_FOR(shows(Axis::axial, 2) && shows(Axis::coronal, 4) && shows(Axis::sagittal, 3));
      QVERIFY(data().isVisible());
    }
    // Everything that can be opened is named, not volumes alone, behind the message.
    w_->bannerButton(QStringLiteral("Details"))->click();
    const QString said = w_->bannerText();
    for (const char* kind : {"note.txt", "MetaImage", ".scan.json", ".gantry", "NXtomo"})
      QVERIFY2(said.contains(QLatin1String(kind)), qPrintable(said));
  }
};

GANTRY_TEST(TestDataBoard)
#include "test_data_board.moc"
