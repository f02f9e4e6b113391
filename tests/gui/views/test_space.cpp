// The workspace Space: three planes through one voxel, and the volume, of a run, of the truth and
// of a file of which one slice is reconstructed.
#include "core/data/oblique_slice.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/space/space_board.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/volume_view.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMouseEvent>
#include <QSet>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>
#include <utility>

using namespace gantry;
using namespace gantry::test;

class TestSpace : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir folder_;

  MainWindow& window() { return *w_->window; }
  SpaceBoard& space() { return window().space(); }
  const SliceImage& shown(Axis axis) { return *space().plane(axis).slice().image(); }
  bool shows(Axis axis, int index) {
    const auto image = space().plane(axis).slice().image();
    return image != nullptr && image->axis == axis && image->index == index;
  }
  QToolButton* workspace(const QString& name) {
    for (QToolButton* button : window().findChildren<QToolButton*>())
      if (button->text() == name) return button;
    return nullptr;
  }
  /// At once, unlike QTest::mouseMove, which moves the pointer of the display.
  static void moveMouse(QWidget& view, QPoint to) {
    QMouseEvent event(QEvent::MouseMove, to, view.mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(&view, &event);
  }
  void choose(const QString& box, int index) {
    auto* choice = space().findChild<QComboBox*>(box);
    choice->setCurrentIndex(index);
    emit choice->activated(index);  // as by hand
  }
  void openSpatial() {
    w_->openSpatial();
    WAIT_FOR(w_->isReady());
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  /// A text without a frame does not touch the edge of the stage.
  void thePositionKeepsFromTheEdge() {
    openSpatial();
    window().resize(1280, 800);
    window().applyLayout(WindowLayout::space);
    const auto& position = w_->part<QLabel>("slicePosition");
    WAIT_FOR(position.isVisible() && !position.text().isEmpty());
    const QWidget* stage = window().centralWidget();
    const int right = position.mapTo(stage, position.contentsRect().bottomRight()).x();
    QVERIFY2(right <= stage->width() - 8, qPrintable(QString::number(stage->width() - right)));
  }

  /// By a double click, as the pictures of the other workspaces; another one, or Escape, shows all.
  void aDoubleClickEnlargesAView() {
    openSpatial();
    window().applyLayout(WindowLayout::space);
    space().findChild<QCheckBox*>(QStringLiteral("obliquePlane"))->click();
    std::vector<QWidget*> views = {&space().plane(Axis::axial), &space().plane(Axis::coronal),
                                   &space().plane(Axis::sagittal), &space().oblique(),
                                   &space().volume()};
    const auto shown = [&] {
      return std::ranges::count_if(views, [](const QWidget* view) { return view->isVisible(); });
    };
    for (QWidget* view : views) {
      WAIT_FOR(shown() == 5);
      const QSize small = view->size();
      const QPoint middle = view->rect().center();
      QTest::mouseDClick(view, Qt::LeftButton, {}, middle);
      WAIT_FOR(shown() == 1 && view->isVisible());
      WAIT_FOR(view->width() > 1.5 * small.width() && view->height() > 1.5 * small.height());
      QTest::mouseDClick(view, Qt::LeftButton, {}, middle);
    }
    WAIT_FOR(shown() == 5);
    QTest::mouseDClick(&space().volume(), Qt::LeftButton, {}, {40, 40});
    WAIT_FOR(shown() == 1);
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    QTest::keyClick(&window(), Qt::Key_Escape);
    WAIT_FOR(shown() == 5);

    choose(QStringLiteral("spaceArrangement"), 2);  // a plane of all runs
    const auto runs = [this] { return space().runs().views(); };
    WAIT_FOR(runs().size() == 3 && runs()[1]->isVisible());
    QTest::mouseDClick(runs()[1], Qt::LeftButton, {}, {40, 40});
    QVERIFY(runs()[1]->isVisible() && !runs()[0]->isVisible() && !runs()[2]->isVisible());
    QTest::mouseDClick(runs()[1], Qt::LeftButton, {}, {40, 40});
    QVERIFY(runs()[0]->isVisible() && runs()[2]->isVisible());
  }

  /// Without curves the pictures have the room of the track, until there are some.
  void noEmptyTrackTakesRoom() {
    openSpatial();
    window().applyLayout(WindowLayout::space);
    const auto* curves = window().findChild<QDockWidget*>(QStringLiteral("convergence"));
    const auto* sinogram = window().findChild<QDockWidget*>(QStringLiteral("sinogram"));
    QCoreApplication::processEvents();
    QVERIFY(!curves->isVisible() && sinogram->isHidden());
    w_->controller().start(w_->run(0));
    WAIT_FOR(curves->isVisible() && !sinogram->isHidden());
    window().applyLayout(WindowLayout::compare);
    window().applyLayout(WindowLayout::space);
    QVERIFY(curves->isVisible());
  }

  void aSingleSliceHasNoSpace() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    QVERIFY(!workspace(QStringLiteral("Space"))->isEnabled());
    QVERIFY(workspace(QStringLiteral("Space"))->toolTip().contains(QStringLiteral("single slice")));
  }

  /// Measured data have no truth: before any run, the planes, the oblique one and the volume show
  /// the quick reconstruction, and say so.
  void aMeasuredScanIsSeenBeforeItsRuns() {
    openSpatial();
    const QString path = folder_.filePath(QStringLiteral("s.scan.json"));
    window().files().saveScan(path);
    window().open(path);
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    window().applyLayout(WindowLayout::space);
    const auto notice = [this](const SliceView& view) {
      return QString::fromStdString(view.slice().notice());
    };
    const auto quick = [this] { return window().preview().image(); };
    for (const Axis axis : {Axis::axial, Axis::coronal, Axis::sagittal}) {
      WAIT_FOR(space().plane(axis).slice().image() != nullptr &&
               notice(space().plane(axis)).startsWith(QStringLiteral("Preview: FDK")));
      const SliceImage& image = shown(axis);
      QCOMPARE(image.axis, axis);
      QVERIFY(image.values == extract_slice(quick()->grid, quick()->mu, axis, image.index).values);
    }
    QVERIFY(std::ranges::max(shown(Axis::axial).values) > 0.01);
    const auto volume_is = [this](const std::vector<float>& values) {
      const auto drawn = space().volume().volume().volume().values;
      return drawn != nullptr && *drawn == values;
    };
    WAIT_FOR(volume_is(quick()->mu));
    QVERIFY(space().volume().volume().title().starts_with("Preview: FDK"));
    space().findChild<QCheckBox*>(QStringLiteral("obliquePlane"))->click();
    WAIT_FOR(space().oblique().slice().image() != nullptr &&
             space().oblique().slice().image()->values ==
                 oblique_slice(quick()->grid, quick()->mu, space().obliquePlane()).values);
    choose(QStringLiteral("spaceArrangement"), 2);  // a plane of all runs
    for (const int id : w_->model().runIds())
      WAIT_FOR(space().runs().view(id)->slice().image() != nullptr &&
               notice(*space().runs().view(id)).startsWith(QStringLiteral("Preview: FDK")));
    choose(QStringLiteral("spaceArrangement"), 0);
    const int id = w_->run(0);
    window().runs().selectRun(id);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    const auto& estimate =
        w_->controller().status(id).iterates->back().progress->solver.arrays.front();
    WAIT_FOR(notice(space().plane(Axis::axial)).isEmpty() &&
             shown(Axis::axial).values == extract_slice(w_->controller().data()->grid, estimate,
                                                        Axis::axial, space().voxel()[2])
                                              .values);
    WAIT_FOR(space().volume().volume().title() == w_->controller().label(id) &&
             volume_is(estimate));
  }

  void threePlanesGoThroughOneVoxel() {
    openSpatial();
    workspace(QStringLiteral("Space"))->click();
    WAIT_FOR(space().isVisible() && !window().board().isVisible());
    // The truth, until a run has an estimate.
    WAIT_FOR(shows(Axis::axial, 8) && shows(Axis::coronal, 10) && shows(Axis::sagittal, 12));
    const auto reference = w_->controller().reference();
    QVERIFY(shown(Axis::coronal).values ==
            extract_slice(reference->grid, reference->mu(), Axis::coronal, 10).values);

    const int id = w_->run(0);
    window().runs().selectRun(id);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished &&
             w_->controller().status(id).iterates->size() == 3);
    const auto& estimate =
        w_->controller().status(id).iterates->back().progress->solver.arrays.front();
    const auto is_estimate = [&](Axis axis, int index) {
      return shows(axis, index) &&
             shown(axis).values == extract_slice(reference->grid, estimate, axis, index).values;
    };
    WAIT_FOR(is_estimate(Axis::axial, 8) && is_estimate(Axis::coronal, 10) &&
             is_estimate(Axis::sagittal, 12));

    // A click in the axial plane moves the two others there, and nothing else.
    SliceView& axial = space().plane(Axis::axial);
    const Vec3 to = reference->grid.voxel_center_mm(5, 14, 8);
    const PointPx at = axial.slice().worldToDisplay(to.x, to.y);
    QTest::mouseClick(&axial, Qt::LeftButton, {}, QPoint(qRound(at.x), qRound(at.y)));
    QCOMPARE(space().voxel(), (std::array<int, 3>{5, 14, 8}));
    WAIT_FOR(is_estimate(Axis::sagittal, 5) && is_estimate(Axis::coronal, 14) &&
             is_estimate(Axis::axial, 8));
    // The wheel moves the plane that the mouse is over.
    emit space().plane(Axis::coronal).sliceStepRequested(3);
    WAIT_FOR(is_estimate(Axis::coronal, 17));
    emit space().plane(Axis::coronal).sliceStepRequested(1 << 24);
    WAIT_FOR(is_estimate(Axis::coronal, 19));

    // The playhead moves the planes as well.
    window().playhead().set(ProgressAxis::iterations, 1);
    const auto& first =
        w_->controller().status(id).iterates->front().progress->solver.arrays.front();
    QVERIFY(shown(Axis::axial).values ==
            extract_slice(reference->grid, first, Axis::axial, 8).values);

    workspace(QStringLiteral("Compare"))->click();
    WAIT_FOR(!space().isVisible() && window().board().isVisible());
  }

  void theVolumeIsDrawn() {
    openSpatial();
    window().applyLayout(WindowLayout::space);
    const auto brightness = [&] {
      const QImage picture = space().volume().grabImage(1);
      double sum = 0;
      for (int y = 60; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) sum += qGray(picture.pixel(x, y));
      return sum / (picture.width() * picture.height());
    };
    WAIT_FOR(brightness() > 5);
    auto* mode = space().findChild<QComboBox*>(QStringLiteral("volumeMode"));
    QSet<int> seen{qRound(100 * brightness())};
    for (int i = 1; i < mode->count(); ++i) {
      mode->setCurrentIndex(i);
      emit mode->activated(i);
      QVERIFY(brightness() > 2);
      seen << qRound(100 * brightness());
    }
    QCOMPARE(seen.size(), mode->count());  // the three ways look different
    // Only translucent volumes have a preset.
    auto* preset = space().findChild<QComboBox*>(QStringLiteral("volumePreset"));
    QVERIFY(!preset->isEnabled() && preset->toolTip().contains(QStringLiteral("Volume")));
    QCOMPARE(preset->currentData().toString(), QStringLiteral("window"));  // a phantom, in 1/mm
    choose(QStringLiteral("volumeMode"), 0);
    QVERIFY(preset->isEnabled());
    choose(QStringLiteral("volumePreset"), preset->findData(QStringLiteral("metal")));
    QVERIFY(brightness() < 3);  // there is none in the head
  }

  void theVolumeIsCut() {
    openSpatial();
    window().applyLayout(WindowLayout::space);
    WAIT_FOR(space().volume().volume().volume().values != nullptr);
    const VolumeScene& scene = space().volume().volume();
    auto* top = space().findChild<QDoubleSpinBox*>(QStringLiteral("clip21"));
    QVERIFY(!top->isVisible());
    space().findChild<QToolButton*>(QStringLiteral("clipBox"))->click();
    QVERIFY(top->isVisible() && scene.clipShown() && !scene.clip());
    EXPECT_NEAR(top->value(), scene.box().high[2], 1e-9);
    top->setValue(20);
    EXPECT_NEAR(scene.clip()->high[2], 20, 1e-9);
    // The handle of the face, dragged down in the view, moves the number as well.
    WAIT_FOR(space().volume().width() > 200);
    space().volume().grabImage(1);
    const PointPx at = scene.handleOf({2, true});
    const QPoint from(qRound(at.x), qRound(at.y));
    QTest::mousePress(&space().volume(), Qt::LeftButton, {}, from);
    moveMouse(space().volume(), from + QPoint(0, 15));
    QTest::mouseRelease(&space().volume(), Qt::LeftButton, {}, from + QPoint(0, 15));
    QVERIFY(top->value() < 19);
    EXPECT_NEAR(scene.clip()->high[2], top->value(), 0.01);
    // Without its frame the box does not cut, and comes back as it was.
    const ClipBox cut = *scene.clip();
    auto* clip = space().findChild<QToolButton*>(QStringLiteral("clipBox"));
    clip->click();
    QVERIFY(!scene.clip() && !scene.clipShown());
    clip->click();
    QVERIFY(scene.clip() == cut);
    space().findChild<QToolButton*>(QStringLiteral("clipReset"))->click();
    QVERIFY(!scene.clip());
  }

  /// What is opened next is looked at as at first.
  void theNextDataAreLookedAtAfresh() {
    openSpatial();
    window().applyLayout(WindowLayout::space);
    WAIT_FOR(space().volume().volume().volume().values != nullptr);
    QImage before;
    const auto rests = [&] {  // the panels around the volume have found their sizes
      const QImage now = space().volume().grabImage(1);
      return std::exchange(before, now) == now;
    };
    WAIT_FOR(rests());
    auto* oblique = space().findChild<QCheckBox*>(QStringLiteral("obliquePlane"));
    auto* clip = space().findChild<QToolButton*>(QStringLiteral("clipBox"));
    oblique->click();
    choose(QStringLiteral("volumeMode"), 2);
    clip->click();
    QTest::keyClick(&space().volume(), Qt::Key_Right);
    openSpatial();
    window().applyLayout(WindowLayout::space);
    WAIT_FOR(space().volume().volume().volume().values != nullptr);
    QVERIFY(!oblique->isChecked() && !clip->isChecked() && !space().oblique().isVisible());
    QCOMPARE(space().findChild<QComboBox*>(QStringLiteral("volumeMode"))->currentIndex(), 0);
    QVERIFY(!space().volume().volume().clipShown());
    WAIT_FOR(space().volume().grabImage(1) == before);
  }

  /// One plane of the reference and of every run, with one cross-hair.
  void allRunsShowOnePlane() {
    openSpatial();
    for (const int id : w_->model().runIds()) w_->controller().start(id);
    for (const int id : w_->model().runIds()) WAIT_FOR(w_->state(id) == RunState::finished);
    window().applyLayout(WindowLayout::space);
    choose(QStringLiteral("spaceArrangement"), 2);  // coronal
    const auto shows_plane = [&](int index) {
      return std::ranges::all_of(space().runs().views(), [&](const SliceView* view) {
        const auto image = view->slice().image();
        return image != nullptr && image->axis == Axis::coronal && image->index == index;
      });
    };
    WAIT_FOR(space().runs().views().size() == w_->model().runIds().size() + 1 && shows_plane(10));
    SliceView* one = space().runs().view(w_->run(1));
    QVERIFY(!one->accessibleName().isEmpty());
    emit one->sliceStepRequested(-4);
    WAIT_FOR(shows_plane(6));
    emit one->clicked({space().plane(Axis::axial).slice().crossHair()->at.u, 0});
    const CrossHair cross = *one->slice().crossHair();
    for (const SliceView* view : space().runs().views()) {
      EXPECT_NEAR(view->slice().crossHair()->at.u, cross.at.u, 0);
      EXPECT_NEAR(view->slice().crossHair()->at.v, cross.at.v, 0);
    }
    choose(QStringLiteral("spaceArrangement"), 4);  // oblique: of the whole volumes
    const int id = w_->run(0);
    const auto& estimate =
        w_->controller().status(id).iterates->back().progress->solver.arrays.front();
    const VolumeGrid grid = w_->controller().data()->grid;
    WAIT_FOR(space().runs().view(id)->slice().image() != nullptr &&
             space().runs().view(id)->slice().image()->values ==
                 oblique_slice(grid, estimate, space().obliquePlane()).values);
  }

  void theObliquePlaneIsTurned() {
    openSpatial();
    window().applyLayout(WindowLayout::space);
    space().findChild<QCheckBox*>(QStringLiteral("obliquePlane"))->click();
    QVERIFY(space().oblique().isVisible());
    const auto reference = w_->controller().reference();
    const auto is_cut = [&] {
      const auto image = space().oblique().slice().image();
      return image != nullptr &&
             image->values ==
                 oblique_slice(reference->grid, reference->mu(), space().obliquePlane()).values;
    };
    WAIT_FOR(is_cut());
    auto* turn = space().findChild<QDoubleSpinBox*>(QStringLiteral("obliqueTurn"));
    turn->setValue(70);
    QCOMPARE(space().obliquePlane().turn_deg, 70.0);
    QVERIFY(is_cut());
    const QPoint middle = space().oblique().rect().center() + QPoint(30, 30);
    QTest::mousePress(&space().oblique(), Qt::LeftButton, Qt::ControlModifier, middle);
    moveMouse(space().oblique(), middle + QPoint(20, 0));
    QTest::mouseRelease(&space().oblique(), Qt::LeftButton, Qt::ControlModifier,
                        middle + QPoint(20, 0));
    QCOMPARE(turn->value(), 80.0);  // half a degree a pixel
    // A step along the normal moves the cross-hair, and the plane with it.
    const std::array<int, 3> before = space().voxel();
    emit space().oblique().sliceStepRequested(2);
    QVERIFY(space().voxel() != before && is_cut());
  }

  /// With the mouse on its lines; elsewhere a drag changes window and level.
  void theCrossHairIsDragged() {
    openSpatial();
    window().applyLayout(WindowLayout::space);
    SliceView& axial = space().plane(Axis::axial);
    // Positions in the view are known once it has been drawn.
    WAIT_FOR(shows(Axis::axial, 8) && axial.paintCount() > 0 && w_->isDrawn(axial));
    const auto drag = [&](QPoint from, QPoint to) {
      QTest::mousePress(&axial, Qt::LeftButton, {}, from);
      moveMouse(axial, to);
      QTest::mouseRelease(&axial, Qt::LeftButton, {}, to);
    };
    const auto at = [&](int ix, int iy) {
      const Vec3 mm = w_->controller().data()->grid.voxel_center_mm(ix, iy, 8);
      const PointPx px = axial.slice().worldToDisplay(mm.x, mm.y);
      return QPoint(qRound(px.x), qRound(px.y));
    };
    const double window_before = axial.slice().window();
    drag(at(12, 10), at(5, 14));
    QCOMPARE(space().voxel(), (std::array<int, 3>{5, 14, 8}));
    drag(at(5, 3), at(8, 6));  // the vertical line alone
    QCOMPARE(space().voxel(), (std::array<int, 3>{8, 14, 8}));
    QCOMPARE(axial.slice().window(), window_before);
    drag(at(15, 5), at(18, 5));
    QCOMPARE(space().voxel(), (std::array<int, 3>{8, 14, 8}));
    QVERIFY(axial.slice().window() > window_before);
  }

  void keysTurnTheVolume() {
    openSpatial();
    window().applyLayout(WindowLayout::space);
    WAIT_FOR(space().volume().volume().volume().values != nullptr);
    const QImage before = space().volume().grabImage(1);
    QTest::keyClick(&space().volume(), Qt::Key_Right);
    QVERIFY(space().volume().volume().moving());
    QVERIFY(space().volume().grabImage(1) != before);
    QTest::keyClick(&space().volume(), Qt::Key_R);
    WAIT_FOR(!space().volume().volume().moving());  // drawn finely again
  }

  /// Three planes and the volume of a run are reached by one action.
  void spaceIsOneActionAway() {
    openSpatial();
    workspace(QStringLiteral("Space"))->click();
    WAIT_FOR(shows(Axis::axial, 8) && shows(Axis::coronal, 10) && shows(Axis::sagittal, 12) &&
             space().volume().volume().volume().values != nullptr);
  }

  /// One slice of a file of 12 is reconstructed; all slices of the file can be looked through.
  void aFileIsLookedThrough() {
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(24, 24, 12, {4, 4, 4});
    std::vector<float> mu(volume.grid.voxels());
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] = 0.001F * static_cast<float>(i % 29);
    volume.mu = mu;
    const QString path = folder_.filePath(QStringLiteral("block.mha"));
    write_volume(path.toStdString(), volume);
    window().open(path);
    WAIT_FOR(w_->controller().data() != nullptr && w_->controller().data()->source_slices == 12);
    QCOMPARE(w_->controller().data()->grid.nz, 1);
    workspace(QStringLiteral("Space"))->click();
    WAIT_FOR(shows(Axis::axial, 6) && shows(Axis::coronal, 12) && shows(Axis::sagittal, 12));
    for (const auto& [axis, index] : {std::pair{Axis::axial, 6}, {Axis::sagittal, 12}})
      QVERIFY(shown(axis).values == extract_slice(volume.grid, mu, axis, index).values);
    emit space().plane(Axis::axial).sliceStepRequested(2);
    QVERIFY(shows(Axis::axial, 8));
  }
};

GANTRY_TEST(TestSpace)
#include "test_space.moc"
